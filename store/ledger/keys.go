package ledger

import (
	"encoding/hex"
	"fmt"

	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
)

// Every key of the books, by its first letter. Parts are separated by '/'; numbers and times are decimal with leading
// zeros, so that the order of the keys is theirs; hashes are hexadecimal. A commit writes each page that it changes, and
// those that lead there: what one act writes lies together where it can.
//
// What cannot be derived:
//
//	e/SEQUENCE                          the event (20 digits)
//	w/OWNER                             the wrapped key of a person, member, exclusion or purchase. It lies outside the
//	                                    events: to delete it makes what is sealed with it unreadable for good.
//	V/OWNER                             the wrapped key of a draw's secret or of an operator's PIN, which only central has
//
// What the events add up to, and Replay restores:
//
//	e0                                  sequence and time of the last event; right behind the events, on their last page
//	p/PERSON                            person
//	z/PERSON                            identity of this person, sealed
//	i/HASH                              person who has this identity, passport or document number
//	b/HASH                              persons with this name and birth date
//	m/MEMBER                            member
//	M/HASH                              member with this member number
//	c/HASH                              member with this card
//	v/HASH                              verified member with this identity or passport number
//	x/REFERENCE                         exclusion
//	P/PURCHASE                          purchase
//	r/HASH                              purchase with this receipt number
//	X/NUMBER                            purchase with this number of another cash register
//	E/ENTRY                             entry
//	o/PERSON                            unused entries of this person, in the order in which they are used up
//	o/PERSON/HEAT                       seat of this person in the heat
//	o/PERSON/HEAT/PLACE                 seat of this person in the heat of a final stage, for this place (5 digits)
//	h/HEAT                              heat: machines taken, moved, cancelled. Without a record it is as defined.
//	h/HEAT/MACHINE                      seat on this machine of the heat
//	H/HEAT                              heat that was moved or added: its start
//	S/SEAT                              seat with its copies
//	t/TICKET                            seat of this ticket number
//	N/TICKET                            person who was checked in with this ticket before its kiosk had reported it
//	q/HEAT/SEAT                         what was typed as the score of this seat
//	a/STAGE/POINTS/SEAT                 player of a score that counts; points count down from the greatest number (19 digits)
//	A/STAGE/SEAT                        cards drawn for this score in ties
//	B/LIST                              declared list
//	D/LIST/HEAT                         draw of a list's seats; of an additional heat, or without one
//	W/PLACE                             prize that was handed out (5 digits)
//	K/DAY/SEQUENCE                      movement of money, on its gaming day
//	R/REFUND                            refund that was authorised
//	O/OPERATOR                          operator of this name
//	u                                   machines taken out of service or put back
//	C/CASE                              case
//	d/SUBJECT                           open case about this subject
//	f/KIOSK                             kiosk, desk or revoked operator of this name
//	y/CODE                              enrolment code with this id
//	L                                   version of the exclusion list in use (8 bytes)
//	F                                   version of the list of homes (8 bytes)
//	F/VERSION                           kiosks on that version of the list (20 digits)
//	G                                   which kiosks may still use which version of the list
//	g/KIOSK                             what is granted to this kiosk
//	T/TICKET                            kiosk to which this ticket number was granted, unless reported or given back
//	l/KIOSK/PERSON                      whether this kiosk lets the person go
//	and the changes of the exclusion list, under the keys of store/exclusion
//
// What is about delivery and no part of the books:
//
//	k/ENROLMENT                         how far the sender has settled
//	k/ENROLMENT/SEQUENCE                kept answer
//
// Other packages keep theirs under other letters.
const (
	prefixEvent     = "e/"
	prefixKey       = "w/"
	prefixLast      = "e0"
	prefixPerson    = "p/"
	prefixIdentity  = "z/"
	prefixNumber    = "i/"
	prefixNamed     = "b/"
	prefixMember    = "m/"
	prefixMemberNo  = "M/"
	prefixCard      = "c/"
	prefixVerified  = "v/"
	prefixExclusion = "x/"
	prefixPurchase  = "P/"
	prefixReceipt   = "r/"
	prefixExternal  = "X/"
	prefixEntry     = "E/"
	prefixUnused    = "o/"
	prefixHeat      = "h/"
	prefixMoved     = "H/"
	prefixSeat      = "S/"
	prefixTicket    = "t/"
	prefixMachines  = "u"
	prefixCase      = "C/"
	prefixSubject   = "d/"
	prefixKiosk     = "f/"
	prefixCode      = "y/"
	prefixList      = "L"
	prefixHomes     = "F"
	prefixUses      = "G"
	prefixGrant     = "g/"
	prefixLetting   = "l/"
	prefixAnswer    = "k/"

	prefixGrantedTicket = "T/"
	prefixAdmitted      = "N/"
	prefixScore         = "q/"
	prefixRank          = "a/"
	prefixCards         = "A/"
	prefixDeclared      = "B/"
	prefixDraw          = "D/"
	prefixSecret        = "V/"
	prefixPrize         = "W/"
	prefixCash          = "K/"
	prefixRefund        = "R/"
	prefixOperator      = "O/"
)

func eventKey(sequence uint64) []byte {
	return fmt.Appendf(make([]byte, 0, 24), "%s%020d", prefixEvent, sequence)
}

func answerKey(enrolment string, sequence uint64) []byte {
	return fmt.Appendf(make([]byte, 0, 64), "%s%s/%020d", prefixAnswer, enrolment, sequence)
}

func settledKey(enrolment string) []byte { return join(prefixAnswer, enrolment) }

func hashKey(prefix string, hash vault.Hash) []byte {
	return hex.AppendEncode(append(make([]byte, 0, 40), prefix...), hash[:])
}

func takenKey(heat tournament.HeatID, machine int) []byte {
	return fmt.Appendf(make([]byte, 0, 48), "%s%s/%05d", prefixHeat, heat, machine)
}

func seatedKey(person tournament.PersonID, heat tournament.HeatID) []byte {
	return append(append(join(prefixUnused, string(person)), '/'), heat...)
}

func placedKey(person tournament.PersonID, heat tournament.HeatID, place int) []byte {
	return fmt.Appendf(seatedKey(person, heat), "/%05d", place)
}

// join makes a key of a prefix and a name, with room for what may follow.
func join(prefix, name string) []byte {
	key := make([]byte, 0, len(prefix)+len(name)+64)
	return append(append(key, prefix...), name...)
}

// after is the end of the range of all keys that start with the prefix.
func after(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	end[len(end)-1]++
	return end
}
