package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"reelkiosk/cmd/internal/build"
	"reelkiosk/devices/port"
	"reelkiosk/devices/printer"
	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/store/client"
	"reelkiosk/store/kv"
	"reelkiosk/store/trust"
	"reelkiosk/store/wire"
)

type doctorCommand struct {
	Config string `required:"" placeholder:"FILE" help:"The configuration file."`
	JSON   bool   `name:"json" help:"Print JSON."`
	Root   string `hidden:"" placeholder:"DIR" help:"Where dev, sys and proc lie, for tests."`
}

// errNotReady ends the command with status 1 where a check failed.
var errNotReady = errors.New("the kiosk is not ready")

// Run looks at everything, and says what passed, what failed and what to do next.
func (c doctorCommand) Run(to io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	exam := &examination{doctorCommand: c, Readiness: kiosk.Readiness{Version: build.Version(), At: time.Now()}}
	exam.all(ctx)
	var err error
	if c.JSON {
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(exam.Readiness)
	} else {
		_, err = io.WriteString(to, exam.String())
	}
	if err == nil && !exam.Ready {
		err = errNotReady
	}
	return err
}

// examination is one run of all checks.
type examination struct {
	doctorCommand
	kiosk.Readiness
	settings config.Config
	attached []port.Attached
}

// all runs the checks. A kiosk that runs owns its ports, its file and its way to central, and is asked for them.
func (e *examination) all(ctx context.Context) {
	e.configuration()
	e.attached = port.List(rootsAt(e.Root))
	e.ports()
	health, err := kiosk.RunningHealth(ctx, filepath.Join(e.settings.Data, socketFile))
	switch {
	case err == nil:
		e.Note("kiosk", kiosk.Passed, fmt.Sprintf("runs since %v", time.Duration(health.Runs)*time.Second), "")
		e.Heard(health)
	case errors.Is(err, kiosk.ErrNotRunning):
		e.Note("kiosk", kiosk.Warned, "does not run; its parts were looked at instead", "Start the kiosk's service once everything has passed.")
		e.devices(ctx)
		e.store()
		e.central(ctx)
	default:
		e.Note("kiosk", kiosk.Failed, err.Error(), "Run this as the kiosk's own user or as root. If it is, ask again in a few seconds.")
	}
	e.identity()
	e.display()
}

func (e *examination) configuration() {
	settings, faulty := config.Load(e.Config)
	_, unseen := looksOf(settings)
	e.settings, e.Kiosk = settings, settings.Name
	if err := errors.Join(faulty, unseen); err != nil {
		e.Note("configuration", kiosk.Failed, err.Error(), "Put right what it names, then: kiosk config check "+e.Config)
		return
	}
	e.Note("configuration", kiosk.Passed, e.Config+" has no mistakes", "")
}

// ports looks whether what the configuration names is plugged in, and under a name that is enough.
func (e *examination) ports() {
	for _, device := range devicesOf(e.settings) {
		check := "port of the " + device.role
		found := false
		for _, each := range e.attached {
			if !each.Has(device.name) {
				continue
			}
			found = true
			what := described(each)
			if each.User != nil {
				what += ", used by " + each.User.String()
			}
			if each.Caution == port.Twin && device.name != each.Name {
				e.Note(check, kiosk.Warned, what, each.Caution.Advice()+" Here: "+each.Name)
				continue
			}
			e.Note(check, kiosk.Passed, what, "")
		}
		if _, err := os.Stat(device.name); !found && err != nil {
			e.Note(check, kiosk.Failed, device.name+" is not there", "Plug it in. kiosk ports lists what is, to name another one in the configuration.")
		}
	}
}

