package central

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"reelkiosk/store/kv"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// problem reads the problem of an answer.
func (h *house) problem(response *http.Response) wire.Problem {
	h.Helper()
	var problem wire.Problem
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(text, &problem)
	}
	if err != nil || response.Header.Get("Content-Type") != "application/problem+json" || response.Header.Get(wire.HeaderCentral) == "" {
		h.Fatalf("no problem: %v %s %v", response.Header, text, err)
	}
	if problem.Status != response.StatusCode {
		h.Errorf("status %d says that it is %d", response.StatusCode, problem.Status)
	}
	return problem
}

func TestMalformedRequestsAreToldWhereTheMistakeIs(t *testing.T) {
	h := newHouse(t)
	good := `"person":"p","heat":"h","kiosk":"k","rules_hash":"r","declared":true,"identified_by":"card"`
	withKey := func(key string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(wire.HeaderKey, key) }
	}
	secret := "8001015009087"
	for name, test := range map[string]struct {
		method, path, body string
		edit               func(*http.Request)
		status             int
		kind, where        string
	}{
		"no key":                    {"POST", wire.PathRegistrations, "{" + good + "}", nil, 422, wire.ProblemInvalid, "header.Reelkiosk-Key"},
		"a key that is none":        {"POST", wire.PathRegistrations, "{" + good + "}", withKey("kiosk"), 400, wire.ProblemInvalid, "header.Reelkiosk-Key"},
		"an unknown field":          {"POST", wire.PathRegistrations, `{"colour":1,` + good + "}", withKey("k/1"), 422, wire.ProblemInvalid, "body.colour"},
		"a missing field":           {"POST", wire.PathRegistrations, "{" + good[13:] + "}", withKey("k/1"), 422, wire.ProblemInvalid, "body"},
		"a field of another type":   {"POST", wire.PathRegistrations, "{" + strings.Replace(good, "true", `"yes"`, 1) + "}", withKey("k/1"), 422, wire.ProblemInvalid, "body.declared"},
		"no word that is known":     {"POST", wire.PathRegistrations, "{" + strings.Replace(good, `"card"`, `"luck"`, 1) + "}", withKey("k/1"), 422, wire.ProblemInvalid, "body.identified_by"},
		"no body":                   {"POST", wire.PathRegistrations, "", withKey("k/1"), 400, wire.ProblemInvalid, ""},
		"no JSON":                   {"POST", wire.PathIdentify, `{"card":"` + secret, nil, 400, wire.ProblemInvalid, "body"},
		"two bodies":                {"POST", wire.PathIdentify, `{"kiosk":"k"}{"kiosk":"k"}`, nil, 400, wire.ProblemInvalid, "body"},
		"no day of the calendar":    {"POST", wire.PathIdentify, `{"kiosk":"k","document":{"kind":"passport","birth_date":"1981-02-29"}}`, nil, 422, wire.ProblemInvalid, "body.document.birth_date"},
		"another content type":      {"POST", wire.PathIdentify, `{"kiosk":"k"}`, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, wire.ProblemInvalid, ""},
		"too large":                 {"POST", wire.PathIdentify, `{"kiosk":"` + strings.Repeat("k", mostBody) + `"}`, nil, 413, wire.ProblemTooLarge, ""},
		"makes no sense":            {"POST", wire.PathIdentify, `{"kiosk":"k"}`, nil, 422, wire.ProblemInvalid, ""},
		"a notice of central's own": {"POST", wire.PathNotices, `{"kind":"clock-confirmed","kiosk":"k","at":"2026-11-30T12:00:00Z"}`, withKey("k/1"), 422, wire.ProblemInvalid, "body.kind"},
		"an unknown query":          {"GET", wire.PathHeats + "?form=x", "", nil, 422, wire.ProblemInvalid, "query.form"},
		"a query of another type":   {"GET", wire.PathHeats + "?limit=many", "", nil, 422, wire.ProblemInvalid, "query.limit"},
		"a limit out of bounds":     {"GET", wire.PathHeats + "?limit=100000", "", nil, 422, wire.ProblemInvalid, "query.limit"},
		"an unknown heat":           {"GET", wire.PathSeats + "?heat=x", "", nil, 404, "unknown-heat", ""},
		"an unknown path":           {"GET", "/v1/nothing", "", nil, 404, wire.ProblemNotFound, ""},
		"another method":            {"DELETE", wire.PathHeats, "", nil, 405, wire.ProblemMethod, ""},
		"an unknown import":         {"POST", wire.PathImports + "/x/commit", "", nil, 404, wire.ProblemImport, ""},
		"another host":              {"GET", wire.PathHealth, "", func(r *http.Request) { r.Host = "evil.example" }, 421, wire.ProblemHost, ""},
		"an import without a hash":  {"POST", wire.PathImports, `{"kind":"members","hash":"x","name":"x","operator":"x"}`, nil, 422, wire.ProblemInvalid, "body.hash"},
		"an import of nothing":      {"POST", wire.PathImports, `{"kind":"cards","hash":"` + strings.Repeat("0", 64) + `","name":"x","operator":"x"}`, nil, 422, wire.ProblemInvalid, "body.kind"},
	} {
		t.Run(name, func(t *testing.T) {
			edit := test.edit
			if edit == nil {
				edit = func(*http.Request) {}
			}
			problem := h.problem(h.raw(test.method, test.path, test.body, edit))
			if problem.Status != test.status || problem.Kind() != test.kind {
				t.Errorf("got %+v", problem)
			}
			found := slices.ContainsFunc(problem.Places, func(place wire.Place) bool { return place.Where == test.where })
			if test.where != "" && !found {
				t.Errorf("want the place %s: %+v", test.where, problem.Places)
			}
			if text, _ := json.Marshal(problem); strings.Contains(string(text), secret) {
				t.Errorf("the answer repeats what was sent: %s", text)
			}
		})
	}
	if h.sequence() != 0 {
		t.Error("a malformed request left an event")
	}
}

