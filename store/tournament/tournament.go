// Package tournament is the vocabulary of a slot tournament and the rules that need nothing but their arguments: dates
// and ages, windows of entries, the order of machines, the life of an entry and of a seat, ticket and receipt numbers,
// and every reason for which somebody is refused.
//
// Nothing here is stored, read or timed: a function that depends on the moment is given the moment. Clauses are those of
// the published rules. The packages that keep the books (store/ledger) and those that show them (kiosk/...) speak in
// these types, so that a rule is written once and holds wherever it is asked.
package tournament

import (
	"time"
)

// Tournament is one tournament as its definition gives it, with every default filled in (store/definition reads it).
// What changes while it runs (a heat moved, a machine out of service) is in the books, not here.
type Tournament struct {
	// ID names the tournament in addresses and files: lower-case letters, digits and hyphens.
	ID string
	// Name is what players read; Property is the house.
	Name, Property string
	// Zone is where heats start, windows end and ages are counted (design decision 9).
	Zone *time.Location
	// First and Last are the first and the last day of the period, both included.
	First, Last Date
	// Rules holds every configurable value of the rules.
	Rules Rules
	// Machines lists the machines in the order in which they are given out (clause 11).
	Machines []Machine
	// Stages lists the stages in the order in which they are played.
	Stages []Stage
	// Text holds the published rules that a player accepts.
	Text RulesText
}

// Rules are the configurable values of the rules; the clause of each is in its comment.
type Rules struct {
	// MinAge is the age in whole years that must be reached (clause 1).
	MinAge int
	// CardSuffices says when a Rewards card alone identifies its holder (clause 4).
	CardSuffices CardPolicy
	// SeatPrice is the price of one seat by buy-in (clause 5).
	SeatPrice Money
	// Packages are the entry packages on offer (clause 6), by name.
	Packages []Package
	// PackagesCashOnly says that packages cannot be paid by card (clause 6).
	PackagesCashOnly bool
	// Window says how long an entry may be used (clauses 5 to 8).
	Window WindowPolicy
	// GamingDayStarts is the time of day at which a gaming day begins, as minutes after midnight (clauses 5 to 8).
	GamingDayStarts TimeOfDay
	// OpensBefore and ClosesBefore say how long before a heat's scheduled start its registration opens and closes
	// (clause 11).
	OpensBefore, ClosesBefore time.Duration
	// HeatLength is how long a heat holds its machines (clause 11).
	HeatLength time.Duration
	// SemiFinalPlaces is the number of places that clause 14 fills; FinalPlaces is the quota of clause 17.
	SemiFinalPlaces, FinalPlaces int
	// PlacesPerPlayer limits the places one player may hold; 0 is no limit (clause 14).
	PlacesPerPlayer int
	// SuitsCount says that the suit decides between equal cards (clause 19).
	SuitsCount bool
	// ScoresTwice says that each score is typed by two people (clause 12).
	ScoresTwice bool
	// Prizes are the advertised minimums of the final, by rank from the first (clause 15).
	Prizes []Money
	// FICAThreshold is the prize from which the full identification is asked for.
	FICAThreshold Money
	// GrantShare is the part of a heat's machines, in percent, granted to kiosks for use while they are cut off.
	GrantShare int
	// GrantLives is how long a kiosk may use a grant, counted from the sending of the request for it; GrantMargin is how
	// long before a heat's closing its granted machines go back.
	GrantLives, GrantMargin time.Duration
	// ExclusionsMaxAge is how old a kiosk's exclusion list may be before it gives no seats.
	ExclusionsMaxAge time.Duration
}

// CardPolicy says when a card alone identifies its holder (clause 4).
type CardPolicy string

const (
	// CardVerified lets a card suffice where the member's identity was verified before.
	CardVerified CardPolicy = "verified"
	// CardNever asks for a document every time.
	CardNever CardPolicy = "never"
)

// Money is an amount in the smallest unit of a currency. Tournament credits are points and never Money (clause 18).
type Money struct {
	// Cents is the amount in hundredths of the currency.
	Cents int64 `json:"cents"`
	// Currency is the ISO 4217 code, ZAR by default.
	Currency string `json:"currency"`
}

// Package is an entry package (clause 6).
type Package struct {
	// Name identifies the package at the Cash Desk.
	Name string
	// Price is what it costs; Seats is how many entries it holds.
	Price Money
	Seats int
	// Credit is its casino-credit part, for Rewards members only; SeatValue is what one unused seat is refunded at.
	Credit, SeatValue Money
}

