package central

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/wire"
)

func (c *Central) addOperator(api huma.API) {
	huma.Register(api, operation(http.MethodPost, wire.PathClock, "confirm-clock", "Say that central's clock is right, after it was suspect"),
		answering(c, func(ctx context.Context, in *input[wire.ConfirmClock]) (wire.Accepted, error) {
			return c.confirmClock(ctx, in.Body)
		}))
}

// confirmClock records that an operator looked at the clock, at the time that it shows, and believes it from then on.
func (c *Central) confirmClock(ctx context.Context, confirm wire.ConfirmClock) (wire.Accepted, error) {
	request := ledger.Request{
		Who: confirm.Operator, Random: c.options.Random}
	if err := bind(ctx, &request); err != nil {
		return wire.Accepted{}, err
	}
	t := &task{unchecked: true, done: make(chan result, 1), committed: c.clock.confirm}
	t.decide = func(view *kv.Overlay, at time.Time) (any, error) {
		request.At = at
		request.Act = ledger.Notice{Kind: wire.ClockConfirmed, At: at, Detail: confirm.Note}
		return c.books.Apply(view, request)
	}
	answer, err := c.writer.wait(ctx, t)
	if err != nil {
		return wire.Accepted{}, err
	}
	return ledger.As[wire.Accepted](answer.(ledger.Answer))
}
