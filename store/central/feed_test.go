package central

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reelkiosk/store/client"
	"reelkiosk/store/exclusion"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

// copying is a kiosk's copy of the books, in memory.
type copying struct {
	books *ledger.Books
	view  *kv.Overlay
	heads chan wire.FeedHead
}

func (h *house) copying() *copying {
	h.Helper()
	defined, _, _, err := h.client.Definition(h.Context())
	if err != nil {
		h.Fatal(err)
	}
	books := ledger.New(defined, vault.New(h.options.Vault.Floor(1)), exclusion.NewSet(nil))
	return &copying{books, kv.NewOverlay(nothing{}), make(chan wire.FeedHead, 1000)}
}

func (c *copying) follower() client.Follower {
	return client.Follower{
		Position: func() (client.Position, error) {
			sequence, at, err := ledger.Last(c.view)
			return client.Position{Sequence: sequence, At: at}, err
		},
		Take: func(_ context.Context, items []wire.FeedItem) error {
			for i := range items {
				if _, err := c.books.Follow(c.view, &items[i]); err != nil {
					return err
				}
			}
			return nil
		},
		Head: func(head wire.FeedHead) error { c.heads <- head; return nil },
	}
}

// until waits for a head of that sequence or a later one.
func (c *copying) until(t *testing.T, sequence uint64) wire.FeedHead {
	t.Helper()
	late := time.After(10 * time.Second)
	for {
		select {
		case head := <-c.heads:
			if head.Sequence >= sequence {
				return head
			}
		case <-late:
			t.Fatalf("the feed never came to %d", sequence)
		}
	}
}

// following follows the feed until the function that it returns is called; that returns what Follow did.
func (h *house) following(c *copying) (stop func() error) {
	ctx, cancel := context.WithCancel(h.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.client.Follow(ctx, c.follower()) }()
	return func() error { cancel(); return <-ended }
}

func TestTheFeedBringsEachChangeAtOnce(t *testing.T) {
	h := newHouse(t)
	who := h.player(2)
	c := h.copying()
	stop := h.following(c)
	c.until(t, h.sequence())
	for _, act := range []func() error{
		func() error {
			_, err := h.client.Register(t.Context(), h.key(), h.registration(who, h.nextHeat()))
			return err
		},
		func() error { h.player(1); return nil },
	} {
		start := time.Now()
		if err := act(); err != nil {
			t.Fatal(err)
		}
		head := c.until(t, h.sequence())
		if took := time.Since(start); took > time.Second {
			t.Errorf("a change took %v", took)
		}
		if !head.ServerTime.Equal(noon) || head.Floor != 1 || head.Definition != h.definedHash {
			t.Errorf("the head is %+v", head)
		}
	}
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	person, changes, err := c.books.Look(c.view, ledger.Request{At: noon, Random: rand.Reader, Act: ledger.Identify{Document: document(1), Kiosk: "kiosk-1"}})
	if err != nil || changes || person.Value.(wire.Person).ID != who || len(person.Value.(wire.Person).Seats) != 1 {
		t.Errorf("the kiosk says %+v, %v", person.Value, err)
	}
	// It goes on where it was.
	h.player(1)
	stop = h.following(c)
	c.until(t, h.sequence())
	stop()
}

func TestAFeedLeadsOnOnlyInTheSameBooks(t *testing.T) {
	h := newHouse(t)
	h.player(1)
	last := h.sequence()
	milliseconds := noon.UnixMilli()
	for situation, c := range map[string]struct {
		query, header string
		status        int
	}{
		"from the beginning":      {"", "", 200},
		"from an event of theirs": {fmt.Sprintf("?after=1&at=%d", milliseconds), "", 200},
		"from the last event":     {fmt.Sprintf("?after=%d&at=%d", last, milliseconds), "", 200},
		"by the header":           {"?after=99", "1", 200},
		"from another event":      {fmt.Sprintf("?after=1&at=%d", milliseconds+1), "", 410},
		"from beyond the books":   {fmt.Sprintf("?after=%d", last+1), "", 410},
		"no sequence":             {"?after=x", "", 422},
		"no sequence as id":       {"", "x", 400},
	} {
		response := h.raw("GET", wire.PathFeed+c.query, "", func(r *http.Request) {
			if c.header != "" {
				r.Header.Set("Last-Event-ID", c.header)
			}
		})
		if response.StatusCode != c.status {
			t.Errorf("%s: %s", situation, response.Status)
		}
		if c.status == 410 {
			if problem := h.problem(response); problem.Kind() != wire.ProblemSnapshot || problem.Detail == "" {
				t.Errorf("%s: %+v", situation, problem)
			}
		}
		response.Body.Close()
	}
}