// devices opens what nobody else has open, and asks the printer how it is.
func (e *examination) devices(ctx context.Context) {
	for _, each := range []struct {
		role   string
		device *config.Reader
	}{{"card reader", e.settings.Card}, {"document scanner", e.settings.Document}} {
		role, device := each.role, each.device
		if device == nil {
			e.Note(role, kiosk.Skipped, "none is configured", "")
			continue
		}
		if err := opens(ctx, device.Port); err != nil {
			e.Note(role, kiosk.Failed, err.Error(), "See which program uses it with: kiosk ports. Give it to the kiosk alone.")
			continue
		}
		e.Note(role, kiosk.Passed, fmt.Sprintf("its port opens, at %s", lineWords(device.Port)), "Prove that it reads with: kiosk read --port LINK --profile "+device.Profile.Name)
	}
	if e.settings.Printer == nil {
		e.Note("printer", kiosk.Failed, "none is configured: no seats are given", "Name its port and profile in the configuration.")
		return
	}
	press := printer.New(e.settings.Printer.Profile, port.Keep(e.settings.Printer.Port, port.Beside(e.settings.Printer.Port.Name)))
	defer press.Close()
	status := awaitPrinter(ctx, press)
	switch advice := kiosk.PrinterAdvice(status.State); {
	case status.State == printer.PaperLow:
		e.Note("printer", kiosk.Warned, status.State.String(), advice)
	case status.State.CanPrint():
		e.Note("printer", kiosk.Passed, status.State.String(), "See it print with: kiosk print-test --config "+e.Config)
	default:
		e.Note("printer", kiosk.Failed, strings.TrimSuffix(fmt.Sprintf("%v: %v", status.State, status.Err), ": <nil>"), advice)
	}
}

// opens opens a port for a moment.
func opens(ctx context.Context, settings port.Settings) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	conn := port.Keep(settings, port.Beside(settings.Name))
	defer conn.Close()
	select {
	case event := <-conn.Events():
		return event.Err
	case <-ctx.Done():
		return errors.New("the port does not open in time")
	}
}

// store looks at the kiosk's own file and its disk. It makes none.
func (e *examination) store() {
	path := filepath.Join(e.settings.Data, replicaFile)
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		e.Note("own file", kiosk.Skipped, "no kiosk has run in "+e.settings.Data+" yet", "")
	case err != nil:
		e.Note("own file", kiosk.Failed, err.Error(), "Run this as the kiosk's own user or as root.")
	default:
		e.ownFile()
	}
	if free, err := diskFree(e.settings.Data); err == nil {
		e.Disk(free)
	}
}

func (e *examination) ownFile() {
	file, err := openReplica(e.settings.Data)
	switch {
	case errors.Is(err, kv.ErrHeld):
		e.Note("own file", kiosk.Warned, err.Error(), "Another program has it open. If that is a kiosk that just begins, ask again.")
	case err != nil:
		e.Note("own file", kiosk.Failed, err.Error(), "Keep a copy of it before anything else, then read the kiosk's log.")
	default:
		waiting, dead := len(file.Requests()), len(file.Dead())
		err := file.Close()
		e.Note("own file", kiosk.Passed, fmt.Sprintf("opens, and is sound; %d wait for central, %d central cannot take", waiting, dead), "")
		if err != nil {
			e.Note("own file", kiosk.Failed, err.Error(), "Look at the disk.")
		}
	}
}

