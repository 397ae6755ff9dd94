package kiosk

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/assets"
	"reelkiosk/devices/emulator"
	"reelkiosk/devices/printer"
	"reelkiosk/store/central"
	"reelkiosk/store/client"
	"reelkiosk/store/definition"
	"reelkiosk/store/durable"
	"reelkiosk/store/linecut"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/trust"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// What turns the test's own program into central ("DATA KEYS ADDRESS") or into an enrolled kiosk ("FOLDER NAME URL").
const (
	processCentral  = "REELKIOSK_TEST_SERVE"
	processEnrolled = "REELKIOSK_TEST_ENROLLED"
)

// beCentral serves the books in a folder over TLS until it is killed, or standard input ends.
func beCentral(order string) error {
	words := strings.Fields(order)
	options, err := central.Load(words[0], words[1], "")
	if err != nil {
		return err
	}
	listener, err := options.ListenTLS(words[2], nil)
	if err != nil {
		return err
	}
	served, err := central.New(options)
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = served.Stop(context.Background())
	}()
	fmt.Println("listening")
	return served.Serve(listener)
}

// beEnrolled is beKiosk for a kiosk that is enrolled, keeps a copy of the books and gives seats by itself.
func beEnrolled(order string) error {
	words := strings.Fields(order)
	folder, name, url := words[0], words[1], words[2]
	parts, end, err := assemble(folder, url, everyday, os.Stderr, nil)
	if err != nil {
		return err
	}
	parts.Name = name
	bearer, err := trust.NewBearer(identityIn(folder))
	if err != nil {
		return err
	}
	hello := wire.Hello{
		Instance: strings.ToLower(rand.Text()), Boot: "11111111-1111-1111-1111-111111111111", Version: "test", Enrolment: parts.Replica.Enrolment(),
	}
	parts.Central, err = client.New(url, client.Options{TLS: bearer.TLS(), Instance: hello.Instance, Timeout: 5 * time.Second})
	if err != nil {
		return err
	}
	parts.Trust = &Trust{Bearer: bearer, Hello: hello, Keys: keptKeys(folder), Keep: func(keys vault.Keys, number uint32) error {
		return keepKeys(folder, keys, number)
	}}
	parts.Keys = parts.Trust.Keys.Wait
	parts.Mirror = replica.NewMirror(folder, SinceBoot, parts.Log)
	clock := replica.AloneClock{Boot: hello.Boot, Elapsed: SinceBoot, Now: parts.Clock.Now}
	if parts.Alone, err = replica.OpenAlone(parts.Replica, parts.Mirror, name, clock, rand.Reader); err != nil {
		return err
	}
	if told, at, known := parts.Alone.Told(); known {
		parts.Clock.Resume(told, at)
	}
	return errors.Join(act(parts), parts.Mirror.Close(), end())
}

// keptKeys and keepKeys play the descriptor store of the service manager, which keeps a kiosk's keys over a restart of its
// process; a file does for a test.
func keptKeys(folder string) *Keys {
	keys := NewKeys()
	var kept struct {
		Keys   vault.Keys
		Number uint32
	}
	if text, err := os.ReadFile(filepath.Join(folder, "keys")); err == nil && json.Unmarshal(text, &kept) == nil {
		keys.Take(kept.Keys, kept.Number)
	}
	return keys
}

func keepKeys(folder string, keys vault.Keys, number uint32) error {
	text, err := json.Marshal(map[string]any{"Keys": keys, "Number": number})
	if err != nil {
		return err
	}
	return durable.Replace(filepath.Join(folder, "keys"), 0o600, func(file *os.File) error {
		_, err := file.Write(text)
		return err
	})
}

func identityIn(folder string) string { return filepath.Join(folder, "identity.pem") }

// venue is a casino floor of real processes: central over TLS, and enrolled kiosks with devices, each with a line to central
// that can be cut.
type venue struct {
	testing.TB
	folder, address string
	operator        *client.Client
	keys            uint64
	central         *child
	posts           []*post
	log             lockedBuffer
}

// post is where a kiosk stands: its files, its devices and its line.
type post struct {
	*venue
	name, folder string
	line         *linecut.Line
	reader       *emulator.CardReader
	printer      *emulator.Printer
	kiosk        *child
}

