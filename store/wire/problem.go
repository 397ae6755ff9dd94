package wire

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"reelkiosk/store/tournament"
)

// ProblemBase precedes a tournament.Reason, or one of the Problem constants, in a problem's type. It is a name and no
// address: nothing is served there.
const ProblemBase = "https://reelkiosk.invalid/problems/"

// The problems that are no refusal by the rules; each follows ProblemBase in the type.
const (
	// ProblemInvalid (400, 422): the request is malformed; Places says where.
	ProblemInvalid = "invalid-request"
	// ProblemTooLarge (413): the body is over the operation's limit.
	ProblemTooLarge = "too-large"
	// ProblemNotFound (404) and ProblemMethod (405): the API has no such path, or not with this method.
	ProblemNotFound = "not-found"
	// ProblemMethod (405): see ProblemNotFound.
	ProblemMethod = "method-not-allowed"
	// ProblemHost (421): the request was addressed to another host than the one central listens on.
	ProblemHost = "misdirected"
	// ProblemRows (422): an import has faulty rows; Rows lists them and nothing was done.
	ProblemRows = "rows-refused"
	// ProblemImport (404): there is no such import; it was cut off, given up, or done.
	ProblemImport = "unknown-import"
	// ProblemFull (507): there is no room on central's disk; nothing was done.
	ProblemFull = "disk-full"
	// ProblemInternal (500): a fault of central itself; nothing was done.
	ProblemInternal = "internal"

	// ProblemBusy (503): too many requests are waiting; nothing was done.
	ProblemBusy = "busy"
	// ProblemStopping (503): central is being stopped and takes no new requests; nothing was done.
	ProblemStopping = "stopping"
	// ProblemNotWriter (503): this central may not write at present; nothing was done.
	ProblemNotWriter = "not-writer"
	// ProblemHello (503): the caller has to say hello before anything else; nothing was done.
	ProblemHello = "hello-first"
	// ProblemUnknown (503): the disk did not confirm; whether the act was done is not known. The same request with the same
	// key finds out.
	ProblemUnknown = "unknown-outcome"
)

// Problem is the body of an answer that is no success (RFC 9457, application/problem+json). It is an error.
type Problem struct {
	// Type is ProblemBase and the reason: what programs go by.
	Type string `json:"type" format:"uri" doc:"https://reelkiosk.invalid/problems/ and a tournament reason or the name of the problem; stable"`
	// Title says it for people; Status repeats the HTTP status; Detail says more.
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	// Clause and Until are those of tournament.Refusal.
	Clause int        `json:"clause,omitempty" doc:"clause of the rules that the refusal rests on"`
	Until  *time.Time `json:"until,omitempty" doc:"the moment that matters: the end of a window, the closing of registration"`
	// Places says what is wrong with a malformed request.
	Places []Place `json:"places,omitempty"`
	// Rows says what is wrong with the rows of an import.
	Rows []RowProblem `json:"rows,omitempty"`
	// Request is central's number of the request, which its log also has.
	Request string `json:"request,omitempty"`
	// Padding makes the refusals that share the host's screen equally long, so that nobody on the line tells them apart.
	Padding string `json:"padding,omitempty"`
}

// Place is one mistake in a request.
type Place struct {
	// Where is a path such as "body.document.birth_date"; it never holds a value.
	Where string `json:"where"`
	// What says what is wrong there.
	What string `json:"what"`
}

// paddedReason is the length that the reasons which share the host's screen are padded to; it exceeds the longest.
const paddedReason = 24

// NewProblem returns the problem of that kind, one of the Problem constants.
func NewProblem(kind string, status int, title string) *Problem {
	return &Problem{Type: ProblemBase + kind, Title: title, Status: status}
}

