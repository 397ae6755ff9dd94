package wire

import "time"

// The paths that concern the staff. They take no key: a PIN is in none of the answers that are kept, nor in their hashes.
const (
	PathStaff   = "/v1/staff"
	PathSignIn  = "/v1/staff/sign-in"
	PathSignOut = "/v1/staff/sign-out"
)

// Duty is what an operator may do.
type Duty string

// The duties.
const (
	DutyHost       Duty = "host"
	DutyCashier    Duty = "cashier"
	DutyDirector   Duty = "director"
	DutyTechnician Duty = "technician"
)

// SetStaff is the body of POST /v1/staff: an operator begins, has other duties or another PIN, or ends.
type SetStaff struct {
	Decision
	Name   string `json:"name" minLength:"1" maxLength:"100"`
	Duties []Duty `json:"duties,omitempty" doc:"all of them; none ends the operator's work"`
	PIN    string `json:"pin,omitempty" pattern:"^[0-9]{4,12}$" doc:"4 to 12 digits; as it was if absent"`
}

// SignIn is the body of POST /v1/staff/sign-in.
type SignIn struct {
	By
	PIN string `json:"pin" minLength:"1" maxLength:"12"`
	// Decides says that it is for a decision, within a minute from now.
	Decides bool `json:"decides,omitempty" doc:"for one decision at this moment, not to work at the desk"`
}

// SignedIn answers SignIn.
type SignedIn struct {
	Operator string `json:"operator"`
	Duties   []Duty `json:"duties"`
}

// Staff answers GET /v1/staff.
type Staff struct {
	Staff []StaffMember `json:"staff"`
}

// StaffMember is one operator.
type StaffMember struct {
	Name   string    `json:"name"`
	Duties []Duty    `json:"duties"`
	Locked time.Time `json:"locked_until,omitzero" doc:"five wrong PINs"`
	Desks  []string  `json:"desks" doc:"where the operator is signed in"`
}
