package kiosk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"
)

// A kiosk that runs holds its own file, so that whoever wants to look into its outbox asks the kiosk: over a socket in its
// data folder, which only its own user may enter. It speaks HTTP with JSON:
//
//	GET /outbox          an Outbox
//	POST /outbox/retry   a Retried: sends these dead letters again, or all
//	GET /health          how the kiosk is (wire.KioskHealth)
//	POST /test-page      prints a test page (TestAsked), and says what became of it (TestPrinted)
//	POST /stop           a Stopped: gives everything back, before a planned stop

// Retried says which dead letters are to be sent again, or were.
type Retried struct {
	// Numbers are theirs; none are all.
	Numbers []uint64 `json:"numbers"`
}

// ErrNotRunning is returned where no kiosk listens at the socket.
var ErrNotRunning = errors.New("no kiosk is running there")

// controlTimeout bounds a question to a running kiosk, and its answer.
const controlTimeout = 5 * time.Second

// control answers at the socket until ctx ends.
func (c *Conductor) control(ctx context.Context) {
	// The file of an earlier life; two kiosks of one folder cannot run, since the first has the kiosk's own file.
	if err := os.Remove(c.Control); err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.Log.Warn("the socket of an earlier run", "error", err)
	}
	listener, err := net.Listen("unix", c.Control)
	if err != nil {
		c.Log.Warn("nobody can ask this kiosk for its outbox", "error", err)
		return
	}
	if err := os.Chmod(c.Control, 0o600); err != nil {
		c.Log.Warn("the socket's mode", "error", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /outbox", func(w http.ResponseWriter, _ *http.Request) {
		if c.courier == nil {
			http.Error(w, "no outbox: the kiosk has no central, or cannot use its own file", http.StatusConflict)
			return
		}
		writeJSON(w, c.courier.outbox())
	})
	mux.HandleFunc("POST /outbox/retry", func(w http.ResponseWriter, r *http.Request) {
		if c.courier == nil {
			http.Error(w, "no outbox: the kiosk has no central, or cannot use its own file", http.StatusConflict)
			return
		}
		var asked Retried
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&asked); err != nil {
			http.Error(w, "want JSON such as {\"numbers\":[17]}", http.StatusBadRequest)
			return
		}
		done, err := RetryAll(c.courier.replica.Dead(), asked.Numbers, func(number uint64) error { return c.courier.again(ctx, number) })
		if err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
			return
		}
		writeJSON(w, done)
	})
	mux.HandleFunc("POST /stop", c.stopOnDemand)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { c.wellNow(ctx, w) })
	mux.HandleFunc("POST /test-page", func(w http.ResponseWriter, r *http.Request) { c.testPage(ctx, w, r) })
	server := &http.Server{Handler: mux, ReadTimeout: controlTimeout, WriteTimeout: controlTimeout}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		c.Log.Warn("nobody can ask this kiosk for its outbox any more", "error", err)
	}
}

func writeJSON(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // who went away hears nothing
}

// RunningOutbox asks the kiosk that listens at a socket for its outbox. The error is ErrNotRunning where none does.
func RunningOutbox(ctx context.Context, socket string) (Outbox, error) {
	var outbox Outbox
	return outbox, askRunning(ctx, socket, http.MethodGet, "/outbox", nil, &outbox)
}

// RunningRetry has the kiosk that listens at a socket send dead letters again, all of them where no numbers are given, and
// returns which. The error is ErrNotRunning where none does.
func RunningRetry(ctx context.Context, socket string, numbers []uint64) (Retried, error) {
	var done Retried
	return done, askRunning(ctx, socket, http.MethodPost, "/outbox/retry", Retried{numbers}, &done)
}

// askRunning asks the kiosk that listens at a socket. The error is ErrNotRunning where none does.
func askRunning(ctx context.Context, socket, method, path string, body, answer any) error {
	return askWithin(ctx, controlTimeout, socket, method, path, body, answer)
}

// askWithin is askRunning for what may take longer.
func askWithin(ctx context.Context, patience time.Duration, socket, method, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, method, "http://kiosk"+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	response, err := (&http.Client{Transport: transport, Timeout: patience}).Do(request)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return ErrNotRunning
	}
	if err != nil {
		return fmt.Errorf("asking the kiosk: %w", err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(io.LimitReader(response.Body, 64<<20))
	if err != nil {
		return fmt.Errorf("asking the kiosk: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the kiosk says: %s", bytes.TrimSpace(said))
	}
	return json.Unmarshal(said, answer)
}
