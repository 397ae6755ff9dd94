package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/devices/reader"
	"reelkiosk/store/durable"
	"reelkiosk/store/strict"
	"reelkiosk/store/tournament"
)

type readCommand struct {
	Port    string        `placeholder:"LINK" help:"The port, as kiosk ports names it."`
	Profile string        `placeholder:"NAME" help:"Say also what a reader of this profile makes of the bytes: a built-in one, or the path of a file, NAME.toml."`
	Baud    int           `placeholder:"N" help:"The speed, where it is not the profile's."`
	Parity  port.Parity   `placeholder:"none|odd|even" help:"The parity, where it is not the profile's."`
	Bits    int           `placeholder:"N" help:"The data bits, where they are not the profile's."`
	Find    bool          `help:"Find out how the reader is set up, while somebody swipes a club card again and again."`
	Printed string        `placeholder:"NUMBER" help:"With --find: what is printed on the card, where that is what the reader sends. It tells orders of bytes apart."`
	For     time.Duration `placeholder:"30s" help:"How long to listen; until interrupted where it is not said."`
	Save    string        `placeholder:"FILE" help:"Save what came to this file. Nobody's number is in it, unless --whole is given."`
	Whole   bool          `help:"Show and save the bytes as they are: numbers and names of whoever swipes. Use your own card."`
	Replay  string        `placeholder:"FILE" help:"Decode what was saved instead of listening."`
}

// Run shows what a reader sends, and what is made of it.
func (c readCommand) Run(to io.Writer) error {
	session := &reading{readCommand: c, to: to, today: tournament.DateOf(time.Now())}
	if err := session.begin(); err != nil {
		return err
	}
	if c.Whole {
		fmt.Fprintln(os.Stderr, "kiosk: with --whole everything is shown and saved that a card or document says: use your own, and delete what you save")
	}
	var err error
	switch {
	case c.Replay != "":
		err = session.replay()
	case c.Port == "":
		return errors.New("which port? Give --port LINK; kiosk ports lists them")
	default:
		err = session.listen()
	}
	return errors.Join(err, session.save())
}

// reading is one run of the command.
type reading struct {
	readCommand
	to      io.Writer
	today   tournament.Date
	profile *reader.Profile
	search  *reader.Search
	kept    reader.Captured
	// failed is why the port cannot be had; giveUp ends the listening.
	failed error
	giveUp context.CancelFunc
}

func (r *reading) begin() error {
	if r.Profile != "" {
		profile, err := profileOf(r.Profile)
		if err != nil {
			return err
		}
		r.profile = &profile
	}
	if r.Find {
		search, err := reader.NewSearch(r.today)
		if err != nil {
			return err
		}
		search.Printed(r.Printed)
		r.search = search
	}
	r.kept.Port = r.Port
	return nil
}

func profileOf(name string) (reader.Profile, error) {
	if !strings.HasSuffix(name, ".toml") {
		return reader.Named(name)
	}
	text, err := strict.ReadFile(name)
	if err != nil {
		return reader.Profile{}, err
	}
	return reader.ParseProfile(name, text)
}

// line is how the port is set where nothing is searched for.
func (r *reading) line() port.Settings {
	line := port.Settings{Baud: 9600}
	if r.profile != nil {
		line = r.profile.Line
	}
	if r.Baud != 0 {
		line.Baud = r.Baud
	}
	if r.Parity != port.NoParity {
		line.Parity = r.Parity
	}
	if r.Bits != 0 {
		line.DataBits = r.Bits
	}
	line.Name = r.Port
	return line.Normal()
}

func (r *reading) listen() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if r.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.For)
		defer cancel()
	}
	ctx, r.giveUp = context.WithCancel(ctx)
	defer r.giveUp()
	if r.search != nil {
		fmt.Fprintln(r.to, "swipe any club card now, and again after each line; end with Ctrl-C")
		err := r.search.Run(ctx, func(line port.Settings) port.Conn {
			line.Name = r.Port
			return port.Keep(line, port.Beside(r.Port))
		}, r.progress)
		if err := cmp.Or(reachable(r.failed), reachable(err)); err != nil {
			return err
		}
		return r.verdict()
	}
	line := r.line()
	if err := line.Validate(); err != nil {
		return err
	}
	conn := port.Keep(line, port.Beside(r.Port))
	reader.Listen(ctx, conn, line, func(state reader.State) { r.state(line, state) }, r.burst)
	return errors.Join(reachable(r.failed), conn.Close())
}