func TestTheLogHoldsNobodysNumber(t *testing.T) {
	h := newHouse(t)
	who := document(3)
	if _, err := h.client.Identify(t.Context(), wire.Identify{Document: who, Card: "6001234567890123", Kiosk: "kiosk-1"}); err != nil {
		t.Fatal(err)
	}
	h.raw("GET", wire.PathSeats+"?heat="+who.IDNumber, "")
	h.raw("POST", wire.PathIdentify, `{"card":"`+who.IDNumber)
	await(t, func() bool { return strings.Count(h.log.String(), "msg=request") >= 3 })
	if text := h.log.String(); strings.Contains(text, who.IDNumber) || strings.Contains(text, "6001234567890123") {
		t.Errorf("the log holds a number: %s", text)
	}
}

func TestTheDescriptionNamesEveryOperation(t *testing.T) {
	h := newHouse(t)
	var description struct {
		OpenAPI string `json:"openapi"`
		Paths   map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]any `json:"content"`
			} `json:"responses"`
			RequestBody *struct {
				Content map[string]any `json:"content"`
			} `json:"requestBody"`
		} `json:"paths"`
	}
	response := h.raw("GET", wire.PathOpenAPI, "")
	if err := json.NewDecoder(response.Body).Decode(&description); err != nil || description.OpenAPI != "3.1.0" {
		t.Fatal(description.OpenAPI, err)
	}
	var operations []string
	for path, methods := range description.Paths {
		for method, operation := range methods {
			operations = append(operations, method+" "+path)
			if operation.RequestBody != nil && operation.RequestBody.Content["application/json"] == nil {
				t.Errorf("%s %s takes no JSON", method, path)
			}
			for status, answer := range operation.Responses {
				if status >= "400" && answer.Content["application/problem+json"] == nil {
					t.Errorf("%s %s answers %s with no problem: %v", method, path, status, answer.Content)
				}
			}
		}
	}
	slices.Sort(operations)
	want := []string{
		"delete /v1/imports/{id}", "get /v1/cases", "get /v1/definition", "get /v1/entries", "get /v1/events",
		"get /v1/exclusions/list/{version}", "get /v1/feed", "get /v1/health", "get /v1/heats", "get /v1/kiosks", "get /v1/seats",
		"get /v1/snapshot", "get /v1/snapshots/{name}", "get /v1/tournament", "post /v1/certificate", "post /v1/claims", "post /v1/clock/confirm",
		"post /v1/codes", "post /v1/enrolments", "post /v1/grants", "post /v1/grants/ended", "post /v1/grants/given-back",
		"post /v1/hello", "post /v1/imports",
		"post /v1/imports/{id}/commit", "post /v1/imports/{id}/rows", "post /v1/kiosk-health", "post /v1/kiosks/{name}/approve",
		"post /v1/kiosks/{name}/retire", "post /v1/kiosks/{name}/revoke", "post /v1/machines", "post /v1/notices", "post /v1/outbox",
		"post /v1/people/identify", "post /v1/people/let-go", "post /v1/people/overrides", "post /v1/prints", "post /v1/purchases",
		"post /v1/registrations", "post /v1/reprints", "post /v1/seat-reports",
	}
	for _, path := range desks {
		want = append(want, "post "+path)
	}
	for _, path := range []string{
		wire.PathRanking, wire.PathTies, wire.PathListOf, wire.PathDraws, wire.PathAffected, wire.PathReconcile, wire.PathStaff,
		wire.PathScoreLines, wire.PathPrizeLines, wire.PathCashLines,
	} {
		want = append(want, "get "+path)
	}
	slices.Sort(want)
	if !slices.Equal(operations, want) {
		t.Errorf("got  %q\nwant %q", operations, want)
	}
}

