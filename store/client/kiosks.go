package client

import (
	"context"
	"net/http"

	"reelkiosk/store/wire"
)

// IssueCode makes a one-time code by which a kiosk or a desk is enrolled.
func (c *Client) IssueCode(ctx context.Context, key Key, code wire.NewCode) (wire.Code, error) {
	return keyed[wire.Code](ctx, c, key, wire.PathCodes, code)
}

// Enrol sends an applicant's request (store/trust); what is answered proves itself and may come from anybody until then.
func (c *Client) Enrol(ctx context.Context, request wire.Enrol) (wire.Enrolled, error) {
	return call[wire.Enrolled](ctx, c, c.options.Timeout, http.MethodPost, wire.PathEnrolments, request)
}

// RenewCertificate asks for a new certificate for the key of the client's own.
func (c *Client) RenewCertificate(ctx context.Context) ([]byte, error) {
	renewed, err := call[wire.Renewed](ctx, c, c.options.Timeout, http.MethodPost, wire.PathCertificate, nil)
	return renewed.Certificate, err
}

// Hello says hello after a start, and returns the keys.
func (c *Client) Hello(ctx context.Context, hello wire.Hello) (wire.Welcome, error) {
	return call[wire.Welcome](ctx, c, c.options.Timeout, http.MethodPost, wire.PathHello, hello)
}

// Kiosks asks for all kiosks and desks that are or were enrolled.
func (c *Client) Kiosks(ctx context.Context) (wire.Kiosks, error) {
	return get[wire.Kiosks](ctx, c, wire.PathKiosks, nil)
}

// RevokeKiosk takes a kiosk's right to speak.
func (c *Client) RevokeKiosk(ctx context.Context, key Key, name string, decision wire.KioskDecision) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathKiosks+"/"+name+"/revoke", decision)
}

// RetireKiosk takes a kiosk out of use for good.
func (c *Client) RetireKiosk(ctx context.Context, key Key, name string, decision wire.KioskDecision) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathKiosks+"/"+name+"/retire", decision)
}

// ApproveKiosk lets a kiosk that waits have its keys.
func (c *Client) ApproveKiosk(ctx context.Context, key Key, name string, decision wire.KioskDecision) (wire.Accepted, error) {
	return keyed[wire.Accepted](ctx, c, key, wire.PathKiosks+"/"+name+"/approve", decision)
}

// Report tells how a kiosk is.
func (c *Client) Report(ctx context.Context, health wire.KioskHealth) (wire.HealthTaken, error) {
	return call[wire.HealthTaken](ctx, c, c.options.Timeout, http.MethodPost, wire.PathKioskHealth, health)
}
