package wire

import (
	"strings"
	"time"
)

// HeaderInstance carries the number of the sender's start, which it drew when it started. Two live kiosks with one
// identity are told apart by it.
const HeaderInstance = "Reelkiosk-Instance"

// OfKiosk reports whether the first half of a request key is a kiosk's or a desk's: 26 letters and digits as store/replica
// draws them. No operator's is.
func OfKiosk(enrolment string) bool {
	return len(enrolment) == 26 && strings.Trim(enrolment, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// Role is what a certificate's owner is, and so which calls are allowed to it.
type Role string

// The roles.
const (
	// RoleKiosk is a kiosk that players touch.
	RoleKiosk Role = "kiosk"
	// RoleDesk is a desk with hosts at it: a Cash Desk, a check-in desk.
	RoleDesk Role = "desk"
	// RoleOperator is an operator's command line.
	RoleOperator Role = "operator"
)

// NewCode is the body of POST /v1/codes: a one-time code by which a kiosk is enrolled.
type NewCode struct {
	Kiosk    string `json:"kiosk" pattern:"^[A-Za-z0-9][A-Za-z0-9-]{0,31}$" doc:"the name that the kiosk will have"`
	Role     Role   `json:"role" enum:"kiosk,desk"`
	Operator string `json:"operator" minLength:"1" maxLength:"100"`
}

// Code answers NewCode.
type Code struct {
	Code  string    `json:"code" doc:"17 symbols, to be typed on the kiosk"`
	Until time.Time `json:"until" doc:"end of its time, not included"`
	// Replaces says that a kiosk of that name is enrolled already and will be let go by this one.
	Replaces bool `json:"replaces"`
}

// Enrol is the body of POST /v1/enrolments. The code itself is not in it: see store/trust for what is.
type Enrol struct {
	Code      string `json:"code_id" pattern:"^[0-9a-f]{32}$" doc:"which code, derived from it"`
	Nonce     []byte `json:"nonce"`
	Enrolment string `json:"enrolment" pattern:"^[a-z2-7]{26}$" doc:"the first half of the kiosk's request keys"`
	Request   []byte `json:"certificate_request" doc:"PKCS #10, DER"`
	Proof     []byte `json:"proof" doc:"that the sender knows the code"`
}

// Enrolled answers Enrol.
type Enrolled struct {
	Authority   []byte `json:"authority" doc:"central's certificate authority, X.509, DER"`
	Certificate []byte `json:"certificate" doc:"the kiosk's, X.509, DER"`
	Proof       []byte `json:"proof" doc:"that central knows the code"`
}

// Renewed answers POST /v1/certificate: the caller's certificate with a new end.
type Renewed struct {
	Certificate []byte `json:"certificate" doc:"X.509, DER"`
}

// Hello is the body of POST /v1/hello, which a kiosk says once after each start, and again until it is answered.
type Hello struct {
	Instance  string `json:"instance" pattern:"^[a-z2-7]{26}$" doc:"drawn at the start; also in Reelkiosk-Instance from then on"`
	Boot      string `json:"boot_id" pattern:"^[0-9a-f-]{36}$" doc:"boot_id of random(4)"`
	Version   string `json:"version" maxLength:"100"`
	Enrolment string `json:"enrolment,omitempty" pattern:"^[a-z2-7]{26}$" doc:"the first half of its request keys; none where its file cannot be used"`
	Holds     []byte `json:"holds,omitempty" doc:"proof that the sender still has the keys, if it has"`
}

// Welcome answers Hello. Its keys are kept in memory and never on a disk (design decision 6).
type Welcome struct {
	Lookup []byte `json:"lookup_key"`
	Floor  []byte `json:"floor_key"`
	Number uint32 `json:"floor_number" doc:"which floor key it is"`
	// Sequence is that of the last event in the books.
	Sequence   uint64    `json:"sequence"`
	ServerTime time.Time `json:"server_time"`
}

// KioskState is what has become of a kiosk's enrolment.
type KioskState string

// The states of a kiosk.
const (
	// KioskEnrolled: it may speak.
	KioskEnrolled KioskState = "enrolled"
	// KioskWaiting: it may speak, but gets no keys until a technician approves.
	KioskWaiting KioskState = "waiting"
	// KioskRevoked: an operator took its right to speak.
	KioskRevoked KioskState = "revoked"
	// KioskRetired: it is out of use for good.
	KioskRetired KioskState = "retired"
	// KioskCloned: two live kiosks had its identity, and both are refused.
	KioskCloned KioskState = "cloned"
)

// Kiosk is a kiosk that is, or was, enrolled, in GET /v1/kiosks.
type Kiosk struct {
	Name     string     `json:"name"`
	Role     Role       `json:"role"`
	State    KioskState `json:"state"`
	Version  string     `json:"version,omitempty" doc:"of its program, at its last start"`
	Enrolled time.Time  `json:"enrolled"`
	// Started is when it last said hello, Contact when it last called.
	Started time.Time `json:"started,omitzero"`
	Contact time.Time `json:"contact,omitzero"`
	// Granted counts machines that it may give, or has given without having reported it.
	Granted int    `json:"granted"`
	Why     string `json:"why,omitempty" doc:"why it was revoked or retired"`
	// Health is the last that it said of itself, at Told; nil where it never did.
	Health *KioskHealth `json:"health,omitempty"`
	Told   time.Time    `json:"told,omitzero"`
}

// Kiosks answers GET /v1/kiosks, by name.
type Kiosks struct {
	Kiosks     []Kiosk   `json:"kiosks"`
	ServerTime time.Time `json:"server_time"`
	// Central is what is less than well with central itself, the worst first.
	Central []Condition `json:"central"`
}

// KioskDecision is the body of POST /v1/kiosks/{name}/revoke, /retire and /approve.
type KioskDecision struct {
	Operator string `json:"operator" minLength:"1" maxLength:"100"`
	Why      string `json:"why,omitempty" maxLength:"500" doc:"needed to revoke and to retire"`
}
