package central

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"reelkiosk/store/condition"
	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

// leastFree is the share of the disk below which nothing is safe.
const leastFree = 0.05

// ailing is what is less than well with central. Whoever asks has it looked at.
type ailing struct {
	// mu guards everything that follows.
	mu  sync.Mutex
	set condition.Set
}

// conditions looks at what is less than well with central, and tells it, the worst first.
func (c *Central) conditions(ctx context.Context) []wire.Condition {
	// Since when something holds is counted by the clock that only counts: it is the other one that may be wrong.
	now := time.Unix(0, 0).Add(c.options.Elapsed())
	_, suspect := c.clock.check()
	missing, err := read(ctx, c, c.knowsNobody)
	free, unknown := c.options.DiskFree()
	c.ailing.mu.Lock()
	defer c.ailing.mu.Unlock()
	note := func(name condition.Name, holds bool, detail string) {
		news := false
		if holds {
			news = c.ailing.set.Raise(name, detail, now)
		} else {
			news = c.ailing.set.Clear(name)
		}
		if news {
			c.log.Warn("condition", "name", name, "holds", holds, "title", condition.KindOf(name).Title, "detail", detail)
		}
	}
	note(condition.CentralSuspect, suspect != nil, "its clock says "+c.now().Format("2006-01-02 15:04:05"))
	note(condition.DiskLow, unknown == nil && free < leastFree, fmt.Sprintf("%.1f %% of %s is free", 100*free, c.options.Folder))
	note(condition.ListMissing, err == nil && missing, "")
	closed := ""
	if why := c.writer.why(); errors.Is(err, errNotWriter) && why != nil {
		closed = why.Error()
	}
	note(condition.BooksClosed, errors.Is(err, errNotWriter), closed)
	return wire.ConditionsOf(c.ailing.set.All(), now)
}

// knowsNobody reports whether no exclusion was ever brought to central.
func (c *Central) knowsNobody(view kv.Reader) (bool, error) {
	if c.lists.version() > 0 {
		return false, nil
	}
	any, err := ledger.HasExclusions(view)
	return !any, err
}

// diskFree returns which share of the disk of a folder is free for this user (statfs(2)).
func diskFree(folder string) (float64, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(folder, &stat); err != nil {
		return 0, fmt.Errorf("%s: %w", folder, err)
	}
	if stat.Blocks == 0 {
		return 0, fmt.Errorf("%s: a disk without blocks", folder)
	}
	return float64(stat.Bavail) / float64(stat.Blocks), nil
}
