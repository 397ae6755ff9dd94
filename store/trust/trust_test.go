package trust

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const enrolment = "abcdefghijklmnopqrstuvwxyz"

func newAuthority(t testing.TB) *Authority {
	t.Helper()
	authority, err := CreateAuthority(filepath.Join(t.TempDir(), "authority.pem"), [32]byte{1}, "Ridge", noon)
	if err != nil {
		t.Fatal(err)
	}
	return authority
}

func newCode(t testing.TB) tournament.EnrolmentCode {
	t.Helper()
	code, err := tournament.NewEnrolmentCode(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// enrolled does what central does with a request whose code it knows.
func enrolled(t testing.TB, a *Authority, code tournament.EnrolmentCode, request wire.Enrol) wire.Enrolled {
	t.Helper()
	if !SecretsOf(code).Proven(request) {
		t.Fatal("the request does not prove the code")
	}
	asked, err := ParseRequest(request.Request)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := a.Issue(asked, "kiosk-3", wire.RoleKiosk, noon)
	if err != nil {
		t.Fatal(err)
	}
	answer := wire.Enrolled{Authority: a.Certificate(), Certificate: certificate}
	answer.Proof = SecretsOf(code).Prove(request, answer)
	return answer
}

func newApplicant(t testing.TB, code tournament.EnrolmentCode) *Applicant {
	t.Helper()
	applicant, err := NewApplicant(code, enrolment, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return applicant
}

func TestAKioskIsEnrolledAndRestartsWithWhatItStored(t *testing.T) {
	authority, code := newAuthority(t), newCode(t)
	applicant := newApplicant(t, code)
	identity, err := applicant.Accept(enrolled(t, authority, code, applicant.Request()))
	if err != nil {
		t.Fatal(err)
	}
	if identity.Name != "kiosk-3" || identity.Role != wire.RoleKiosk || identity.Until.Sub(noon) != Lifetime {
		t.Errorf("got %+v", identity.Peer)
	}
	path := filepath.Join(t.TempDir(), "identity.pem")
	if err := identity.Save(path); err != nil {
		t.Fatal(err)
	}
	if found, err := os.Stat(path); err != nil || found.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", found.Mode(), err)
	}
	if loaded, err := LoadIdentity(path); err != nil || loaded.Peer != identity.Peer {
		t.Errorf("got %+v, %v", loaded, err)
	}
	if err := identity.Create(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it again: %v", err)
	}
	os.Chmod(path, 0o644)
	if _, err := LoadIdentity(path); !errors.Is(err, ErrIdentity) || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("readable by others: %v", err)
	}
}

func TestTheCodeDoesNotCrossTheNetwork(t *testing.T) {
	code := newCode(t)
	request := newApplicant(t, code).Request()
	for _, field := range [][]byte{[]byte(request.Code), request.Nonce, request.Request, request.Proof} {
		if bytes.Contains(field, []byte(code)) {
			t.Error("the code is in the request")
		}
	}
}

func TestAManInTheMiddleIsNoticed(t *testing.T) {
	authority, code := newAuthority(t), newCode(t)
	applicant := newApplicant(t, code)
	good := enrolled(t, authority, code, applicant.Request())
	stranger := newAuthority(t)
	own := enrolled(t, stranger, code, applicant.Request())
	for name, change := range map[string]func(*wire.Enrolled){
		"another authority":              func(e *wire.Enrolled) { e.Authority = stranger.Certificate() },
		"another authority and its own":  func(e *wire.Enrolled) { e.Authority, e.Certificate = own.Authority, own.Certificate },
		"a certificate of another kiosk": func(e *wire.Enrolled) { e.Certificate = own.Certificate },
		"no proof":                       func(e *wire.Enrolled) { e.Proof = nil },
		"the kiosk's own proof":          func(e *wire.Enrolled) { e.Proof = applicant.Request().Proof },
		"an answer to another kiosk": func(e *wire.Enrolled) {
			*e = enrolled(t, authority, code, newApplicant(t, code).Request())
		},
		"a central that does not know the code": func(e *wire.Enrolled) {
			e.Proof = SecretsOf(newCode(t)).Prove(applicant.Request(), *e)
		},
	} {
		t.Run(name, func(t *testing.T) {
			changed := good
			change(&changed)
			if _, err := applicant.Accept(changed); !errors.Is(err, ErrImposter) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := applicant.Accept(good); err != nil {
		t.Errorf("the true answer: %v", err)
	}
}

func TestARequestThatWasChangedProvesNothing(t *testing.T) {
	code := newCode(t)
	other := newApplicant(t, newCode(t)).Request()
	for name, change := range map[string]func(*wire.Enrol){
		"another key":       func(e *wire.Enrol) { e.Request = other.Request },
		"another nonce":     func(e *wire.Enrol) { e.Nonce = other.Nonce },
		"another enrolment": func(e *wire.Enrol) { e.Enrolment = strings.Repeat("z", 26) },
		"another code":      func(e *wire.Enrol) { e.Proof = other.Proof },
		"no proof":          func(e *wire.Enrol) { e.Proof = nil },
	} {
		t.Run(name, func(t *testing.T) {
			request := newApplicant(t, code).Request()
			change(&request)
			if SecretsOf(code).Proven(request) {
				t.Error("it was believed")
			}
		})
	}
}

func TestRequestsThatAreNone(t *testing.T) {
	weak, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	long, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := func(key any) []byte {
		der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{}, key)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	unsigned := newApplicant(t, newCode(t)).Request().Request
	unsigned[len(unsigned)-1] ^= 1
	for name, der := range map[string][]byte{
		"nothing": nil, "noise": []byte("noise"), "an RSA key": of(weak), "P-384": of(long), "a false signature": unsigned,
	} {
		if _, err := ParseRequest(der); !errors.Is(err, ErrRequest) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestTheAuthorityOpensOnlyWithItsKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "authority.pem")
	made, err := CreateAuthority(path, [32]byte{1}, "Ridge", noon)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CreateAuthority(path, [32]byte{1}, "Ridge", noon); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made twice: %v", err)
	}
	loaded, err := LoadAuthority(path, [32]byte{1})
	if err != nil || !bytes.Equal(loaded.Certificate(), made.Certificate()) {
		t.Errorf("got %v", err)
	}
	if _, err := LoadAuthority(path, [32]byte{2}); !errors.Is(err, ErrAuthority) {
		t.Errorf("with other keys: %v", err)
	}
	if _, err := LoadAuthority(path+"x", [32]byte{1}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	text, _ := os.ReadFile(path)
	key, _ := x509.MarshalPKCS8PrivateKey(made.key)
	if bytes.Contains(text, key[len(key)-32:]) || strings.Contains(string(text), "PRIVATE KEY") {
		t.Error("the key lies open in the file")
	}
	for name, spoilt := range map[string]string{
		"empty": "", "cut": string(text[:len(text)/2]), "changed": strings.Replace(string(text), "SEALED", "OPENED", 2),
	} {
		if err := os.WriteFile(path, []byte(spoilt), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadAuthority(path, [32]byte{1}); !errors.Is(err, ErrAuthority) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNobodyElsesCertificateCounts(t *testing.T) {
	authority := newAuthority(t)
	foreign, err := newAuthority(t).NewIdentity("kiosk-3", wire.RoleKiosk, noon)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := authority.Verify(foreign.certificate); !errors.Is(err, ErrStranger) {
		t.Errorf("another authority's: %v", err)
	}
	server := &server{authority: authority, now: func() time.Time { return noon }}
	shown, err := server.certificate()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := authority.Verify(shown.Leaf); !errors.Is(err, ErrStranger) {
		t.Errorf("central's own, as a kiosk's: %v", err)
	}
	if _, err := authority.Verify(authority.certificate); !errors.Is(err, ErrStranger) {
		t.Errorf("the authority's, as a kiosk's: %v", err)
	}
	for _, name := range []string{"", "-", "kiosk 3", "kiosk/3", "../x", strings.Repeat("k", 33)} {
		if _, err := authority.NewIdentity(name, wire.RoleKiosk, noon); !errors.Is(err, ErrName) {
			t.Errorf("the name %q: %v", name, err)
		}
	}
	if _, err := authority.NewIdentity("kiosk-3", "king", noon); err == nil {
		t.Error("there is a king")
	}
}

// meet has two sides shake hands and exchange a byte each way, and returns each side's error.
func meet(t *testing.T, server, client *tls.Config) (serverErr, clientErr error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	near, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	near.SetDeadline(deadline)
	far.SetDeadline(deadline)
	talk := func(connection *tls.Conn) error {
		defer connection.Close()
		if err := connection.Handshake(); err != nil {
			return err
		}
		sent := make(chan error, 1)
		go func() { _, err := connection.Write([]byte{1}); sent <- err }()
		_, err := io.ReadFull(connection, make([]byte, 1))
		return errors.Join(err, <-sent)
	}
	ended := make(chan error, 1)
	go func() { ended <- talk(tls.Server(far, server)) }()
	clientErr = talk(tls.Client(near, client))
	return <-ended, clientErr
}

func TestHandshakes(t *testing.T) {
	authority, stranger := newAuthority(t), newAuthority(t)
	now := func() time.Time { return noon }
	identity := func(a *Authority) func() *Identity {
		made, err := a.NewIdentity("kiosk-3", wire.RoleKiosk, noon)
		if err != nil {
			t.Fatal(err)
		}
		return func() *Identity { return made }
	}
	mine, theirs := identity(authority), identity(stranger)
	old := clientConfig(mine)
	old.MinVersion, old.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	// masked is a client of the stranger's that believes this central, and shows it a certificate that is not of its own.
	masked := clientConfig(mine)
	masked.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return theirs().presented(), nil }
	// aKiosk as a server has a certificate of the right authority for the wrong use.
	aKiosk := authority.ServerConfig(nil, now)
	aKiosk.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return mine().presented(), nil }
	for name, test := range map[string]struct {
		server, client *tls.Config
		// noServer and noClient are whether that side refuses.
		noServer, noClient error
	}{
		"enrolled":                        {authority.ServerConfig(nil, now), clientConfig(mine), nil, nil},
		"not enrolled yet":                {authority.ServerConfig(nil, now), ApplicantConfig(), nil, nil},
		"another central":                 {stranger.ServerConfig(nil, now), clientConfig(mine), nil, ErrNoCentral},
		"a kiosk that plays central":      {aKiosk, clientConfig(mine), nil, ErrNoCentral},
		"another authority's kiosk":       {authority.ServerConfig(nil, now), masked, ErrStranger, nil},
		"years later, before any renewal": {authority.ServerConfig(nil, func() time.Time { return noon.AddDate(3, 0, 0) }), clientConfig(mine), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			server, client := meet(t, test.server, test.client)
			if test.noServer != nil && !errors.Is(server, test.noServer) || test.noClient != nil && !errors.Is(client, test.noClient) {
				t.Errorf("central: %v; the kiosk: %v", server, client)
			}
			if test.noServer == nil && test.noClient == nil && (server != nil || client != nil) {
				t.Errorf("central: %v; the kiosk: %v", server, client)
			}
		})
	}
	if server, client := meet(t, authority.ServerConfig(nil, now), old); server == nil || client == nil {
		t.Error("TLS 1.2 was spoken")
	}
}

func TestCentralsCertificateIsMadeAnewInTime(t *testing.T) {
	now := noon
	server := &server{authority: newAuthority(t), names: []string{"central.example", "10.0.0.7"}, now: func() time.Time { return now }}
	first, err := server.certificate()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{CentralName, "central.example", "10.0.0.7"} {
		if err := first.Leaf.VerifyHostname(name); err != nil {
			t.Error(err)
		}
	}
	now = noon.Add(Lifetime / 2)
	if again, err := server.certificate(); err != nil || again != first {
		t.Errorf("made anew after half its time: %v", err)
	}
	now = noon.Add(Lifetime * 3 / 4)
	if again, err := server.certificate(); err != nil || again == first || !again.Leaf.NotAfter.After(first.Leaf.NotAfter) {
		t.Errorf("not made anew after three quarters of its time: %v", err)
	}
}

func TestACertificateIsRenewedAtTwoThirdsWithTheSameKey(t *testing.T) {
	authority := newAuthority(t)
	identity, err := authority.NewIdentity("kiosk-3", wire.RoleKiosk, noon)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "identity.pem")
	if err := identity.Save(path); err != nil {
		t.Fatal(err)
	}
	bearer, err := NewBearer(path)
	if err != nil {
		t.Fatal(err)
	}
	day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
	asks := 0
	renew := func(n int) (bool, error) {
		return bearer.Renew(t.Context(), day(n), func(context.Context) ([]byte, error) {
			asks++
			return authority.Renew(bearer.Identity().certificate, day(n))
		})
	}
	if done, err := renew(19); done || err != nil || asks != 0 {
		t.Errorf("on day 19: %v, %v", done, err)
	}
	if done, err := renew(21); !done || err != nil || asks != 1 {
		t.Errorf("on day 21: %v, %v", done, err)
	}
	renewed := bearer.Identity()
	if renewed.Key != identity.Key || renewed.Name != identity.Name || !renewed.Until.Equal(day(51)) || renewed.Expired(day(50)) || !renewed.Expired(day(51)) {
		t.Errorf("got %+v", renewed.Peer)
	}
	if stored, err := LoadIdentity(path); err != nil || stored.Peer != renewed.Peer {
		t.Errorf("stored %+v, %v", stored, err)
	}
	if _, err := bearer.Renew(t.Context(), day(45), func(context.Context) ([]byte, error) { return nil, io.ErrUnexpectedEOF }); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	other, _ := authority.NewIdentity("kiosk-4", wire.RoleKiosk, noon)
	if _, err := renewed.Renewed(other.certificate.Raw); !errors.Is(err, ErrStranger) {
		t.Errorf("renewed with another's certificate: %v", err)
	}
}