// OfRefusal returns the problem that tells a refusal. Those reasons that share the host's screen give problems that
// differ in nothing but the type: same title, same length, and neither clause nor moment.
func OfRefusal(refusal *tournament.Refusal) *Problem {
	problem := NewProblem(string(refusal.Reason), refusalStatus(refusal.Reason), "The rules do not allow this")
	if refusal.Reason.Distrusts() {
		problem.Title = "Central does not let this kiosk in, or not to do this"
	}
	if refusal.Reason.SeesHost() {
		problem.Title = "Please see a host"
		problem.Padding = strings.Repeat(".", max(1, paddedReason-len(refusal.Reason)))
		return problem
	}
	problem.Clause = refusal.Clause
	if !refusal.Until.IsZero() {
		until := refusal.Until
		problem.Until = &until
	}
	return problem
}

// Kind returns the type without its base: a Problem constant or a tournament.Reason. It is empty where the type is not
// one of ours.
func (p *Problem) Kind() string {
	kind, ours := strings.CutPrefix(p.Type, ProblemBase)
	if !ours {
		return ""
	}
	return kind
}

// Refusal returns the refusal that the problem tells, or nil where it tells none. A reason that this program does not
// know yet is a refusal all the same.
func (p *Problem) Refusal() *tournament.Refusal {
	switch kind := p.Kind(); kind {
	case "", ProblemInvalid, ProblemTooLarge, ProblemNotFound, ProblemMethod, ProblemHost, ProblemRows, ProblemImport,
		ProblemFull, ProblemInternal, ProblemBusy, ProblemStopping, ProblemNotWriter, ProblemHello, ProblemUnknown:
		return nil
	case ProblemSnapshot:
		return nil
	default:
		refusal := tournament.Refuse(tournament.Reason(kind), p.Clause)
		if p.Until != nil {
			refusal.Until = *p.Until
		}
		return refusal
	}
}

// Passing reports whether the same request may be sent again as it is: central was not able to take it at that moment.
func (p *Problem) Passing() bool {
	switch p.Kind() {
	case ProblemBusy, ProblemStopping, ProblemNotWriter, ProblemHello, ProblemUnknown:
		return true
	}
	return false
}

// GetStatus returns the HTTP status; with it a Problem is an answer of the API's library.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType names the format of a problem (RFC 9457, section 3).
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// Error says what is wrong and where, for logs and operators.
func (p *Problem) Error() string {
	var text strings.Builder
	text.WriteString(p.Title)
	if p.Title == "" {
		fmt.Fprintf(&text, "%d %s", p.Status, http.StatusText(p.Status))
	}
	if p.Detail != "" {
		text.WriteString(": " + p.Detail)
	}
	for _, place := range p.Places {
		fmt.Fprintf(&text, "; %s: %s", place.Where, place.What)
	}
	for _, row := range p.Rows {
		text.WriteString("; " + row.String())
	}
	return text.String()
}

// String says which line and column are wrong and why: "line 7, id_number: the check digit is wrong".
func (p RowProblem) String() string {
	if p.Column == "" {
		return fmt.Sprintf("line %d: %s", p.Line, p.Reason)
	}
	return fmt.Sprintf("line %d, %s: %s", p.Line, p.Column, p.Reason)
}

func refusalStatus(reason tournament.Reason) int {
	switch reason {
	case tournament.UnknownCard, tournament.UnknownPerson, tournament.UnknownHeat, tournament.UnknownReceipt,
		tournament.UnknownTicket, tournament.UnknownPackage, tournament.CodeUnknown, tournament.UnknownSeat, tournament.UnknownEntry,
		tournament.UnknownPurchase, tournament.UnknownRefund, tournament.UnknownExclusion, tournament.UnknownPlace, tournament.UnknownOperator:
		return http.StatusNotFound
	case tournament.KeySettled, tournament.HeatGone:
		return http.StatusGone
	case tournament.ClockSuspect:
		return http.StatusServiceUnavailable
	}
	if reason.SeesHost() || reason.Distrusts() {
		return http.StatusForbidden
	}
	return http.StatusConflict
}
