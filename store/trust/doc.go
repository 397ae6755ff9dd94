// Package trust says who is who between central and the kiosks that speak to it: central's own certificate authority,
// one-time codes by which a kiosk is enrolled, certificates with a name and a role, and TLS 1.3 for both sides.
// What is called a kiosk here is whatever has a certificate: a kiosk, a desk, an operator's command line.
//
// # Certificates
//
// Central is its own authority (X.509, RFC 5280; ECDSA on P-256, FIPS 186-5), and nobody else's certificate counts. The
// authority is made once, at reelctl init; its key lies in the data folder sealed under a key derived from the keys file, so
// that neither a copy of the folder nor the keys alone can make certificates.
//
// A kiosk's certificate names it and its role in one URI (RFC 5280, section 4.2.1.6), such as
// "reelkiosk:kiosk/kiosk-3". It lives for 30 days (Lifetime) and is renewed, with the same key, once two thirds of that are
// over. Central's own certificates and keys live in its memory alone; besides central's names they have one that all
// centrals have, CentralName, by which clients know them whatever the address is.
//
// # Time
//
// A handshake does not look at dates. A kiosk whose clock was reset could otherwise never ask for the right time, and a
// central in the wrong year could not be told so (design decision 9). A client's certificate is held against central's clock
// on every call (Peer.Expired), while that clock is believed; a server's is short-lived only because its key is.
//
// # Enrolment
//
// A technician types a code of 80 random bits on the kiosk. It never crosses the network: HKDF-SHA-256 (RFC 5869) makes
// of it an id, which does, and a key for each side. The kiosk sends its certificate request (PKCS #10, RFC 2986) with an
// HMAC-SHA-256 (RFC 2104) over it, and central answers with the certificate, its authority and an HMAC over those and the
// kiosk's nonce. So neither side needs to believe the connection that this goes over: who sits in the middle can pass it
// on or not, and no more.
//
//	applicant, err := trust.NewApplicant(code, enrolment, rand.Reader)
//	answer := … // applicant.Request() posted to wire.PathEnrolments
//	identity, err := applicant.Accept(answer) // wraps ErrImposter where central does not know the code
//	err = identity.Save(path)
//
// # Files
//
// An identity is one PEM file (RFC 7468) that only its owner reads: the certificate, the authority's, and the key. It is
// replaced whole. Bearer keeps one in use while it is renewed.
package trust
