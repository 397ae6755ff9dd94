package central

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"reelkiosk/store/kv"
	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// The library's own errors become problems of ours, in answers and in the API's description. It has one constructor for
// all APIs of a program, so it is set once, before any is made.
func init() {
	huma.NewError = func(status int, message string, details ...error) huma.StatusError {
		return malformed(status, message, details)
	}
}

// malformed is the problem of a request that the API's description does not allow. It says where the mistakes are and
// never what stands there: that may be a person's number.
func malformed(status int, message string, details []error) *wire.Problem {
	problem := wire.NewProblem(wire.ProblemInvalid, status, "The request is malformed")
	switch {
	case status == http.StatusRequestEntityTooLarge:
		problem = wire.NewProblem(wire.ProblemTooLarge, status, "The request is too large")
	case status >= http.StatusInternalServerError:
		return wire.NewProblem(wire.ProblemInternal, status, "Central has a fault")
	}
	problem.Detail = message
	for _, err := range details {
		var detailer huma.ErrorDetailer
		if !errors.As(err, &detailer) {
			continue
		}
		detail := detailer.ErrorDetail()
		problem.Places = append(problem.Places, wire.Place{Where: detail.Location, What: withoutValues(detail)})
	}
	return problem
}

// withoutValues returns what is wrong at a place. The messages of a decoder, which come with the whole body as their
// value, may repeat a part of it.
func withoutValues(detail *huma.ErrorDetail) string {
	if detail.Location == "body" {
		if _, whole := detail.Value.(string); whole {
			return "is no JSON of the shape that is described"
		}
	}
	return detail.Message
}

// retrySoon is how long a caller is asked to wait, in seconds, where central cannot take a request at the moment.
const retrySoon = 1

// problemOf turns whatever a request came to into the problem that the caller gets.
func problemOf(err error) *wire.Problem {
	if refusal, ok := errors.AsType[*tournament.Refusal](err); ok {
		return wire.OfRefusal(refusal)
	}
	if problem, ok := errors.AsType[*wire.Problem](err); ok {
		return problem
	}
	if rows, ok := errors.AsType[*ledger.RowsError](err); ok {
		return rowsRefused(rows.Problems)
	}
	unavailable := func(kind, title string) *wire.Problem {
		return wire.NewProblem(kind, http.StatusServiceUnavailable, title)
	}
	switch {
	case errors.Is(err, ledger.ErrInvalid):
		problem := wire.NewProblem(wire.ProblemInvalid, http.StatusUnprocessableEntity, "The request makes no sense")
		problem.Detail = err.Error()
		return problem
	case errors.Is(err, errBusy):
		return unavailable(wire.ProblemBusy, "Too many requests are waiting; send it again in a moment")
	case errors.Is(err, errStopping):
		return unavailable(wire.ProblemStopping, "Central is being stopped; send it again when it is back")
	case errors.Is(err, errUnknown):
		return unavailable(wire.ProblemUnknown, "The disk did not confirm; send it again with the same key to find out")
	case errors.Is(err, errNotWriter), errors.Is(err, kv.ErrFailed), errors.Is(err, kv.ErrClosed),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return unavailable(wire.ProblemNotWriter, "Central cannot answer at the moment; send it again")
	case errors.Is(err, kv.ErrFull):
		return wire.NewProblem(wire.ProblemFull, http.StatusInsufficientStorage, "There is no room on central's disk; nothing was done")
	case errors.Is(err, errNoRegister):
		problem := wire.NewProblem(wire.ProblemInternal, http.StatusInternalServerError, "The list cannot be imported; nothing was done")
		problem.Detail = errNoRegister.Error()
		return problem
	case errors.Is(err, kv.ErrLimit):
		return wire.NewProblem(wire.ProblemTooLarge, http.StatusRequestEntityTooLarge, "Too much for one commit; nothing was done")
	}
	return wire.NewProblem(wire.ProblemInternal, http.StatusInternalServerError, "Central has a fault; nothing was done")
}

func rowsRefused(rows []wire.RowProblem) *wire.Problem {
	problem := wire.NewProblem(wire.ProblemRows, http.StatusUnprocessableEntity, "The file has faulty lines; nothing was done")
	problem.Rows = rows
	return problem
}

// problem is problemOf, and says why the books are closed where they are.
func (c *Central) problem(err error) *wire.Problem {
	problem := problemOf(err)
	if why := c.writer.why(); problem.Kind() == wire.ProblemNotWriter && why != nil {
		problem.Detail = "its books are closed, since they cannot be opened; its log says why"
		if errors.Is(why, kv.ErrDamaged) {
			problem.Detail = "its books are damaged and closed; its log says where"
		}
	}
	return problem
}

// refuse turns an error into what an operation returns: the problem, with the header that goes with it. A fault of
// central's own is logged: the caller is not told what it was.
func (c *Central) refuse(ctx context.Context, err error) error {
	problem := c.problem(err)
	if problem.Kind() == wire.ProblemInternal {
		problem.Request = requestNumber(ctx)
		c.log.Error("a request failed", "request", problem.Request, "error", err)
	}
	if problem.Passing() {
		return huma.ErrorWithHeaders(problem, http.Header{"Retry-After": {strconv.Itoa(retrySoon)}})
	}
	return problem
}

// writeProblem answers with a problem outside of an operation.
func writeProblem(w http.ResponseWriter, problem *wire.Problem) {
	body, err := json.Marshal(problem)
	if err != nil {
		panic(err) // a Problem has nothing that cannot be written
	}
	w.Header().Set("Content-Type", problem.ContentType(""))
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if problem.Passing() {
		w.Header().Set("Retry-After", strconv.Itoa(retrySoon))
	}
	w.WriteHeader(problem.Status)
	_, _ = w.Write(body) // who went away hears nothing
}