func TestStopEndsFeedsAtOnce(t *testing.T) {
	h := newHouse(t)
	c := h.copying()
	stop := h.following(c)
	c.until(t, 0)
	start := time.Now()
	h.stop()
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("stopping took %v", took)
	}
	stop()
}

// fill records notices until the books have about so many bytes more.
func (h *house) fill(bytes int) {
	h.Helper()
	detail := strings.Repeat("x", 500)
	for range bytes / 500_000 {
		_, err := h.writer.do(h.Context(), func(view *kv.Overlay, at time.Time) (any, error) {
			for range 1000 {
				notice := ledger.Notice{Kind: wire.Fault, Detail: detail, Kiosk: "kiosk-1"}
				if _, err := h.books.Apply(view, ledger.Request{At: at, Where: "kiosk-1", Act: notice}); err != nil {
					return nil, err
				}
			}
			return nil, nil
		})
		if err != nil {
			h.Fatal(err)
		}
	}
}

func TestAReaderThatTakesNothingIsCutAndHoldsUpNobody(t *testing.T) {
	h := newHouse(t)
	h.slowest = 300 * time.Millisecond
	h.fill(8 << 20)
	line, err := net.DialTCP("tcp", nil, tcpAddress(t, h.base))
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	line.SetReadBuffer(4096)
	fmt.Fprintf(line, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", wire.PathFeed)
	cut := make(chan struct{})
	go func() {
		defer close(cut)
		// It is logged when it is over.
		for !strings.Contains(h.log.String(), "path="+wire.PathFeed) {
			time.Sleep(10 * time.Millisecond)
		}
	}()
	c := h.copying()
	defer h.following(c)()
	h.player(1)
	c.until(t, h.sequence())
	select {
	case <-cut:
	case <-time.After(10 * time.Second):
		t.Error("the reader that takes nothing was never cut")
	}
}

func tcpAddress(t *testing.T, base string) *net.TCPAddr {
	t.Helper()
	address, err := net.ResolveTCPAddr("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// fetched brings a snapshot's file and reads it into a view.
func (h *house) fetched() (wire.Snapshot, *kv.Overlay) {
	h.Helper()
	var newest wire.Snapshot
	err := client.Retry(h.Context(), client.Backoff{}, func(ctx context.Context) (err error) {
		newest, err = h.client.Snapshot(ctx)
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	file, err := os.Create(filepath.Join(h.TempDir(), "snapshot"))
	if err != nil {
		h.Fatal(err)
	}
	defer file.Close()
	if err := h.client.DownloadSnapshot(h.Context(), newest.Name, file, 0); err != nil {
		h.Fatal(err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		h.Fatal(err)
	}
	snapshot, err := ledger.ReadSnapshot(file)
	if err != nil || snapshot.Sequence != newest.Sequence {
		h.Fatal(snapshot, err)
	}
	view := kv.NewOverlay(nothing{})
	records, end := snapshot.Records()
	for key, value := range records {
		view.Put(key, value)
	}
	if err := end(); err != nil {
		h.Fatal(err)
	}
	return newest, view
}

func TestASnapshotLeadsOnToTheFeed(t *testing.T) {
	h := newHouse(t)
	h.bringIn(members(50))
	h.player(2)
	newest, view := h.fetched()
	if newest.Sequence != h.sequence() || newest.Floor != 1 {
		t.Errorf("the snapshot is %+v, the books stand at %d", newest, h.sequence())
	}
	h.player(1)
	if again, _ := h.fetched(); again != newest {
		t.Errorf("one event later there is another snapshot: %+v", again)
	}
	c := h.copying()
	c.view = view
	stop := h.following(c)
	c.until(t, h.sequence())
	stop()
	person, changes, err := c.books.Look(c.view, ledger.Request{At: noon, Random: rand.Reader, Act: ledger.Identify{Card: "6001000000000007", Kiosk: "kiosk-1"}})
	if err != nil || !changes || person.Value.(wire.Person).FirstName != "Thandi" {
		t.Errorf("a member of the snapshot: %+v, %v", person.Value, err)
	}
	h.stop()
	h.start()
	if again, _ := h.fetched(); again != newest {
		t.Errorf("after a restart there is another snapshot: %+v", again)
	}
	left, err := os.ReadDir(filepath.Join(h.options.Folder, snapshotsFolder))
	if err != nil || len(left) != 1 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

func TestASnapshotOfOtherBooksIsNotGiven(t *testing.T) {
	h := newHouse(t)
	h.player(1)
	newest, _ := h.fetched()
	h.stop()
	folder := filepath.Join(h.options.Folder, snapshotsFolder)
	other := filepath.Join(folder, strings.Replace(newest.Name, fmt.Sprint(noon.UnixMilli()), fmt.Sprint(noon.UnixMilli()-1), 1))
	if err := os.Rename(filepath.Join(folder, newest.Name), other); err != nil {
		t.Fatal(err)
	}
	h.start()
	h.player(1)
	if again, _ := h.fetched(); again.Sequence != h.sequence() {
		t.Errorf("a snapshot of others was given: %+v", again)
	}
}

func TestTheListInUseCanBeFetched(t *testing.T) {
	h := newHouse(t)
	h.mostEntered = 5
	h.bringIn(exclusions(1, 20))
	c := h.copying()
	stop := h.following(c)
	c.until(t, h.sequence())
	stop()
	version, err := ledger.ListVersion(c.view)
	if err != nil || version != 1 {
		t.Fatalf("the kiosk needs list %d: %v", version, err)
	}
	path := filepath.Join(t.TempDir(), "list")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := h.client.DownloadList(t.Context(), version, file, 0); err != nil {
		t.Fatal(err)
	}
	list, err := exclusion.OpenList(path)
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	if list.Version() != 1 || list.Len() != 19 {
		t.Errorf("list %d has %d hashes", list.Version(), list.Len())
	}
	c.books = ledger.New(c.books.Definition(), vault.New(h.options.Vault.Floor(1)), exclusion.NewSet(list))
	_, _, err = c.books.Look(c.view, ledger.Request{At: noon, Random: rand.Reader, Act: ledger.Identify{Document: document(7), Kiosk: "kiosk-1"}})
	if refusal, is := errors.AsType[*tournament.Refusal](err); !is || refusal.Reason != tournament.Excluded {
		t.Errorf("somebody on the list: %v", err)
	}
	if err := h.client.DownloadList(t.Context(), 2, file, 0); err == nil {
		t.Error("a list that is none was given")
	}
}

func TestFilesAreServedInRanges(t *testing.T) {
	h := newHouse(t)
	h.player(1)
	newest, _ := h.fetched()
	whole, err := io.ReadAll(h.raw("GET", wire.PathSnapshots+newest.Name, "").Body)
	if err != nil || int64(len(whole)) != newest.Bytes {
		t.Fatal(len(whole), err)
	}
	response := h.raw("GET", wire.PathSnapshots+newest.Name, "", func(r *http.Request) {
		r.Header.Set("Range", "bytes=100-")
		r.Header.Set("If-Range", `"`+newest.Name+`"`)
	})
	part, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusPartialContent || !bytes.Equal(part, whole[100:]) {
		t.Errorf("a range: %s, %d bytes, %v", response.Status, len(part), err)
	}
	for _, name := range []string{"books-9-9-9", "..%2Fbooks.db", "copy-of-the-store"} {
		if response := h.raw("GET", wire.PathSnapshots+name, ""); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", name, response.Status)
		}
	}
}
