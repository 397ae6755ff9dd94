package central

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"reelkiosk/store/wire"
)

const (
	// mostBody is the most bytes of an ordinary request's body, mostRows of a chunk of rows.
	mostBody = 64 << 10
	mostRows = 8 << 20
)

// bodyKey finds the hash of a request's body, by which a key is bound to it, in the request's context.
type bodyKey struct{}

// bodyHash returns the hash of the request's method, path and body.
func bodyHash(ctx context.Context) [32]byte {
	hash, _ := ctx.Value(bodyKey{}).([32]byte)
	return hash
}

// arrivalKey finds what bounds the arrival of a request's body in its context.
type arrivalKey struct{}

// numberKey finds central's number of a request in its context.
type numberKey struct{}

func requestNumber(ctx context.Context) string {
	number, _ := ctx.Value(numberKey{}).(string)
	return number
}

// around lays around the API what every request goes through.
func (c *Central) around(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number := rand.Text()
		w.Header().Set(wire.HeaderCentral, c.options.Version)
		w.Header().Set("Request-Id", number)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		answer := &recorder{ResponseWriter: w}
		start := time.Now()
		defer func() {
			cause := recover()
			if cause != nil {
				c.log.Error("a request made the program panic", "request", number, "panic", cause, "stack", string(debug.Stack()))
				if answer.status != 0 {
					panic(http.ErrAbortHandler) // the answer has begun: cut it off rather than let it pass for whole
				}
				problem := wire.NewProblem(wire.ProblemInternal, http.StatusInternalServerError, "Central has a fault; nothing was done")
				problem.Request = number
				writeProblem(answer, problem)
			}
			c.logged(r, number, answer.status, time.Since(start))
		}()
		if r.Body != nil && r.Body != http.NoBody {
			control := c.arrivals.begin(w)
			defer c.arrivals.over(control)
			r = r.WithContext(context.WithValue(r.Context(), arrivalKey{}, control))
		}
		if r.TLS == nil && !ownHost(r.Host) {
			writeProblem(answer, wire.NewProblem(wire.ProblemHost, http.StatusMisdirectedRequest, "This is not the host that the request was addressed to"))
			return
		}
		api.ServeHTTP(answer, r)
	})
}

// logged logs a request by its path alone: a query or a body may hold a person's number.
func (c *Central) logged(r *http.Request, number string, status int, took time.Duration) {
	level := slog.LevelDebug
	if status >= http.StatusInternalServerError {
		level = slog.LevelWarn
	}
	c.log.Log(r.Context(), level, "request", "request", number, "method", r.Method, "path", r.URL.Path, "status", status,
		"milliseconds", took.Milliseconds())
}

// serveWhole has a request answered whose body arrives whole within its limits of size and time; with the body's hash.
func (c *Central) serveWhole(w http.ResponseWriter, r *http.Request, next http.Handler) {
	most := int64(mostBody)
	if strings.HasPrefix(r.URL.Path, wire.PathImports+"/") {
		most = mostRows
	}
	release, full := c.arrivals.take(bodyRoom(r, most))
	if full != nil {
		w.Header().Set("Connection", "close")
		c.arrivals.refuse(r)
		writeProblem(w, full)
		return
	}
	defer release()
	if whole, ok := c.withBody(w, r, most); ok {
		next.ServeHTTP(w, whole)
	}
}

// bodyRoom returns how many bytes a request's body may take: what it says, or the most it may have.
func bodyRoom(r *http.Request, most int64) int64 {
	if r.ContentLength >= 0 {
		return min(r.ContentLength, most)
	}
	return most
}

// withBody reads the whole body and returns the request with its hash. Otherwise it has answered, and the connection ends:
// nobody waits for what is left of the body.
func (c *Central) withBody(w http.ResponseWriter, r *http.Request, most int64) (*http.Request, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if control, bound := r.Context().Value(arrivalKey{}).(*http.ResponseController); bound && err == nil {
		c.arrivals.arrived(control)
	}
	if err != nil {
		w.Header().Set("Connection", "close")
		c.arrivals.refuse(r)
	}
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		problem := wire.NewProblem(wire.ProblemTooLarge, http.StatusRequestEntityTooLarge, "The request is too large")
		problem.Detail = "its body may have " + quantity(tooLong.Limit)
		writeProblem(w, problem)
		return nil, false
	}
	if err != nil && c.stopping.Load() {
		writeProblem(w, problemOf(errStopping))
		return nil, false
	}
	if err != nil {
		writeProblem(w, wire.NewProblem(wire.ProblemInvalid, http.StatusBadRequest, "The request's body did not arrive"))
		return nil, false
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); len(body) > 0 && kind != "application/json" {
		problem := wire.NewProblem(wire.ProblemInvalid, http.StatusUnsupportedMediaType, "The request's body must be application/json")
		writeProblem(w, problem)
		return nil, false
	}
	if strings.HasPrefix(r.URL.Path, wire.PathImports+"/") && strings.HasSuffix(r.URL.Path, "/commit") {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
	}
	hash := sha256.New()
	io.WriteString(hash, r.Method+" "+r.URL.Path+"\n")
	hash.Write(body)
	ctx := context.WithValue(r.Context(), numberKey{}, w.Header().Get("Request-Id"))
	r = r.WithContext(context.WithValue(ctx, bodyKey{}, [32]byte(hash.Sum(nil))))
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r, true
}

func quantity(limit int64) string {
	if limit == mostRows {
		return "8 MiB"
	}
	return "64 KiB"
}

// recorder notes the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(body []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(body)
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
