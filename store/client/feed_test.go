package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"reelkiosk/store/wire"
)

// item writes an item of the feed as central does.
func item(sequence int) string {
	return fmt.Sprintf("id: %d\ndata: {\"seq\":%d,\"event\":{}}\n\n", sequence, sequence)
}

func head(sequence int) string {
	return fmt.Sprintf("event: head\ndata: {\"seq\":%d,\"server_time\":\"2026-11-30T12:00:00+02:00\"}\n\n", sequence)
}

// feeding begins a feed as central does.
func feeding(w http.ResponseWriter) {
	w.Header().Set(wire.HeaderCentral, "test")
	w.Header().Set("Content-Type", "text/event-stream")
}

// notes is a follower that notes what comes, and ends at a head of that sequence.
type notes struct {
	taken []uint64
	heads []uint64
	away  int
}

var errEnough = errors.New("enough")

func (n *notes) follower(until uint64) Follower {
	return Follower{
		Position: func() (Position, error) {
			if len(n.taken) == 0 {
				return Position{}, nil
			}
			return Position{Sequence: n.taken[len(n.taken)-1]}, nil
		},
		Take: func(_ context.Context, items []wire.FeedItem) error {
			for _, item := range items {
				n.taken = append(n.taken, item.Sequence)
			}
			return nil
		},
		Head: func(head wire.FeedHead) error {
			n.heads = append(n.heads, head.Sequence)
			if head.Sequence == until {
				return errEnough
			}
			return nil
		},
		Away:  func(error) { n.away++ },
		Stall: 200 * time.Millisecond,
	}
}

func TestAFeedIsReadThroughWhateverIsOnTheLine(t *testing.T) {
	for situation, broken := range map[string]func(w http.ResponseWriter, r *http.Request){
		"a login page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<html>Welcome to the guest network")
		},
		"a feed of somebody else": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, item(3)+head(3))
		},
		"a login page in the middle of the feed": func(w http.ResponseWriter, _ *http.Request) {
			feeding(w)
			io.WriteString(w, item(3)+"<html>\n\n<body>id: 4\n\n")
		},
		"a proxy's 502": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Bad Gateway", http.StatusBadGateway) },
		"a redirection": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(http.StatusFound)
		},
		"central is stopping": func(w http.ResponseWriter, _ *http.Request) {
			write(w, 503, wire.NewProblem(wire.ProblemStopping, 503, "stopping"))
		},
		"a cut in the middle of an item": func(w http.ResponseWriter, _ *http.Request) {
			feeding(w)
			io.WriteString(w, item(3)+item(4)[:20])
		},
		"a cut before the empty line": func(w http.ResponseWriter, _ *http.Request) {
			feeding(w)
			io.WriteString(w, item(3)+item(4)[:len(item(4))-1])
		},
		"the line drops": func(w http.ResponseWriter, _ *http.Request) { hijack(w).Close() },
		"items that come again": func(w http.ResponseWriter, _ *http.Request) {
			feeding(w)
			io.WriteString(w, item(1)+item(2)+item(3)+item(3)+item(2)+item(4))
		},
		"an item that is missing": func(w http.ResponseWriter, _ *http.Request) {
			feeding(w)
			io.WriteString(w, item(3)+item(5)+head(5))
		},
		"an id that is another's": func(w http.ResponseWriter, _ *http.Request) {
			feeding(w)
			io.WriteString(w, item(3)+"id: 5\ndata: {\"seq\":4,\"event\":{}}\n\n")
		},
		"a head beyond what came": func(w http.ResponseWriter, _ *http.Request) {
			feeding(w)
			io.WriteString(w, item(3)+head(4))
		},
		"a line that says nothing any more": func(w http.ResponseWriter, r *http.Request) {
			feeding(w)
			io.WriteString(w, item(3))
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
		"comments and events of a newer central": func(w http.ResponseWriter, _ *http.Request) {
			feeding(w)
			io.WriteString(w, ": hello\n\nevent: weather\ndata: rain\n\n"+item(3))
		},
	} {
		t.Run(situation, func(t *testing.T) {
			t.Parallel()
			calls := 0
			client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
				calls++
				after, _ := strconv.Atoi(r.URL.Query().Get("after"))
				switch calls {
				case 1:
					feeding(w)
					io.WriteString(w, item(1)+item(2))
				case 2:
					broken(w, r)
				default:
					feeding(w)
					for next := after + 1; next <= 6; next++ {
						io.WriteString(w, item(next))
					}
					io.WriteString(w, head(6))
				}
			})
			var n notes
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if err := client.Follow(ctx, n.follower(6)); !errors.Is(err, errEnough) {
				t.Fatal(err)
			}
			if want := []uint64{1, 2, 3, 4, 5, 6}; !slices.Equal(n.taken, want) || !slices.Equal(n.heads, []uint64{6}) {
				t.Errorf("took %v, heads %v", n.taken, n.heads)
			}
			if n.away == 0 {
				t.Error("nobody was told that the line broke")
			}
		})
	}
}

