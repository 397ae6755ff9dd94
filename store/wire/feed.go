package wire

import (
	"encoding/json"
	"time"
)

// FeedItem is one change of the books, as a kiosk applies it to its own: an event, and the keys that it made.
type FeedItem struct {
	// Sequence is the event's, and the id of the server-sent event that brings the item.
	Sequence uint64 `json:"seq"`
	// Event is a ledger.Event.
	Event json.RawMessage `json:"event"`
	// Keys are the keys that the event made, by owner, wrapped under the floor key. That of somebody erased is missing.
	Keys map[string][]byte `json:"keys,omitempty"`
}

// FeedHead says where the books stand: whoever has taken all items up to Sequence knew everything at ServerTime. It comes
// whenever the reader has caught up, and again and again while nothing happens.
type FeedHead struct {
	Sequence   uint64    `json:"seq"`
	ServerTime time.Time `json:"server_time"`
	// Definition is the hash of the tournament's definition (GET /v1/definition).
	Definition string `json:"definition"`
	// Floor is the number of the floor key that keys are wrapped under.
	Floor uint32 `json:"floor"`
}

// FeedHeadType is the type of the server-sent event that holds a FeedHead; items have none.
const FeedHeadType = "head"

// Snapshot answers GET /v1/snapshot: the newest snapshot of the books' state.
type Snapshot struct {
	// Name is the last part of its path below PathSnapshots, and its ETag; what it names never changes.
	Name     string `json:"name"`
	Sequence uint64 `json:"seq" doc:"of the last event in it"`
	Floor    uint32 `json:"floor" doc:"number of the floor key that its keys are wrapped under"`
	Bytes    int64  `json:"bytes"`
}

// Where a kiosk gets its copy of the books.
const (
	// PathFeed is GET /v1/feed?after=SEQ&at=MILLISECONDS: items as server-sent events.
	PathFeed = "/v1/feed"
	// PathSnapshot names the newest snapshot; PathSnapshots and its name is the file.
	PathSnapshot  = "/v1/snapshot"
	PathSnapshots = "/v1/snapshots/"
	// PathLists and a version is an exclusion list's file.
	PathLists = "/v1/exclusions/list/"
	// PathDefinition is the tournament's definition.
	PathDefinition = "/v1/definition"
)

// ProblemSnapshot (410): the feed cannot lead from where the caller is to where the books are, since they are too far
// apart, or since the books are others (restored from a backup). The caller begins with a snapshot.
const ProblemSnapshot = "snapshot-needed"
