package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"reelkiosk/assets"
	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/definition"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/wire"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"kiosk": main}) }

// TestScripts plays each file of testdata/script. Besides testscript's own, they have the commands
//
//	serve         runs a central of the demo's tournament, at $CENTRAL
//	code NAME     makes a code to enrol a kiosk of that name, as $CODE
//	configure FILE                 writes a configuration with the devices card and printer, and central at $CENTRAL
//	device LINK BAUD PARITY FRAME  plugs a reader in at which a card is swiped every little while
//	printer LINK [TROUBLE]         plugs a ticket printer in
//	profile FROM TO                takes the profile that kiosk read --find printed
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve": serve, "configure": configure, "device": device, "profile": profile, "printer": ticketPrinter,
			"code": func(ts *testscript.TestScript, _ bool, args []string) {
				bearer, err := trust.NewBearer(ts.MkAbs("operator.pem"))
				ts.Check(err)
				operator, err := client.New(ts.Getenv("CENTRAL"), client.Options{TLS: bearer.TLS()})
				ts.Check(err)
				defer operator.Close()
				key := client.Key{Enrolment: "reelctl-" + args[0], Sequence: uint64(time.Now().UnixNano())}
				made, err := operator.IssueCode(context.Background(), key, wire.NewCode{Kiosk: args[0], Role: wire.RoleKiosk, Operator: "lindiwe"})
				ts.Check(err)
				ts.Setenv("CODE", tournament.EnrolmentCode(made.Code).Grouped())
			},
		},
	})
}

func serve(ts *testscript.TestScript, _ bool, _ []string) {
	const name, rules = "tournaments/demo.toml", "tournaments/ridge-rules.txt"
	text, err := assets.Tournaments.ReadFile(name)
	ts.Check(err)
	today := tournament.DateOf(time.Now())
	text, err = definition.WithPeriod(name, text, today.AddDays(-2), today.AddDays(5))
	ts.Check(err)
	published, err := assets.Tournaments.ReadFile(rules)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("demo.toml"), text, 0o600))
	ts.Check(os.WriteFile(filepath.Join(filepath.Dir(ts.MkAbs("demo.toml")), "ridge-rules.txt"), published, 0o600))
	folder, keys := ts.MkAbs("central"), ts.MkAbs("keys")
	_, err = central.Prepare(folder, keys, ts.MkAbs("demo.toml"))
	ts.Check(err)
	operator, err := central.NewOperator(folder, keys, "lindiwe")
	ts.Check(err)
	ts.Check(operator.Save(ts.MkAbs("operator.pem")))
	options, err := central.Load(folder, keys, "")
	ts.Check(err)
	listener, err := options.ListenTLS("127.0.0.1:0", nil)
	ts.Check(err)
	served, err := central.New(options)
	ts.Check(err)
	go func() { _ = served.Serve(listener) }() // until Stop
	ts.Defer(func() { _ = served.Stop(context.Background()) })
	ts.Setenv("CENTRAL", "https://"+listener.Addr().String())
}
