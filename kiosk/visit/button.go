package visit

// Button is a touch target of the player's face. The face sends Tapped with it, and decides nothing.
type Button string

// The buttons.
const (
	// On every screen.
	ButtonLanguage Button = "language" // Tapped.Language says which
	ButtonLarger   Button = "larger"
	ButtonContrast Button = "contrast"
	ButtonHelp     Button = "help"
	ButtonCancel   Button = "cancel"
	ButtonClose    Button = "close" // closes what lies over the screen

	// On the attract screen.
	ButtonWhere   Button = "where" // the gold band
	ButtonPrivacy Button = "privacy"

	// On the way.
	ButtonContinue   Button = "continue"
	ButtonNotMe      Button = "not-me"
	ButtonReadRules  Button = "read-rules"
	ButtonPrintRules Button = "print-rules"
	ButtonAccept     Button = "accept"
	ButtonDecline    Button = "decline"
	ButtonYes        Button = "yes"      // declaration: none of these applies to me
	ButtonNo         Button = "no"       // declaration: one of them does
	ButtonNotSure    Button = "not-sure" // declaration
	ButtonTake       Button = "take"     // the offered heat, or Tapped.Heat on ScreenHeats
	ButtonTogether   Button = "together" // State.Together seats in the next heats
	ButtonOthers     Button = "others"   // 'Another heat'
	ButtonBack       Button = "back"
	ButtonStillHere  Button = "still-here" // also any touch outside the buttons of 'still there?'
	ButtonDone       Button = "done"
	ButtonAgain      Button = "again" // unconfirmed: print once more; trouble: try again
	ButtonCallHost   Button = "call-host"
)