func TestAPanicIsAProblemAndTheNextRequestWorks(t *testing.T) {
	h := newHouse(t)
	handler := h.around(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/begun" {
			io.WriteString(w, `{"half":`)
		}
		panic("a mistake")
	}))
	listener, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(handler)
	go server.Serve(listener)
	defer server.Close()
	h.base = "http://" + listener.Addr().String()
	if problem := h.problem(h.raw("GET", "/", "")); problem.Kind() != wire.ProblemInternal || problem.Request == "" || !strings.Contains(h.log.String(), problem.Request) {
		t.Errorf("got %+v", problem)
	}
	response, err := http.Get(h.base + "/begun")
	if err == nil {
		_, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if err == nil {
		t.Error("half an answer passes for whole")
	}
}

func TestListensOnThisMachineAlone(t *testing.T) {
	for address, want := range map[string]error{
		"127.0.0.1:0": nil, "localhost:0": nil, "127.8.8.8:0": nil,
		"0.0.0.0:0": ErrNotLoopback, ":0": ErrNotLoopback, "[::]:0": ErrNotLoopback, "192.0.2.1:0": ErrNotLoopback, "example.com:0": ErrNotLoopback,
	} {
		listener, err := Listen(address)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", address, err)
		}
		if err == nil {
			listener.Close()
		}
	}
	if _, err := Listen("7180"); err == nil {
		t.Error("an address without a host was taken")
	}
}

func TestASecondCentralSaysWhoHasTheBooks(t *testing.T) {
	h := newHouse(t)
	if _, err := New(h.options); !errors.Is(err, kv.ErrHeld) {
		t.Errorf("got %v", err)
	}
}

// TestStoppingUnderLoad stops central while many clients register: whatever was acknowledged is in the books.
func TestStoppingUnderLoad(t *testing.T) {
	h := newHouse(t)
	heat := h.nextHeat()
	people := make([]tournament.PersonID, 40)
	for i := range people {
		people[i] = h.player(1)
	}
	acknowledged := make(chan wire.Seat, len(people))
	var waiting sync.WaitGroup
	for _, person := range people {
		waiting.Go(func() {
			seat, err := h.client.Register(context.Background(), h.key(), h.registration(person, heat))
			if err == nil {
				acknowledged <- seat
			}
		})
	}
	await(t, func() bool { return len(acknowledged) > 0 })
	h.stop()
	waiting.Wait()
	close(acknowledged)
	h.start()
	seats, err := h.client.Seats(t.Context(), heat)
	if err != nil {
		t.Fatal(err)
	}
	for seat := range acknowledged {
		if !slices.ContainsFunc(seats.Seats, func(kept wire.Seat) bool { return kept.ID == seat.ID && kept.Machine == seat.Machine }) {
			t.Errorf("machine %d was acknowledged and is lost", seat.Machine)
		}
	}
}

// TestSlowSendersAreCutOff keeps a half request from holding a connection for ever.
func TestSlowSendersAreCutOff(t *testing.T) {
	h := newHouse(t)
	line, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	io.WriteString(line, "POST /v1/people/identify HTTP/1.1\r\nHost: localhost\r\nX: ")
	line.SetReadDeadline(time.Now().Add(headerTimeout + 5*time.Second))
	if _, err := io.ReadAll(line); err != nil {
		t.Errorf("the connection stayed open: %v", err)
	}
}