// Machine is one slot machine of the tournament.
type Machine struct {
	// Number is what stands on the machine and, largest, on the ticket.
	Number int
	// Asset is the casino's asset number; Place says where it stands, for players.
	Asset, Place string
	// OutOfService says that the definition has it out of service from the start.
	OutOfService bool
}

// StageKind is a part of the tournament.
type StageKind string

const (
	// Qualifying is the stage that entries are bought for; one seat per heat and player (clause 16).
	Qualifying StageKind = "qualifying"
	// SemiFinal and Final are played by those who advanced (clauses 14 and 17); seats are drawn.
	SemiFinal StageKind = "semi-final"
	// Final is the last stage.
	Final StageKind = "final"
)

// Stage is one stage with its heats in the order of their start.
type Stage struct {
	Kind StageKind
	// Size is the number of seats of a heat; machines beyond it in the order stay unused.
	Size int
	// Heats are in order of their scheduled start and never overlap on the same machines (clause 11).
	Heats []Heat
}

// HeatID names a heat within its tournament: stage, gaming day and number, as in "qualifying-2026-11-30-14".
type HeatID string

// Heat is one scheduled heat.
type Heat struct {
	ID    HeatID
	Stage StageKind
	// Day is the gaming day it belongs to; Number counts the heats of the stage on that day from 1 and is what players
	// are told.
	Day    Date
	Number int
	// Start is the scheduled start, in the tournament's zone.
	Start time.Time
	// Size is the number of seats.
	Size int
}

// Opens returns the moment at which registration for the heat opens (clause 11).
func (h Heat) Opens(rules Rules) time.Time { return h.Start.Add(-rules.OpensBefore) }

// Closes returns the moment from which nothing but a replacement gets in (clause 11): the moment itself is closed.
func (h Heat) Closes(rules Rules) time.Time { return h.Start.Add(-rules.ClosesBefore) }

// GrantEnds returns the moment from which no kiosk gives a machine that was granted to it: the moment itself is too late.
func (h Heat) GrantEnds(rules Rules) time.Time { return h.Closes(rules).Add(-rules.GrantMargin) }

// RulesText is the published text of the rules (clauses 25 and 27).
type RulesText struct {
	// Version counts the published texts from 1; Hash is the SHA-256 of the text, in hexadecimal.
	Version int
	Hash    string
	// Body is the text, UTF-8, clauses separated by an empty line.
	Body string
}

// TimeOfDay is a wall-clock time in minutes after midnight, 0 to 1439.
type TimeOfDay int

// IDs are random (128 bits, lower-case base32) and say nothing of whom or what they name.
type (
	// PersonID names one human in the books (design decision 1).
	PersonID string
	// PurchaseID names an Entry Purchase.
	PurchaseID string
	// EntryID names one entry: one seat paid for.
	EntryID string
	// SeatID names one seat in one heat.
	SeatID string
	// CaseID names something that a person has to decide.
	CaseID string
)

// EntryKind says how an entry was paid for (clauses 5 and 6).
type EntryKind string

const (
	// CashBuyIn and CardBuyIn are single seats bought at the seat price.
	CashBuyIn EntryKind = "cash"
	// CardBuyIn is paid by bank card.
	CardBuyIn EntryKind = "card"
	// PackageBuyIn is a seat of an entry package.
	PackageBuyIn EntryKind = "package"
	// Complimentary is a single seat that the casino pays for.
	Complimentary EntryKind = "complimentary"
)

// EntryState is where an entry is in its life (rules.md). Whether an unused entry has expired is computed, not stored.
type EntryState string

// The states of an entry.
const (
	EntryUnused    EntryState = "unused"
	EntrySeated    EntryState = "seated"
	EntryPlayed    EntryState = "played"
	EntryForfeited EntryState = "forfeited"
	EntryReplaced  EntryState = "replaced"
	EntryRefunded  EntryState = "refunded"
	EntryReversed  EntryState = "reversed"
	EntryHeld      EntryState = "held"
)

// SeatState is where a seat is in its life (rules.md).
type SeatState string

// The states of a seat.
const (
	SeatIssued      SeatState = "issued"
	SeatCheckedIn   SeatState = "checked-in"
	SeatPlayed      SeatState = "played"
	SeatVoid        SeatState = "void"
	SeatForfeited   SeatState = "forfeited"
	SeatMalfunction SeatState = "malfunction"
)

// CopyState is what is known of one printing of a seat's ticket (design decision 5).
type CopyState string

// The states of a copy.
const (
	CopyIntended    CopyState = "intended"
	CopyPrinted     CopyState = "printed"
	CopyUnconfirmed CopyState = "unconfirmed"
	CopyLost        CopyState = "lost"
	CopyVoid        CopyState = "void"
)