func TestAFeedThatOnlySaysWhereTheBooksStandIsNotDead(t *testing.T) {
	client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		feeding(w)
		for range 6 {
			io.WriteString(w, head(0))
			http.NewResponseController(w).Flush()
			select {
			case <-time.After(100 * time.Millisecond):
			case <-r.Context().Done():
				return
			}
		}
		io.WriteString(w, item(1)+head(1))
	})
	var n notes
	if err := client.Follow(t.Context(), n.follower(1)); !errors.Is(err, errEnough) || n.away > 0 {
		t.Errorf("%v, away %d times", err, n.away)
	}
}

func TestAFeedThatDoesNotLeadOnSaysSo(t *testing.T) {
	client := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusGone, wire.NewProblem(wire.ProblemSnapshot, http.StatusGone, "too far"))
	})
	var n notes
	err := client.Follow(t.Context(), n.follower(1))
	if problem, is := errors.AsType[*wire.Problem](err); !is || problem.Kind() != wire.ProblemSnapshot {
		t.Errorf("got %v", err)
	}
}

func TestManyItemsAreHandedOverTogether(t *testing.T) {
	const many = 5000
	client := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		feeding(w)
		for next := 1; next <= many; next++ {
			io.WriteString(w, item(next))
		}
		io.WriteString(w, head(many))
	})
	var n notes
	follower := n.follower(many)
	batches, take := 0, follower.Take
	follower.Take = func(ctx context.Context, items []wire.FeedItem) error {
		batches++
		time.Sleep(time.Millisecond) // a commit
		return take(ctx, items)
	}
	if err := client.Follow(t.Context(), follower); !errors.Is(err, errEnough) || len(n.taken) != many {
		t.Fatal(err, len(n.taken))
	}
	if batches > many/20 {
		t.Errorf("%d items came in %d commits", many, batches)
	}
}

// cutting serves a file that breaks off after so many bytes of each answer.
func cutting(name string, content []byte, most int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(wire.HeaderCentral, "test")
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("ETag", strconv.Quote(name))
		http.ServeContent(&limited{ResponseWriter: w, left: most}, r, "", time.Time{}, bytes.NewReader(content))
	}
}

type limited struct {
	http.ResponseWriter
	left int
}

func (l *limited) Write(text []byte) (int, error) {
	if len(text) > l.left {
		l.ResponseWriter.Write(text[:l.left])
		panic(http.ErrAbortHandler)
	}
	l.left -= len(text)
	return l.ResponseWriter.Write(text)
}

func TestADownloadGoesOnWhereItWasCut(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	var mu sync.Mutex
	asked := 0
	serveFile := cutting("list-3", content, 100_000)
	client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked++
		call := asked
		mu.Unlock()
		if call == 2 {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<html>Welcome to the guest network")
			return
		}
		serveFile(w, r)
	})
	file, err := os.Create(filepath.Join(t.TempDir(), "list"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	download := func() error {
		return Retry(t.Context(), Backoff{First: time.Millisecond}, func(ctx context.Context) error {
			return client.DownloadList(ctx, 3, file, 0)
		})
	}
	for range 2 { // the second time it is whole already
		if err := download(); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file.Name())
		if err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%d bytes of %d came, or others: %v", len(got), len(content), err)
		}
	}
	if asked < 5 {
		t.Errorf("it came in %d parts", asked)
	}
}

func TestADownloadOfWhatIsNotThereAnyMore(t *testing.T) {
	client := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusNotFound, wire.NewProblem(wire.ProblemNotFound, http.StatusNotFound, "gone"))
	})
	file, err := os.Create(filepath.Join(t.TempDir(), "snapshot"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	err = client.DownloadSnapshot(t.Context(), "books-1-1-1", file, 0)
	if problem, is := errors.AsType[*wire.Problem](err); !is || problem.Kind() != wire.ProblemNotFound {
		t.Errorf("got %v", err)
	}
}

func TestWaitsHaveJitter(t *testing.T) {
	seen := map[time.Duration]bool{}
	for range 20 {
		wait := jitter(time.Second)
		if wait < time.Second/2 || wait > time.Second {
			t.Fatal(wait)
		}
		seen[wait] = true
	}
	if len(seen) < 10 {
		t.Errorf("kiosks that lost central together come back together: %v", seen)
	}
}