// central asks central, with the kiosk's identity where it has one.
func (e *examination) central(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, centralTimeout)
	defer cancel()
	if e.settings.Central == "" {
		return // the configuration was found faulty
	}
	options := client.Options{Timeout: centralTimeout}
	if strings.HasPrefix(e.settings.Central, "https:") {
		bearer, err := trust.NewBearer(filepath.Join(e.settings.Data, identityFile))
		if err != nil {
			e.Note("central", kiosk.Skipped, "cannot be asked without an identity", "")
			return
		}
		options.TLS = bearer.TLS()
	}
	way, err := client.New(e.settings.Central, options)
	if err != nil {
		e.Note("central", kiosk.Failed, err.Error(), "Correct central in the configuration.")
		return
	}
	defer way.Close()
	began := time.Now()
	health, err := way.Health(ctx)
	trip := time.Since(began)
	if problem, is := errors.AsType[*wire.Problem](err); is && problem.Kind() == wire.ProblemHello {
		// The kiosk says hello when it starts. That it is asked for says that central answers and knows this certificate.
		e.Note("central", kiosk.Passed, fmt.Sprintf("%s answers in %v, and knows this kiosk", e.settings.Central, trip.Round(time.Millisecond)), "")
		return
	}
	if err != nil {
		e.Note("central", kiosk.Failed, err.Error(), "Check the network cable and the switch, then whether central runs.")
		return
	}
	e.Note("central", kiosk.Passed, fmt.Sprintf("%s answers in %v, at event %d", e.settings.Central, trip.Round(time.Millisecond), health.Sequence), "")
	if health.Status == "suspect" {
		e.Note("central's clock", kiosk.Failed, "central does not trust its clock and writes nothing", "Look at the clock of central's machine. If it is right: reelctl clock confirm")
	}
	offset := time.Since(health.ServerTime) - trip/2
	verdict, do := kiosk.Passed, ""
	if offset.Abs() > 5*time.Second { // design decision 9
		verdict, do = kiosk.Warned, "Nothing depends on it. Set the machine's clock, or have it follow a time server."
	}
	e.Note("clock", verdict, fmt.Sprintf("%v ahead of central's", offset.Round(time.Millisecond)), do)
}

// renewBefore is how long before a certificate's end it should long have been renewed by the kiosk itself.
const renewBefore = 7 * 24 * time.Hour

func (e *examination) identity() {
	if !strings.HasPrefix(e.settings.Central, "https:") {
		e.Note("identity", kiosk.Skipped, "central is spoken to without TLS, as in a demonstration", "")
		return
	}
	identity, err := trust.LoadIdentity(filepath.Join(e.settings.Data, identityFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Note("identity", kiosk.Failed, "not enrolled with central", "Make a code with: reelctl enrol --kiosk NAME. Type it on the kiosk's screen, or pass it to: kiosk enrol")
		return
	case err != nil:
		e.Note("identity", kiosk.Failed, err.Error(), "Enrol the kiosk anew.")
		return
	}
	left := time.Until(identity.Until)
	what := fmt.Sprintf("%s, certificate good for %d days", identity.Name, int(left/(24*time.Hour)))
	switch {
	case identity.Name != e.settings.Name:
		e.Note("identity", kiosk.Failed, fmt.Sprintf("enrolled as %s, the configuration says %s", identity.Name, e.settings.Name), "Change name in the configuration, or enrol the kiosk anew.")
	case left <= 0:
		e.Note("identity", kiosk.Failed, what, "Look at the clock of this machine. If it is right, enrol the kiosk anew.")
	case left < renewBefore:
		e.Note("identity", kiosk.Warned, what, "The kiosk renews it by itself while central answers: look why it did not.")
	default:
		e.Note("identity", kiosk.Passed, what, "")
	}
}

// display looks which connectors have a monitor. The kernel knows, whether an X server runs or not.
func (e *examination) display() {
	connectors, _ := filepath.Glob(filepath.Join(e.Root, "/sys/class/drm/card*-*/status"))
	var on []string
	for _, connector := range connectors {
		if text, err := os.ReadFile(connector); err == nil && strings.TrimSpace(string(text)) == "connected" {
			_, name, _ := strings.Cut(filepath.Base(filepath.Dir(connector)), "-")
			on = append(on, name)
		}
	}
	switch {
	case len(connectors) == 0:
		e.Note("monitor", kiosk.Skipped, "the kernel names no connector", "")
	case len(on) == 0:
		e.Note("monitor", kiosk.Failed, "none is connected", "Plug the monitor in and switch it on.")
	default:
		e.Note("monitor", kiosk.Passed, strings.Join(on, ", ")+" connected", "")
	}
}
