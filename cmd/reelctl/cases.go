package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

type casesCommand struct {
	All  bool `help:"Also those that are closed."`
	JSON bool `help:"Print JSON instead of words."`
}

// Run lists what somebody has to decide, each with what happened, what it rests on, and what to do.
func (c *casesCommand) Run(around *surroundings) error {
	from, err := around.client()
	if err != nil {
		return err
	}
	defer from.Close()
	cases, err := from.Cases(around.ctx)
	if err != nil {
		return err
	}
	open := cases.Cases[:0]
	for _, one := range cases.Cases {
		if c.All || !one.Closed {
			open = append(open, one)
		}
	}
	cases.Cases = open
	if c.JSON {
		return around.print(cases)
	}
	for i, one := range cases.Cases {
		if i > 0 {
			fmt.Fprintln(around.stdout)
		}
		showCase(around.stdout, one)
	}
	if len(cases.Cases) == 0 {
		fmt.Fprintln(around.stderr, "reelctl: there is nothing to decide")
	}
	return nil
}

// caseWords are what happened, and what to do.
type caseWords struct{ what, do string }

// kindsOfCases has the words of each kind of case (store/ledger).
var kindsOfCases = map[ledger.CaseKind]caseWords{
	ledger.CaseMismatch: {"A card was shown together with a document of somebody else",
		"Look at the person, the card and the document. Keep the card if it is not theirs."},
	ledger.CasePossibleMatch: {"Name and birth date are those of an exclusion; the number is not",
		"Compare the document with the paper of the exclusion, and decide whether it is the same person."},
	ledger.CasePossibleDouble: {"Two persons in the books may be one",
		"Compare both. If they are one person, have them merged."},
	ledger.CaseConnected: {"A player declared to be connected to the company, or was not sure",
		"Ask the player how, by clause 3, and decide."},
	ledger.CaseClaim: {"A receipt was claimed by somebody who may not play, or to whom it does not belong",
		"Ask for the receipt and a document, and decide whose the entries are."},
	ledger.CaseExcluded: {"Somebody with seats or entries is excluded",
		"Take the ticket back. Decide whether the entries that are held are refunded or forfeit, by clause 2."},
	ledger.CasePurchase: {"A purchase was made for somebody who may not play; its entries are held",
		"Decide whether it is refunded."},
	ledger.CaseCopy: {"A ticket that was given up as never printed was reported as printed",
		"Find the paper. If there are two, keep the one with the highest copy number."},
	ledger.CaseMachine: {"A machine is out of service on which seats are issued",
		"Before the start, give its players another machine, by clause 20."},
	ledger.CaseHeat: {"A heat was moved in which seats are issued",
		"Tell the players. Whose window or other seat clashes gets another heat, by clause 10."},
	ledger.CaseCloned: {"There were two kiosks with one identity; central refuses both",
		"Find both. Enrol the right one anew, and look into how the other came to be."},
	ledger.CaseCancelled: {"A seat was given in a heat that had been cancelled",
		"Tell the player. The entry goes to a later heat or is refunded, by clause 10."},
	ledger.CaseTwice: {"Something was given twice: a machine, an entry, or a second seat of one player in a heat",
		"Compare both tickets. The first seat keeps it; find the other player another seat, or refund."},
	ledger.CaseUnreported: {"A ticket was checked in that a kiosk was granted and has not reported",
		"It was admitted against the document. When the kiosk is back, see that its report says the same."},
	ledger.CaseUnprinted: {"A holder was absent at the start, and the ticket was never confirmed as printed",
		"Decide whether it is a no-show: perhaps there never was a ticket. Clause 22."},
	ledger.CaseUnplaced: {"After a malfunction no later heat had a seat",
		"Refund the entry, by clause 20; in the finals add a heat, by clause 21."},
	ledger.CaseScore: {"A score is doubtful: the seat was never checked in, or the two who typed it differ",
		"Read the machine's meter again, and enter the score that stands."},
	ledger.CaseList: {"Something was found about a list that the director has declared",
		"Before the draw the next in rank moves up; after it the seat stays empty. Clause 14."},
	"operator-locked": {"An operator is locked, after too many false tries",
		"Ask who it was, and unlock the operator or make another."},
}

// showCase says what somebody has to decide.
func showCase(to io.Writer, one wire.Case) {
	state := "open"
	if one.Closed {
		state = "closed"
	}
	fmt.Fprintf(to, "%s  %s  %s  case %s\n", one.Opened.Format(moment), one.Kind, state, one.ID)
	words, known := kindsOfCases[ledger.CaseKind(one.Kind)]
	var evidence ledger.Evidence
	if json.Unmarshal([]byte(one.Detail), &evidence) != nil || !known {
		fmt.Fprintf(to, "  %s\n", one.Detail) // of another central's making
		return
	}
	fmt.Fprintf(to, "  %s.\n", words.what)
	for _, said := range alone(evidence) {
		fmt.Fprintf(to, "  %s.\n", said)
	}
	if rests := restsOn(one, evidence); rests != "" {
		fmt.Fprintf(to, "  %s\n", rests)
	}
	fmt.Fprintf(to, "  Do: %s\n", words.do)
}

// alone says what a kiosk did while it was cut off, and what was done meanwhile.
func alone(e ledger.Evidence) (said []string) {
	if e.Kiosk == "" {
		return nil
	}
	text := e.Kiosk + " gave the seat while it was cut off"
	if !e.Issued.IsZero() {
		text += ", at " + e.Issued.Format("15:04:05") + " by its time"
	}
	if e.Known > 0 {
		text += fmt.Sprintf(", knowing the books up to event %d", e.Known)
	}
	said = append(said, text)
	if e.Overridden {
		said = append(said, "A host had acted for the player in its place")
	}
	return said
}

// restsOn lists what a case rests on, by ids: nothing says who somebody is.
func restsOn(one wire.Case, e ledger.Evidence) string {
	var parts []string
	add := func(name string, values ...string) {
		if text := strings.Join(values, ", "); text != "" {
			parts = append(parts, name+" "+text)
		}
	}
	add("person", string(one.Person))
	add("and person", string(e.Other))
	add("membership", string(e.Member))
	add("heat", string(e.Heat))
	if e.Machine > 0 {
		add("machine", fmt.Sprint(e.Machine))
	}
	add(plural("seat", len(e.Seats)), texts(e.Seats)...)
	add(plural("entry", len(e.Entries)), texts(e.Entries)...)
	add("purchase", string(e.Purchase))
	if e.Copy > 0 {
		add("copy", fmt.Sprint(e.Copy))
	}
	add("reason", string(e.Reason))
	add("reference", e.Reference)
	if e.Said != "" {
		add("it was said:", e.Said)
	}
	return strings.Join(parts, "; ")
}

func plural(name string, count int) string {
	switch {
	case count == 1:
		return name
	case strings.HasSuffix(name, "y"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}

func texts[S ~string](values []S) (texts []string) {
	for _, value := range values {
		texts = append(texts, string(value))
	}
	return texts
}
