package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"reelkiosk/store/wire"
)

// A central that answers is running: whoever is told to start it looks in the wrong place.
func TestCentralThatIsBusyWasAskedWhetherItIsRunning(t *testing.T) {
	cases := []struct {
		kind, title string
		status      int
		says        string
	}{
		{wire.ProblemBusy, "Central is busy with other imports; try again when they have ended", exitFailed, "busy with other imports"},
		{wire.ProblemStopping, "Central is being stopped", exitFailed, "being stopped"},
		{wire.ProblemUnknown, "The disk did not confirm", exitAway, "The disk did not confirm"},
	}
	for _, c := range cases {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			problem := wire.NewProblem(c.kind, http.StatusServiceUnavailable, c.title)
			w.Header().Set(wire.HeaderCentral, "test")
			w.Header().Set("Content-Type", problem.ContentType(""))
			w.WriteHeader(problem.Status)
			_ = json.NewEncoder(w).Encode(problem)
		}))
		var said bytes.Buffer
		status := run(t.Context(), []string{"--central", server.URL, "heats"}, strings.NewReader(""), &bytes.Buffer{}, &said)
		server.Close()
		if status != c.status || !strings.Contains(said.String(), c.says) || c.status != exitAway && strings.Contains(said.String(), "is central running") {
			t.Errorf("%s: status %d, %q", c.kind, status, said.String())
		}
	}
}
