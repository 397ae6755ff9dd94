package port

import (
	"context"
	"reflect"
	"time"
)

// Watch delivers what is attached: at once, and whenever it has changed, who uses it too. It looks every so often, since
// /dev/serial comes with the first port and goes with the last, and users leave no trace that could be waited for. Whoever is
// slow gets the newest list alone. The channel is closed once ctx has ended.
func Watch(ctx context.Context, roots Roots, every time.Duration) <-chan []Attached {
	lists := make(chan []Attached)
	go func() {
		defer close(lists)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		newest, out := List(roots), lists
		for {
			select {
			case <-ctx.Done():
				return
			case out <- newest:
				out = nil
			case <-ticker.C:
				if now := List(roots); !reflect.DeepEqual(now, newest) {
					newest, out = now, lists
				}
			}
		}
	}()
	return lists
}
