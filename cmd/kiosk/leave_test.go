package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"reelkiosk/kiosk"
	"reelkiosk/kiosk/config"
	"reelkiosk/store/kv"
	"reelkiosk/store/replica"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// TestWithoutADisplayWhatWasAskedForIsStillSettled: an earlier run had begun a print and left a notice unanswered. Nobody
// can use a kiosk without a display, but central hears of both.
func TestWithoutADisplayWhatWasAskedForIsStillSettled(t *testing.T) {
	folder := t.TempDir()
	leftBehind(t, folder)
	var mu sync.Mutex
	var heard []string
	central := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(wire.HeaderCentral, "test")
		w.Header().Set("Content-Type", "application/json")
		var sent wire.Outbox
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || r.URL.Path != wire.PathOutbox {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		var answers wire.OutboxAnswers
		mu.Lock()
		defer mu.Unlock()
		for _, item := range sent.Items {
			heard = append(heard, fmt.Sprintf("%s/%d", item.Path, item.Sequence))
			answers.Answers = append(answers.Answers, wire.OutboxAnswer{Sequence: item.Sequence, Status: 200, Body: `{"sequence":1}`})
		}
		_ = json.NewEncoder(w).Encode(answers)
	}))
	defer central.Close()
	settings := config.Default()
	settings.Name, settings.Central, settings.Data = "kiosk-3", central.URL, folder
	look, err := looksOf(settings)
	if err != nil {
		t.Fatal(err)
	}
	parts := assemble(settings, look, slog.New(slog.DiscardHandler))
	if err := leave(parts, parts.Log); err != nil {
		t.Error(err)
	}
	if err := parts.close(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if got := strings.Join(heard, " "); got != wire.PathNotices+"/2 "+wire.PathPrints+"/3" {
		t.Errorf("central heard %v", heard)
	}
}

func TestWithoutADisplayAndWithoutCentralItSaysWhatIsLeft(t *testing.T) {
	folder := t.TempDir()
	leftBehind(t, folder)
	settings := config.Default()
	settings.Name, settings.Central, settings.Data = "kiosk-3", "http://127.0.0.1:9", folder
	look, err := looksOf(settings)
	if err != nil {
		t.Fatal(err)
	}
	parts := assemble(settings, look, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := kiosk.Settle(ctx, parts.Parts); err == nil || !strings.HasPrefix(err.Error(), "2 requests wait for central") {
		t.Errorf("got %v", err)
	}
	if err := parts.close(); err != nil {
		t.Error(err)
	}
}

// TestSecondKioskHangsOnTheLock (treefmt#408): it ends within two seconds and says who holds the file.
func TestSecondKioskHangsOnTheLock(t *testing.T) {
	settings, look := settingsIn(t)
	held, err := replica.Open(filepath.Join(settings.Data, replicaFile), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	began := time.Now()
	parts := assemble(settings, look, slog.New(slog.DiscardHandler))
	took, err := time.Since(began), parts.unusable()
	if took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	if !errors.Is(err, kv.ErrHeld) || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("got %v, want who holds it", err)
	}
	if err := parts.close(); err != nil {
		t.Error(err)
	}
}

func TestRestartDuringASlowPrintWaitsForTheOldOne(t *testing.T) {
	settings, look := settingsIn(t)
	held, err := replica.Open(filepath.Join(settings.Data, replicaFile), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	time.AfterFunc(500*time.Millisecond, func() { ended <- held.Close() })
	parts := assemble(settings, look, slog.New(slog.DiscardHandler))
	if err := errors.Join(parts.unusable(), parts.ReplicaError, <-ended, parts.close()); err != nil {
		t.Error(err)
	}
}

// settingsIn is a configuration with a data folder of its own.
func settingsIn(t *testing.T) (config.Config, looks) {
	t.Helper()
	settings := config.Default()
	settings.Name, settings.Central, settings.Data = "kiosk-3", "http://127.0.0.1:9", t.TempDir()
	look, err := looksOf(settings)
	if err != nil {
		t.Fatal(err)
	}
	return settings, look
}

// leftBehind makes the file of a kiosk that was killed while it printed.
func leftBehind(t *testing.T, folder string) {
	t.Helper()
	file, err := replica.Open(filepath.Join(folder, replicaFile), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	request, err := file.Ask(wire.PathRegistrations, wire.Register{})
	if err != nil {
		t.Fatal(err)
	}
	ticket, err := tournament.NewTicketNumber(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Settle(request, &replica.Intent{Ticket: string(ticket), Seat: "s"}); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Ask(wire.PathNotices, wire.Notice{Kind: wire.HelpCalled}); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