// openVenue opens a venue with kiosks of these names.
func openVenue(t testing.TB, kiosks ...string) *venue {
	t.Helper()
	v := &venue{TB: t, folder: t.TempDir()}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the end of the log:\n%s", tail(v.log.String(), 12000))
		}
	})
	v.define()
	_, err := central.Prepare(v.data(), v.keysFile(), filepath.Join(v.folder, "demo.toml"))
	v.must(err)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	v.must(err)
	v.address = free.Addr().String()
	v.must(free.Close())
	identity, err := central.NewOperator(v.data(), v.keysFile(), "lindiwe")
	v.must(err)
	path := filepath.Join(v.folder, "operator.pem")
	v.must(identity.Save(path))
	bearer, err := trust.NewBearer(path)
	v.must(err)
	v.operator, err = client.New("https://"+v.address, client.Options{TLS: bearer.TLS()})
	v.must(err)
	t.Cleanup(v.operator.Close)
	v.serve()
	for _, name := range kiosks {
		v.posts = append(v.posts, v.post(name))
	}
	return v
}

func tail(text string, most int) string { return text[max(0, len(text)-most):] }

func (v *venue) data() string     { return filepath.Join(v.folder, "central") }
func (v *venue) keysFile() string { return filepath.Join(v.folder, "central.keys") }

