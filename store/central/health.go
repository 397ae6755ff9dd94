package central

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/durable"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

const (
	// HealthFile is the name, within the folder, of the file that has the last that each kiosk said of itself. It is no part
	// of the books: whoever removes it loses what kiosks tell again within seconds.
	HealthFile = "kiosks.json"
	// healthKept is how old that file may be.
	healthKept = time.Minute
	// silentAfter is how long nothing must have been heard of a kiosk for nobody to be sent to it: three of the times that
	// kiosks tell how they are.
	silentAfter = 45 * time.Second
	// lookedAfter is how old what is known of silent kiosks may be.
	lookedAfter = 5 * time.Second
)

// reports are the last that each kiosk said of itself.
type reports struct {
	path string

	// keeping is held while the file is written.
	keeping sync.Mutex

	// mu guards everything that follows.
	mu   sync.Mutex
	last map[string]report
	// kept is when the file was last written, changed whether something came since.
	kept    time.Time
	changed bool
	// silent are the silent kiosks as of looked.
	silent []string
	looked time.Time
}

// report is what a kiosk said of itself, and when.
type report struct {
	At     time.Time        `json:"at"`
	Health wire.KioskHealth `json:"health"`
}

// openReports reads what was kept. A file that cannot be read is as good as none.
func openReports(folder string) (*reports, error) {
	r := &reports{path: filepath.Join(folder, HealthFile), last: map[string]report{}}
	text, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &r.last)
	}
	if err != nil {
		r.last = map[string]report{}
		return r, fmt.Errorf("what kiosks said of themselves: %w", err)
	}
	return r, nil
}

// take takes what a kiosk says of itself.
func (r *reports) take(health wire.KioskHealth, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last[health.Kiosk], r.changed = report{now, health}, true
}

// of returns what a kiosk last said of itself, and when.
func (r *reports) of(kiosk string) (*wire.KioskHealth, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	said, known := r.last[kiosk]
	if !known {
		return nil, time.Time{}
	}
	return &said.Health, said.At
}

// keep writes the file where it is so old and something came since, unless somebody else is at it.
func (r *reports) keep(now time.Time, age time.Duration) error {
	if !r.keeping.TryLock() {
		return nil
	}
	defer r.keeping.Unlock()
	r.mu.Lock()
	if !r.changed || now.Sub(r.kept).Abs() < age {
		r.mu.Unlock()
		return nil
	}
	text, err := json.Marshal(r.last)
	r.kept, r.changed = now, false
	r.mu.Unlock()
	if err != nil {
		return err
	}
	return durable.Replace(r.path, 0o600, func(file *os.File) error {
		_, err := file.Write(text)
		return err
	})
}

// keepReports has what kiosks say of themselves written where what is on the disk is so old.
func (c *Central) keepReports(age time.Duration) {
	if err := c.reports.keep(c.now(), age); err != nil {
		c.log.Warn("what kiosks say of themselves is in memory alone", "error", err)
	}
}

func (c *Central) addHealth(api huma.API) {
	op := operation(http.MethodPost, wire.PathKioskHealth, "kiosk-health", "Tell how a kiosk is", http.StatusForbidden)
	huma.Register(api, op, answering(c, c.takeHealth))
}

// takeHealth takes how a kiosk is, and tells it which kiosks are silent.
func (c *Central) takeHealth(ctx context.Context, in *input[wire.KioskHealth]) (wire.HealthTaken, error) {
	request := ledger.Request{Where: in.Body.Kiosk}
	if err := bind(ctx, &request); err != nil {
		return wire.HealthTaken{}, err
	}
	now := c.now()
	c.reports.take(in.Body, now)
	c.keepReports(healthKept)
	silent, err := c.silentKiosks(ctx, now)
	return wire.HealthTaken{ServerTime: c.now(), Silent: silent}, err
}

// silentKiosks returns the homes of players of which nothing was heard lately, by name. Every kiosk asks again and again; what was
// looked up a moment ago does.
func (c *Central) silentKiosks(ctx context.Context, now time.Time) (silent []string, err error) {
	c.reports.mu.Lock()
	silent, looked := c.reports.silent, c.reports.looked
	c.reports.mu.Unlock()
	if now.Sub(looked).Abs() < lookedAfter {
		return silent, nil
	}
	silent = nil
	err = c.writer.view(ctx, func(view kv.Reader) error {
		homes, err := ledger.Homes(view)
		if err != nil {
			return err
		}
		for _, name := range homes {
			known, err := c.books.KioskNamed(view, name)
			if err != nil {
				return err
			}
			// Whoever waits for keys, or is refused, gives nobody a seat, however much is heard of it.
			if known == nil || known.State != wire.KioskEnrolled || now.Sub(c.present.contact(name)) > silentAfter {
				silent = append(silent, name)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.reports.mu.Lock()
	c.reports.silent, c.reports.looked = silent, now
	c.reports.mu.Unlock()
	return silent, nil
}