// state says how the port is, and gives up on one that cannot be had.
func (r *reading) state(line port.Settings, state reader.State) {
	switch {
	case state.Ready:
		fmt.Fprintf(r.to, "listening at %s\n", lineWords(line))
	case errors.Is(state.Err, port.ErrUnplugged):
		fmt.Fprintln(r.to, "the reader was unplugged; plug it in again")
	case state.Err != nil:
		r.failed = state.Err
		r.giveUp()
	}
}

// reachable says what to do about a port that cannot be had; that the time is over is no fault.
func reachable(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil
	case errors.Is(err, port.ErrInUse):
		return fmt.Errorf("%w; if that is the kiosk, stop it first: it owns its readers", err)
	case errors.Is(err, port.ErrForbidden):
		return fmt.Errorf("%w; run this as root, or join the group dialout", err)
	case errors.Is(err, port.ErrAbsent):
		return fmt.Errorf("%w; kiosk ports lists what is there", err)
	}
	return err
}

func lineWords(line port.Settings) string {
	line = line.Normal()
	return fmt.Sprintf("%d baud, %d data bits, parity %s", line.Baud, line.DataBits, line.Parity)
}

// burst shows what came.
func (r *reading) burst(burst reader.Burst) {
	data := len(burst.Bytes())
	fmt.Fprintf(r.to, "%s  %d bytes at %s\n", time.Now().Format("15:04:05.000"), data, lineWords(burst.Line))
	for _, row := range burst.Rows(16, r.Whole) {
		fmt.Fprintf(r.to, "  %+6d ms  %-47s  %s\n", row.After.Milliseconds(), row.Hex, row.Text)
	}
	if r.profile != nil {
		for _, step := range burst.Steps(*r.profile, r.today) {
			printStep(r.to, step)
		}
	}
	if r.Save != "" {
		r.kept.Bursts = append(r.kept.Bursts, burst)
	}
}

func printStep(to io.Writer, step reader.Step) {
	sign := "ok"
	if !step.Right {
		sign = "--"
	}
	fmt.Fprintf(to, "  %s  %s\n", sign, step.What)
	if step.Why != "" {
		fmt.Fprintf(to, "      %s\n", step.Why)
	}
}

// progress shows how far a search has come.
func (r *reading) progress(progress reader.Progress) {
	switch {
	case progress.Burst != nil:
		r.burst(*progress.Burst)
		if len(progress.Guesses) == 0 {
			fmt.Fprintln(r.to, "  no sense in it yet; swipe again")
			return
		}
		best := progress.Guesses[0]
		fmt.Fprintf(r.to, "  %s%s: %s (%s)\n", best.Profile.Name, inBrackets(best.Unlike), best.Reads[len(best.Reads)-1], best.Why)
	default:
		r.state(progress.Line, progress.State)
	}
}

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " [" + text + "]"
}

// verdict names the best three, and prints the best as a profile to keep.
func (r *reading) verdict() error {
	guesses := r.search.Guesses()
	if len(guesses) == 0 {
		return errors.New("nothing that came made sense: look whether the reader's lamp lights up, and whether it is set to its serial port and not to a keyboard")
	}
	fmt.Fprintln(r.to)
	for rank, guess := range guesses {
		fmt.Fprintf(r.to, "%d. %s%s: %s\n   %s\n", rank+1, guess.Profile.Name, inBrackets(guess.Unlike), guess.Reads[len(guess.Reads)-1], guess.Why)
	}
	if best := guesses[0]; best.Right > 0 {
		fmt.Fprintf(r.to, "\nto keep the first, save this as NAME.toml beside the configuration, and write profile = \"NAME.toml\":\n\n%s", best.Profile.TOML())
		return nil
	}
	return errors.New("a card was recognised and not taken: swipe another, one of the club's")
}

// replay decodes what was saved.
func (r *reading) replay() error {
	file, err := os.Open(r.Replay)
	if err != nil {
		return err
	}
	defer file.Close()
	captured, err := reader.ReadCaptured(file)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Replay, err)
	}
	if captured.Veiled {
		fmt.Fprintln(r.to, "digits and letters were replaced when this was saved: frames are as they came, numbers and check digits are not")
	}
	for _, burst := range captured.Bursts {
		if r.search != nil {
			r.search.Hear(burst)
		}
		r.burst(burst)
	}
	if r.search != nil {
		return r.verdict()
	}
	return nil
}

// save keeps what came.
func (r *reading) save() error {
	if r.Save == "" {
		return nil
	}
	r.kept.Saved = time.Now()
	kept := r.kept
	if !r.Whole {
		kept = kept.Veil()
	}
	text, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.Replace(r.Save, 0o600, func(file *os.File) error { _, err := file.Write(text); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.to, "%d bursts saved as %s\n", len(kept.Bursts), r.Save)
	return err
}
