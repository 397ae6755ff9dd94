package wire

// ConfirmClock is the body of POST /v1/clock/confirm: somebody looked at central's clock and says that it is right
// (design decision 9).
type ConfirmClock struct {
	Operator string `json:"operator" minLength:"1" maxLength:"100"`
	Note     string `json:"note,omitempty" maxLength:"500" doc:"why the clock had been wrong, or the books quiet"`
}

// MachineService is the body of POST /v1/machines: a machine goes out of service, or comes back (clause 20).
type MachineService struct {
	Machine  int    `json:"machine" minimum:"1" doc:"the number that stands on the machine"`
	Out      bool   `json:"out_of_service"`
	Operator string `json:"operator" minLength:"1" maxLength:"100"`
	Reason   string `json:"reason" minLength:"1" maxLength:"500"`
}
