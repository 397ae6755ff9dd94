package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a server that answers every request with one function, and a client of it.
func serve(t *testing.T, options Options, answer http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	client, err := New(server.URL, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// write answers as central does.
func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set(wire.HeaderCentral, "test")
	w.Header().Set("Content-Type", "application/json")
	if problem, is := body.(*wire.Problem); is {
		w.Header().Set("Content-Type", problem.ContentType(""))
	}
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

var someKey = Key{Enrolment: "kiosk-1", Sequence: 7, Settled: 5}

func TestWhatIsNoAnswerOfCentralIsAway(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	for name, answer := range map[string]http.HandlerFunc{
		"a login page with status 200": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<html>Welcome to the guest network")
		},
		"JSON of somebody else": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"id":"A","machine":3}`)
		},
		"a proxy's 502": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Bad Gateway", http.StatusBadGateway)
		},
		"a problem of somebody else": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"type":"`+wire.ProblemBase+`excluded","status":403,"title":"x"}`)
		},
		"a redirection": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(http.StatusFound)
		},
		"the line drops before the answer": func(w http.ResponseWriter, _ *http.Request) {
			hijack(w).Close()
		},
		"the line drops in the header": func(w http.ResponseWriter, _ *http.Request) {
			line := hijack(w)
			io.WriteString(line, "HTTP/1.1 200 OK\r\nReelkiosk-Cen")
			line.Close()
		},
		"half a body of known length": func(w http.ResponseWriter, _ *http.Request) {
			line := hijack(w)
			io.WriteString(line, "HTTP/1.1 200 OK\r\nReelkiosk-Central: x\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{\"id\":\"A\"}")
			line.Close()
		},
		"half a chunked body": func(w http.ResponseWriter, _ *http.Request) {
			line := hijack(w)
			io.WriteString(line, "HTTP/1.1 200 OK\r\nReelkiosk-Central: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{\"id\":\"A\"}\r\n")
			line.Close()
		},
		"half a body that ends with the line": func(w http.ResponseWriter, _ *http.Request) {
			line := hijack(w)
			io.WriteString(line, "HTTP/1.0 200 OK\r\nReelkiosk-Central: x\r\nContent-Type: application/json\r\n\r\n{\"id\":\"A\",\"mach")
			line.Close()
		},
		"an empty success": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(wire.HeaderCentral, "test")
			w.Header().Set("Content-Type", "application/json")
		},
		"JSON of another shape": func(w http.ResponseWriter, _ *http.Request) { write(w, 200, []int{1}) },
		"a slow line": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set(wire.HeaderCentral, "test")
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"id":`)
			w.(http.Flusher).Flush()
			select {
			case <-release:
			case <-r.Context().Done():
			}
		},
		"busy":            problem(wire.ProblemBusy, 503),
		"stopping":        problem(wire.ProblemStopping, 503),
		"not the writer":  problem(wire.ProblemNotWriter, 503),
		"outcome unknown": problem(wire.ProblemUnknown, 503),
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, Options{Timeout: 300 * time.Millisecond}, answer)
			seat, err := client.Register(t.Context(), someKey, wire.Register{})
			if !errors.Is(err, ErrAway) {
				t.Errorf("got %v, want ErrAway", err)
			}
			var refusal *tournament.Refusal
			if errors.As(err, &refusal) {
				t.Errorf("taken for the refusal %v", refusal)
			}
			if seat != (wire.Seat{}) {
				t.Errorf("an answer came out: %+v", seat)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	client, err := New("http://"+listener.Addr().String(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if _, err := client.Health(t.Context()); !errors.Is(err, ErrAway) {
		t.Errorf("got %v, want ErrAway", err)
	}
}

func TestACallersOwnEndIsToldApart(t *testing.T) {
	client := serve(t, Options{}, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := client.Health(ctx)
	if !errors.Is(err, ErrAway) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want ErrAway and the deadline", err)
	}
}

func TestARefusalIsARefusal(t *testing.T) {
	until := time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)
	client := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		problem := wire.OfRefusal(&tournament.Refusal{Reason: tournament.WindowOver, Clause: 5, Until: until})
		write(w, problem.Status, problem)
	})
	_, err := client.Register(t.Context(), someKey, wire.Register{})
	var refusal *tournament.Refusal
	if !errors.As(err, &refusal) || refusal.Reason != tournament.WindowOver || refusal.Clause != 5 || !refusal.Until.Equal(until) {
		t.Errorf("got %v", err)
	}
	if errors.Is(err, ErrAway) {
		t.Error("a refusal would be tried again")
	}
}

func TestAProblemThatIsNoRefusalIsNotTriedAgain(t *testing.T) {
	client := serve(t, Options{}, problem(wire.ProblemInternal, 500))
	tries := 0
	err := Retry(t.Context(), Backoff{}, func(ctx context.Context) error {
		tries++
		_, err := client.Health(ctx)
		return err
	})
	var got *wire.Problem
	if !errors.As(err, &got) || got.Kind() != wire.ProblemInternal || tries != 1 {
		t.Errorf("got %v after %d tries", err, tries)
	}
}

func TestWhatIsSent(t *testing.T) {
	client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != "POST" || r.URL.Path != wire.PathRegistrations || r.Header.Get(wire.HeaderKey) != "kiosk-1/7" ||
			r.Header.Get(wire.HeaderSettled) != "5" || !strings.Contains(string(body), `"heat":"h1"`) {
			t.Errorf("%s %s %v %s", r.Method, r.URL, r.Header, body)
		}
		write(w, 200, wire.Seat{ID: "S", Machine: 12})
	})
	seat, err := client.Register(t.Context(), someKey, wire.Register{Heat: "h1"})
	if err != nil || seat.Machine != 12 {
		t.Errorf("got %+v, %v", seat, err)
	}
}

// TestDoneOnceThoughTheAnswerWasLost is odoo#40567: the server did it, the answer was lost, the client sent again.
func TestDoneOnceThoughTheAnswerWasLost(t *testing.T) {
	answers := map[string]wire.Seat{}
	machines, lost := 0, 0
	client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get(wire.HeaderKey)
		if _, kept := answers[key]; !kept {
			machines++
			answers[key] = wire.Seat{ID: "S", Machine: machines}
		}
		if lost < 2 {
			lost++
			hijack(w).Close()
			return
		}
		write(w, 200, answers[key])
	})
	var seat wire.Seat
	err := Retry(t.Context(), Backoff{First: time.Millisecond}, func(ctx context.Context) (err error) {
		seat, err = client.Register(ctx, someKey, wire.Register{})
		return err
	})
	if err != nil || seat.Machine != 1 || machines != 1 {
		t.Errorf("got %+v, %v; %d machines given", seat, err, machines)
	}
}

func TestAddresses(t *testing.T) {
	for base, good := range map[string]bool{
		"http://127.0.0.1:7180": true, "http://127.0.0.1:7180/": true, "https://central:7180": true,
		"": false, "127.0.0.1:7180": false, "ftp://x": false, "http://x/v1": false, "http://x?y": false, "http://u:p@x": false,
	} {
		if _, err := New(base, Options{}); (err == nil) != good {
			t.Errorf("%q: %v", base, err)
		}
	}
}

func hijack(w http.ResponseWriter) net.Conn {
	line, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(fmt.Sprint("hijack: ", err))
	}
	return line
}

func problem(kind string, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { write(w, status, wire.NewProblem(kind, status, "x")) }
}
