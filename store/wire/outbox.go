package wire

// PathOutbox is POST /v1/outbox: several requests of one sender, each under its own key, in order.
const PathOutbox = "/v1/outbox"

// MostOutbox is how many requests one Outbox may hold.
const MostOutbox = 50

// Outbox is the body of POST /v1/outbox. Each item is what it would be if it came alone: the same key with the same body
// gets the same answer, whichever way it comes.
type Outbox struct {
	Enrolment string       `json:"enrolment" minLength:"1" maxLength:"64" doc:"the first half of the items' keys"`
	Settled   uint64       `json:"settled,omitempty" doc:"the sequence below which the sender needs no answer any more"`
	Items     []OutboxItem `json:"items" minItems:"1" maxItems:"50"`
}

// OutboxItem is one request of an Outbox.
type OutboxItem struct {
	Sequence uint64 `json:"seq" minimum:"1" doc:"the second half of its key"`
	Path     string `json:"path" maxLength:"100" doc:"of an operation that takes a key"`
	// Body is a string, so that not a byte of it changes on the way: the key is bound to its bytes.
	Body string `json:"body" doc:"the request's body, as it would be posted to the path"`
}

// OutboxAnswers answers Outbox: an answer for each item that was tried, in order. Central stops at the first that it could
// not take at that moment; the rest is to be sent again.
type OutboxAnswers struct {
	Answers []OutboxAnswer `json:"answers"`
}

// OutboxAnswer is what one item came to.
type OutboxAnswer struct {
	Sequence uint64 `json:"seq"`
	// Status and Body are those that the request would have got alone; below 300 it is the answer, else a Problem.
	Status int    `json:"status"`
	Body   string `json:"body"`
}
