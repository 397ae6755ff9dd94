package demo

// scene is a visit as a script: the commands of the demo, and these of the tour's own:
//
//	show NAME          takes a picture, numbered, of the screen that was waited for last
//	over OVERLAY       waits until something lies over the screen
//	trouble WHAT       waits for the screen of a trouble
//	hint WHAT          waits for a short message
//	out WHY            waits until the attract screen says why no seats are given
//	wait ready         waits until the attract screen offers both readers
//	wait alone         waits until the kiosk can give seats while central is away
//	wait full|free     waits until the attract screen has no seat, or some again
//	look HOW           waits until the attract screen is larger, in contrast, in a language, or plain again
//	mute after BYTES   has the printer fall silent in the middle of the next ticket
//	close heat         cancels the next heat
//	machines out|in    takes all machines out of service, or brings them back
//	revoke kiosk       shuts the kiosk out for good
//	keep ticket        keeps the last ticket as ticket.png and ticket.txt
type scene struct{ name, script string }

// otherLanguages is the scene that chooses its languages itself.
const otherLanguages = "the other languages"

// scenes show every screen. They are played one after another on the same floor, and each but
// the last leaves it as it found it.
var scenes = []scene{
	{"the attract screen", `
		wait ready
		show attract
		tap where
		over where
		show where
		tap close
		tap privacy
		over privacy
		show privacy
		tap close
		tap larger
		look larger
		show attract-larger
		tap contrast
		look contrast
		show attract-high-contrast-larger
		tap cancel
		look plain`},
	{"an ordinary visit", `
		swipe thandi
		wait greeting
		show greeting
		tap continue
		wait rules
		show rules
		tap read-rules
		over rules-text
		show rules-text
		tap close
		tap accept
		wait declaration
		show declaration
		tap yes
		wait offer
		show offer
		tap others
		wait heats
		show heats
		tap back
		wait offer
		printer slow
		tap take
		wait printing
		show printing
		printer well
		wait ticket 1
		wait done
		show done
		keep ticket
		tap done
		wait attract`},
	{"several seats", `
		scan maria
		wait greeting
		show greeting-several
		tap continue
		tap accept
		tap yes
		wait offer
		printer slow
		tap together
		wait printing
		show printing-several
		printer well
		wait ticket 4
		wait done
		show done-several
		tap done
		wait attract`},
	{"nobody touches anything", `
		swipe sibusisiwe
		wait greeting
		show greeting-long-name
		over still-there
		show still-there
		tap still-here
		wait greeting
		tap not-me
		wait attract`},
	{"please see a host", `
		swipe sipho
		wait see-host
		show see-host
		tap call-host
		over help
		show help
		tap cancel
		wait attract`},
	{"a card that nobody has verified", `
		swipe johan
		wait see-host
		tap cancel
		wait attract
		scan johan
		wait greeting
		tap cancel
		wait attract`},
	{"both card and ID", `
		identify both
		wait ready
		swipe thandi
		wait ask-id
		show ask-id
		scan pieter
		wait see-host
		tap cancel
		wait attract
		scan thandi
		wait ask-id
		show ask-card
		tap cancel
		wait attract
		identify either
		wait ready`},
	{"a bank card", `
		bank card
		hint bank-card
		show hint-bank-card
		pause 7`},
	{"no entries, and a receipt", `
		swipe nomsa
		trouble no-entries
		show no-entries
		tap cancel
		wait attract
		swipe lindiwe
		trouble no-entries
		receipt lindiwe
		wait greeting
		show greeting-claimed
		tap cancel
		wait attract
		swipe nomsa
		trouble no-entries
		receipt lindiwe
		trouble receipt-refused
		show receipt-refused
		tap cancel
		wait attract`},
	{"an entry whose time has ended", `
		swipe zanele
		trouble window-over
		show window-over
		tap cancel
		wait attract`},
	{"a passport past its expiry", `
		scan anna
		trouble document-expired
		show document-expired
		tap cancel
		wait attract`},
	{"a declaration that is not made", `
		scan pieter
		tap continue
		tap accept
		tap not-sure
		wait see-host
		tap cancel
		wait attract`},
	{"the rules are not accepted", `
		swipe sibusisiwe
		tap continue
		tap decline
		trouble not-accepted
		show not-accepted
		tap cancel
		wait attract`},
	{"no paper", `
		swipe thandi
		tap continue
		tap accept
		tap yes
		wait offer
		paper out
		tap take
		trouble printer-not-ready
		show printer-not-ready
		paper full
		tap cancel
		wait attract`},
	{"a printer that does not answer", `
		swipe thandi
		tap continue
		tap accept
		tap yes
		wait offer
		mute after 200 bytes
		tap take
		wait unconfirmed
		show unconfirmed
		printer well
		tap again
		wait done
		show done-after-reprint
		tap done
		wait attract`},
	{"central is away", `
		wait alone
		central stop
		swipe thandi
		wait greeting
		tap continue
		tap accept
		tap yes
		tap take
		wait done
		show done-central-away
		tap done
		wait attract
		swipe nomsa
		trouble no-entries
		receipt lindiwe
		trouble central-away
		show central-away
		tap cancel
		wait attract
		central start
		wait ready`},
	{"no readers", `
		unplug card
		unplug scanner
		out reader-fault
		show attract-no-readers
		plug card
		plug scanner
		wait ready`},
	{"a heat is closed in front of her", `
		swipe sibusisiwe
		tap continue
		tap accept
		tap yes
		wait offer
		close heat
		trouble closed
		show closed
		tap cancel
		wait attract`},
	{"no seat is left", `
		machines out
		wait full
		show attract-full
		swipe sibusisiwe
		trouble heats-full
		show heats-full
		tap cancel
		wait attract
		machines in
		wait free`},
	{otherLanguages, `
		tap language en
		tap language af
		look af
		show attract-af
		tap language zu
		look zu
		show attract-zu
		tap cancel
		look plain`},
	{"out of service", `
		revoke kiosk
		out out-of-service
		show attract-out-of-service
		swipe thandi
		trouble out-of-service
		show out-of-service`},
}
