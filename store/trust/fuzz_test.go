package trust

import (
	"errors"
	"net/url"
	"testing"

	"reelkiosk/store/wire"
)

// FuzzParseRequest gives central what anybody on the network may send as a certificate request.
func FuzzParseRequest(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(newApplicant(f, newCode(f)).Request().Request)
	f.Fuzz(func(t *testing.T, der []byte) {
		request, err := ParseRequest(der)
		if (err == nil) != (len(request.Key) == 64) || err != nil && !errors.Is(err, ErrRequest) {
			t.Errorf("got %+v, %v", request, err)
		}
	})
}

// FuzzParseURI reads the names in certificates.
func FuzzParseURI(f *testing.F) {
	for _, seed := range []string{"reelkiosk:kiosk/kiosk-3", "reelkiosk://kiosk/kiosk-3", "reelkiosk:desk/a/b", "reelkiosk:operator/", "x:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		uri, err := url.Parse(text)
		if err != nil {
			return
		}
		role, name, err := parseURI(uri)
		if err == nil && (ParseName(name) != nil || !validRole(role) || makeURI(role, name).String() != uri.String()) {
			t.Errorf("%q became %s %q", text, role, name)
		}
	})
}

// FuzzAccept gives a kiosk what anybody on the network may answer to it.
func FuzzAccept(f *testing.F) {
	authority, code := newAuthority(f), newCode(f)
	applicant := newApplicant(f, code)
	good := enrolled(f, authority, code, applicant.Request())
	f.Add(good.Authority, good.Certificate, good.Proof)
	f.Fuzz(func(t *testing.T, authority, certificate, proof []byte) {
		identity, err := applicant.Accept(wire.Enrolled{Authority: authority, Certificate: certificate, Proof: proof})
		if err == nil && identity.Name != "kiosk-3" {
			t.Errorf("became %+v", identity.Peer)
		}
	})
}

// FuzzParseIdentity reads an identity's file, which a power cut or a hand may have spoilt.
func FuzzParseIdentity(f *testing.F) {
	identity, err := newAuthority(f).NewIdentity("kiosk-3", wire.RoleKiosk, noon)
	if err != nil {
		f.Fatal(err)
	}
	text, err := identity.text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		if identity, err := parseIdentity(text); err == nil && ParseName(identity.Name) != nil {
			t.Errorf("got %+v", identity.Peer)
		}
	})
}
