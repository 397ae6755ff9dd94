package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/coreos/go-systemd/v22/activation"

	"reelkiosk/cmd/internal/build"
	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/store/client"
	"reelkiosk/store/replica"
	"reelkiosk/store/trust"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// bootFile has the number of the machine's start (random(4)).
const bootFile = "/proc/sys/kernel/random/boot_id"

// connect makes the way to central: with the kiosk's identity, or without any in a demonstration. Where the kiosk is not
// enrolled there is none, and Unenrolled says so.
func (a *assembly) connect(settings config.Config, log *slog.Logger) {
	if !strings.HasPrefix(settings.Central, "https:") {
		if way, err := client.New(settings.Central, client.Options{Timeout: centralTimeout}); err == nil {
			a.Central = way
		}
		return
	}
	bearer, err := trust.NewBearer(filepath.Join(settings.Data, identityFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a.Unenrolled = "make a code with reelctl enrol, then run: kiosk enrol --config FILE --code CODE"
	case err != nil:
		a.Unenrolled = err.Error()
	case bearer.Identity().Name != settings.Name:
		a.Out = fmt.Sprintf("the kiosk is enrolled as %s, its configuration says %s", bearer.Identity().Name, settings.Name)
	}
	if err != nil {
		log.Error("not enrolled with central", "error", err)
		return
	}
	hello := wire.Hello{Instance: strings.ToLower(rand.Text()), Version: build.Version()} // 26 symbols of base 32
	if boot, err := os.ReadFile(bootFile); err == nil {
		hello.Boot = strings.TrimSpace(string(boot))
	}
	if a.Replica != nil {
		hello.Enrolment = a.Replica.Enrolment()
	}
	way, err := client.New(settings.Central, client.Options{Timeout: centralTimeout, TLS: bearer.TLS(), Instance: hello.Instance})
	if err != nil {
		return // the configuration was read: it is said there
	}
	a.Central = way
	a.Trust = &kiosk.Trust{Bearer: bearer, Hello: hello, Keys: a.keys(bearer.Identity().Key, log)}
	a.Mirror, a.Keys = replica.NewMirror(settings.Data, kiosk.SinceBoot, log), a.Trust.Keys.Wait
	a.closers = append(a.closers, a.Mirror)
	socket, owner := os.Getenv("NOTIFY_SOCKET"), bearer.Identity().Key
	a.Trust.Keep = func(keys vault.Keys, number uint32) error { return kiosk.StoreKeys(socket, owner, keys, number) }
	a.standAlone(hello.Boot)
}

// standAlone opens what the kiosk may give by itself while central is away. Where it cannot be known what that is, the kiosk
// gives no seats.
func (a *assembly) standAlone(boot string) {
	if a.Replica == nil || boot == "" {
		return
	}
	clock := replica.AloneClock{Boot: boot, Elapsed: kiosk.SinceBoot, Now: a.Clock.Now}
	held, err := replica.OpenAlone(a.Replica, a.Mirror, a.Name, clock, rand.Reader)
	if err != nil {
		a.Out = err.Error()
		return
	}
	a.Alone = held
	if told, at, known := held.Told(); known {
		a.Clock.Resume(told, at)
	}
}

// keys returns the holder of the keys, with those that the service manager kept over a restart of the process.
func (a *assembly) keys(owner string, log *slog.Logger) *kiosk.Keys {
	held := kiosk.NewKeys()
	keys, number, err := kiosk.FoundKeys(activation.Files(true), owner)
	if err != nil {
		log.Warn("keys that were kept over the restart", "error", err)
	}
	if number > 0 {
		held.Take(keys, number)
		log.Info("keys were kept over the restart", "floor", number)
	}
	return held
}
