package visit

// Button is a touch target of the player's face. The face sends Tapped with it, and decides nothing.
type Button string

// OnFoot reports whether the button stands at the foot of every screen, where it means the same on each.
func (b Button) OnFoot() bool {
	switch b {
	case ButtonLanguage, ButtonLarger, ButtonContrast, ButtonHelp, ButtonCancel:
		return true
	}
	return false
}

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
	ButtonTake       Button = "take"     // takes the offered heat; on ScreenHeats Tapped.Heat is offered next
	ButtonTogether   Button = "together" // State.Together seats in the next heats
	ButtonOthers     Button = "others"   // 'Another heat'; on ScreenDone, where State.Offer is not empty, one more seat
	ButtonBack       Button = "back"
	ButtonStillHere  Button = "still-here" // also any touch outside the buttons of 'still there?'
	ButtonDone       Button = "done"       // ends the visit; an unconfirmed ticket of an earlier visit is only put aside
	ButtonAgain      Button = "again"      // unconfirmed: print once more; trouble: try again, or choose another heat
	ButtonCallHost   Button = "call-host"
)