func (v *venue) must(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

// define writes the demo's tournament around today, with machines enough for everybody.
func (v *venue) define() {
	text, err := assets.Tournaments.ReadFile("tournaments/demo.toml")
	v.must(err)
	today := tournament.DateOf(time.Now())
	text, err = definition.WithPeriod("demo.toml", text, today.AddDays(-2), today.AddDays(5))
	v.must(err)
	before, rest, _ := strings.Cut(string(text), "[[machines]]")
	_, stages, _ := strings.Cut(rest, "[[stages]]")
	large := before + "[[machines]]\nnumbers = \"1-300\"\nasset = \"A-1\"\nplace = \"Hall\"\n\n[[stages]]" + strings.Replace(stages, "size = 50", "size = 300", 1)
	published, err := assets.Tournaments.ReadFile("tournaments/ridge-rules.txt")
	v.must(err)
	v.must(os.WriteFile(filepath.Join(v.folder, "demo.toml"), []byte(large), 0o600))
	v.must(os.WriteFile(filepath.Join(v.folder, "ridge-rules.txt"), published, 0o600))
}

// serve starts central, again where it was killed.
func (v *venue) serve() {
	v.Helper()
	v.central = v.start(processCentral + "=" + strings.Join([]string{v.data(), v.keysFile(), v.address}, " "))
	v.central.says(v.TB, "listening")
}

func (v *venue) key() client.Key {
	v.keys++
	return client.Key{Enrolment: "reelctl-test", Sequence: v.keys}
}

// post puts a kiosk up: it plugs its devices in, lays its line and enrols it.
func (v *venue) post(name string) *post {
	v.Helper()
	p := &post{venue: v, name: name, folder: filepath.Join(v.folder, name)}
	v.must(os.MkdirAll(p.folder, 0o700))
	p.plugIn()
	line, err := linecut.Lay(v.address)
	v.must(err)
	p.line = line
	v.Cleanup(func() { line.Close() })
	p.enrol()
	return p
}

// enrol enrols the kiosk with the enrolment of its own file.
func (p *post) enrol() {
	p.Helper()
	code, err := p.operator.IssueCode(p.Context(), p.key(), wire.NewCode{Kiosk: p.name, Role: wire.RoleKiosk, Operator: "lindiwe"})
	p.must(err)
	file, err := replica.Open(replicaOf(p.folder), rand.Reader)
	p.must(err)
	enrolment := file.Enrolment()
	p.must(file.Close())
	_, err = Enrol(p.Context(), "https://"+p.line.Address(), tournament.EnrolmentCode(code.Code), enrolment, identityIn(p.folder))
	p.must(err)
}

func (p *post) plugIn() {
	lines := map[string]*emulator.Line{}
	for _, name := range []string{"card", "scanner", "printer"} {
		line, err := emulator.OpenLine(linkOf(p.folder, name))
		p.must(err)
		lines[name] = line
	}
	p.reader = emulator.NewCardReader(lines["card"], emulator.CardSetup{})
	emulator.NewScanner(lines["scanner"], emulator.AIMScanner)
	profile, _ := printer.ProfileNamed("epson-48")
	p.printer = emulator.NewPrinter(lines["printer"], profile, emulator.Haste(10))
	p.Cleanup(func() {
		for _, line := range lines {
			p.must(line.Close())
		}
		p.printer.Close()
	})
}

// launch starts the kiosk's process and waits until it waits for players.
func (p *post) launch() {
	p.Helper()
	p.kiosk = p.start(processEnrolled + "=" + strings.Join([]string{p.folder, p.name, "https://" + p.line.Address()}, " "))
	p.kiosk.says(p.TB, "ready")
}

// swipe has somebody swipe a card.
func (p *post) swipe(card string) {
	p.Helper()
	p.must(p.reader.Swipe(emulator.Tracks{Two: card + "=4912000"}))
}

// guest is somebody with a card and one entry.
type guest struct {
	card   string
	person tournament.PersonID
	home   string
}

// invite imports as many members, and sells each one entry.
func (v *venue) invite(count int) (guests []guest) {
	v.Helper()
	var members []wire.Member
	for i := range count {
		born := tournament.Date{Year: 1970, Month: 5, Day: 1}.AddDays(i)
		members = append(members, wire.Member{
			Line: i + 2, Number: fmt.Sprint("K", i), Cards: []string{fmt.Sprintf("60010000001%05d", i)}, Surname: "Nkosi", Given: "Sipho",
			Verified: true, BirthDate: born, IDNumber: emulator.IdentityNumber(born, 5100),
		})
	}
	staged, err := v.operator.OpenImport(v.Context(), wire.Import{
		Kind: wire.ImportMembers, Hash: strings.Repeat("b", 64), Name: "members.csv", Operator: "test",
	})
	v.must(err)
	_, err = v.operator.SendRows(v.Context(), staged.ID, wire.Rows{Members: members})
	v.must(err)
	_, err = v.operator.CommitImport(v.Context(), staged.ID)
	v.must(err)
	for _, member := range members {
		bought, err := v.operator.Purchase(v.Context(), v.key(), wire.Purchase{
			Kind: tournament.CashBuyIn, Seats: 1, Card: member.Cards[0], Operator: "test", Desk: "cash-desk",
		})
		v.must(err)
		guests = append(guests, guest{member.Cards[0], bought.Person, v.homeOf(bought.Person)})
	}
	return guests
}

// homeOf returns the kiosk that may give a player seats by itself: that of the highest SHA-256 with the player (store/ledger).
func (v *venue) homeOf(person tournament.PersonID) (home string) {
	var highest [32]byte
	for _, p := range v.posts {
		if weight := sha256.Sum256([]byte(p.name + "\x00" + string(person))); string(weight[:]) > string(highest[:]) {
			home, highest = p.name, weight
		}
	}
	return home
}

// child is a process of this test's own program.
type child struct {
	command *exec.Cmd
	input   io.Closer
	lines   chan string
}

func (v *venue) start(order string) *child {
	v.Helper()
	c := &child{command: exec.Command("/proc/self/exe"), lines: make(chan string, 4096)}
	c.command.Env = append(os.Environ(), order)
	c.command.Stderr = &v.log
	input, err := c.command.StdinPipe()
	v.must(err)
	c.input = input
	output, err := c.command.StdoutPipe()
	v.must(err)
	v.must(c.command.Start())
	go func() {
		defer close(c.lines)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			c.lines <- lines.Text()
		}
	}()
	v.Cleanup(c.kill)
	return c
}

// hears waits until the process says one of some words, and returns it; empty where it says none of them in time, or ended.
func (c *child) hears(within time.Duration, wanted ...string) string {
	deadline := time.After(within)
	for {
		select {
		case line, open := <-c.lines:
			if !open {
				return ""
			}
			for _, word := range wanted {
				if line == word {
					return word
				}
			}
		case <-deadline:
			return ""
		}
	}
}

func (c *child) says(t testing.TB, wanted string) {
	t.Helper()
	if c.hears(2*patience, wanted) == "" {
		t.Fatalf("a process never said %q", wanted)
	}
}

// kill ends the process as a power cut would (signal 9). It may be called twice.
func (c *child) kill() {
	if c.command.ProcessState != nil {
		return
	}
	_ = c.command.Process.Kill()
	for range c.lines {
		// what it said last
	}
	_ = c.command.Wait() // it says that it was killed
	c.input.Close()
}
