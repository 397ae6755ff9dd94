package central

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// newAPI returns the API with all its operations.
func newAPI(c *Central) http.Handler {
	mux := http.NewServeMux()
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	registry.RegisterTypeAlias(reflect.TypeFor[tournament.Date](), reflect.TypeFor[civilDate]())
	config := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "Reelkiosk central", Version: "1",
				Description: "The books of a slot tournament. Times are RFC 3339 with offset, civil dates YYYY-MM-DD, money is in " +
					"cents with its currency. Whatever is no success is a problem (RFC 9457) with a stable type: " +
					"https://reelkiosk.invalid/problems/ followed by the reason of a refusal or the name of the problem.",
			},
			Components: &huma.Components{Schemas: registry},
		},
		Formats:                      huma.DefaultFormats,
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
	}
	api := humago.New(mux, config)
	c.addReads(api)
	c.addActs(api)
	c.addImports(api)
	c.addOperator(api)
	c.addKiosks(api)
	c.addFeed(api)
	c.addGrants(api)
	c.addDesk(api)
	c.addOutbox(api)
	c.addHealth(api)
	description, err := json.Marshal(api.OpenAPI())
	if err != nil {
		panic("central: the API's description: " + err.Error())
	}
	mux.HandleFunc("GET "+wire.PathOpenAPI, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(description) // who went away hears nothing
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { notFound(mux, w, r) })
	return c.guarded(mux)
}

// civilDate stands for tournament.Date in the API's description.
type civilDate struct{}

// Schema describes a civil date.
func (civilDate) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date", Examples: []any{"1980-01-31"}}
}

// notFound answers what no operation matches, and tells a wrong method from a wrong path.
func notFound(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); pattern != "/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		problem := wire.NewProblem(wire.ProblemMethod, http.StatusMethodNotAllowed, "This path does not take this method")
		writeProblem(w, problem)
		return
	}
	writeProblem(w, wire.NewProblem(wire.ProblemNotFound, http.StatusNotFound, "The API has no such path"))
}

// operation describes one operation. Its body has been read within limits already (withBody), so that the library's own
// limits are off.
func operation(method, path, id, summary string, failures ...int) huma.Operation {
	return huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: summary, Errors: failures,
		MaxBodyBytes: mostRows, BodyReadTimeout: -1,
	}
}

// output is an operation's answer.
type output[A any] struct{ Body A }

// input is an operation's body.
type input[B any] struct{ Body B }

// answering turns what finds an operation's answer into its handler: an error becomes the problem that it is.
func answering[I, A any](c *Central, find func(context.Context, *I) (A, error)) func(context.Context, *I) (*output[A], error) {
	return func(ctx context.Context, in *I) (*output[A], error) {
		answer, err := find(ctx, in)
		if err != nil {
			return nil, c.refuse(ctx, err)
		}
		return &output[A]{answer}, nil
	}
}
