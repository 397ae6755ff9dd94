package central

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/tmaxmax/go-sse"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/vault"
	"reelkiosk/store/wire"
)

const (
	// gathering is how long events are gathered before the readers of the feed are woken again: an event is everywhere
	// within a second, and a thousand readers are not woken for each commit.
	gathering = 50 * time.Millisecond
	// mostTail bounds the items that are kept for all readers, in bytes. A reader further behind gets pages of its own.
	mostTail = 8 << 20
	// feedPage is how many items a view reads at once.
	feedPage = 500
	// mostBehind is how many items a reader may be behind: a snapshot brings it further, faster.
	mostBehind = 50_000
	// retryFeed is the wait after the books could not be read.
	retryFeed = time.Second
)

// feed brings what the writer commits to the kiosks (design decision 10). One goroutine reads what is new, once for all,
// makes the text of each item, and wakes the readers. No view of the store lasts while anybody is written to.
type feed struct {
	view func(context.Context, func(kv.Reader) error) error
	log  *slog.Logger
	// books and floor make items; they are replaced together where the floor key gets another number.
	books *ledger.Books
	floor *vault.Rewrapper
	// news wakes the goroutine; quit is closed to end it and every reader, ended when it has.
	news, quit, ended chan struct{}
	stopping          sync.Once
	gathering         time.Duration

	// mu guards everything that follows.
	mu sync.Mutex
	// tail are the newest items without a gap, up to head.
	tail  []piece
	bytes int
	head  uint64
	// changed is closed, and made anew, when head moves.
	changed chan struct{}
}

// piece is the text of one item.
type piece struct {
	sequence uint64
	text     []byte
}

// startFeed starts a feed that begins where the books are.
func startFeed(view func(context.Context, func(kv.Reader) error) error, books *ledger.Books, floor *vault.Rewrapper, log *slog.Logger) (*feed, error) {
	f := &feed{
		view: view, log: log, books: books, floor: floor, gathering: gathering, changed: make(chan struct{}),
		news: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{}),
	}
	err := view(context.Background(), func(view kv.Reader) (err error) {
		f.head, _, err = ledger.Last(view)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("beginning the feed: %w", err)
	}
	go f.run()
	return f, nil
}

// stop ends the feed and its readers at once. It may be called twice.
func (f *feed) stop() {
	f.stopping.Do(func() { close(f.quit) })
	<-f.ended
}

// committed tells the feed that there is something new. It never waits.
func (f *feed) committed() {
	select {
	case f.news <- struct{}{}:
	default:
	}
}

func (f *feed) run() {
	defer close(f.ended)
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		select {
		case <-f.quit:
			return
		case <-f.news:
		}
		pause := f.gathering
		if err := f.advance(); err != nil {
			f.log.Error("reading the books for the feed", "error", err)
			pause = retryFeed
			f.committed()
		}
		wait.Reset(pause)
		select {
		case <-f.quit:
			return
		case <-wait.C:
		}
	}
}

// advance reads what is new, page by page.
func (f *feed) advance() error {
	for {
		f.mu.Lock()
		head := f.head
		f.mu.Unlock()
		pieces, err := f.page(context.Background(), head)
		if err != nil || len(pieces) == 0 {
			return err
		}
		f.append(pieces)
	}
}

// page reads a page of items from the newest revision.
func (f *feed) page(ctx context.Context, newer uint64) ([]piece, error) {
	var items []wire.FeedItem
	err := f.view(ctx, func(view kv.Reader) (err error) {
		items, err = f.books.Feed(view, newer, feedPage, f.floor)
		return err
	})
	if err != nil {
		return nil, err
	}
	pieces := make([]piece, len(items))
	for i := range items {
		if pieces[i], err = pieceOf(&items[i]); err != nil {
			return nil, err
		}
	}
	return pieces, nil
}

func (f *feed) append(pieces []piece) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range pieces {
		f.tail, f.bytes, f.head = append(f.tail, p), f.bytes+len(p.text), p.sequence
	}
	if f.bytes > mostTail {
		drop := 0
		for ; f.bytes > mostTail/2; drop++ {
			f.bytes -= len(f.tail[drop].text)
		}
		f.tail = append([]piece(nil), f.tail[drop:]...) // readers may still hold the old one
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

// newest returns the sequence of the newest event, and a channel that is closed when there is a newer one.
func (f *feed) newest() (uint64, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.head, f.changed
}

// after returns items that come after a sequence: at most a page's worth from the tail, or else a page.
func (f *feed) after(ctx context.Context, newer uint64) ([]piece, error) {
	f.mu.Lock()
	if len(f.tail) > 0 && newer+1 >= f.tail[0].sequence {
		from := newer + 1 - f.tail[0].sequence
		rest := f.tail[min(from, uint64(len(f.tail))):]
		f.mu.Unlock()
		return rest[:min(len(rest), feedPage)], nil
	}
	head := f.head
	f.mu.Unlock()
	if newer >= head {
		return nil, nil
	}
	return f.page(ctx, newer)
}

// pieceOf makes the server-sent event of an item (WHATWG HTML, section 9.2).
func pieceOf(item *wire.FeedItem) (piece, error) {
	text, err := json.Marshal(item)
	if err != nil {
		return piece{}, err
	}
	message := &sse.Message{ID: sse.ID(strconv.FormatUint(item.Sequence, 10))}
	message.AppendData(string(text))
	written, err := message.MarshalText()
	return piece{item.Sequence, written}, err
}

// headText makes the server-sent event of a head.
func headText(head wire.FeedHead) ([]byte, error) {
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	message := &sse.Message{Type: sse.Type(wire.FeedHeadType)}
	message.AppendData(string(text))
	return message.MarshalText()
}

// together joins the texts of pieces for one write.
func together(pieces []piece) []byte {
	var text bytes.Buffer
	for _, p := range pieces {
		text.Write(p.text)
	}
	return text.Bytes()
}

// feeding is what of a Central brings the books to kiosks.
type feeding struct {
	feed      *feed
	snapshots *snapshots
	// defined is the definition as kiosks read it, and definedHash its hash.
	defined     []byte
	definedHash string
	// keepAlive is how often a reader of the feed hears where the books stand, slowest how long a write may take.
	keepAlive, slowest time.Duration
}

// startFeed begins to bring what is committed to the kiosks.
func (c *Central) startFeed() (err error) {
	c.keepAlive, c.slowest = keepAlive, slowest
	if c.defined, c.definedHash, err = wire.EncodeDefinition(c.options.Definition); err != nil {
		return err
	}
	c.snapshots, err = openSnapshots(c.options.Folder, c.options.Floor, c.books, c.writer.present, c.log)
	if err != nil {
		return err
	}
	c.feed, err = startFeed(c.writer.view, c.books, c.options.Vault.Rewrapper(c.options.Floor), c.log)
	if err != nil {
		return err
	}
	c.writer.applied = c.feed.committed
	return nil
}

// news tells whoever waits that something was committed.
func (w *writer) news() {
	if w.applied != nil {
		w.applied()
	}
}

// present returns the store, nil while it is being opened again. It may be closed at any moment.
func (w *writer) present() kv.Store {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.store
}
