package ledger

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"
)

// The records that registrations read and write are stored in few bytes: the fewer pages they fill, the fewer a commit
// writes. A record names its fields once, and is read and written in that order:
//
//	byte    the format, compactFormat
//	fields  numbers and lengths as varints (encoding/binary), texts and lists after their length, truths as one byte,
//	        moments as seconds since 1970, nanoseconds, and seconds east of Greenwich
//
// Another order, or another field, is another format.
const compactFormat = 2

// compact is a record that is stored like that.
type compact interface {
	// fields shows the coder every field, always in the same order.
	fields(c *coder)
}

// errCompact is returned where bytes are no record.
var errCompact = errors.New("not what a record was written as")

// encode writes a record.
func encode(record compact) []byte {
	c := coder{bytes: append(make([]byte, 0, 256), compactFormat)}
	record.fields(&c)
	return c.bytes
}

// decode reads a record. The error is errCompact.
func decode(bytes []byte, record compact) error {
	if len(bytes) == 0 || bytes[0] != compactFormat {
		return errCompact
	}
	c := coder{bytes: bytes[1:], reading: true}
	record.fields(&c)
	if c.failed || len(c.bytes) > 0 {
		return errCompact
	}
	return nil
}

// coder writes the fields that it is shown behind its bytes, or reads them from the front of its bytes.
type coder struct {
	bytes   []byte
	reading bool
	// failed says that there was not what had to be read; from there on every field is zero.
	failed bool
}

// varint writes or reads a number.
func (c *coder) varint(number int64) int64 {
	if !c.reading {
		c.bytes = binary.AppendVarint(c.bytes, number)
		return number
	}
	number, size := binary.Varint(c.bytes)
	if c.failed = c.failed || size <= 0; c.failed {
		return 0
	}
	c.bytes = c.bytes[size:]
	return number
}

// length writes or reads how many bytes or items follow. Each takes at least a byte, so that a length that is wrong makes
// no room for what is not there.
func (c *coder) length(length int) int {
	length = int(c.varint(int64(length)))
	if c.reading && (length < 0 || length > len(c.bytes)) {
		c.failed = true
		return 0
	}
	return length
}

func (c *coder) number(field *int) { *field = int(c.varint(int64(*field))) }

func (c *coder) truth(field *bool) { *field = c.varint(int64(boolByte(*field))) != 0 }

func (c *coder) moment(field *time.Time) {
	_, east := field.Zone()
	seconds, nanoseconds, offset := c.varint(field.Unix()), c.varint(int64(field.Nanosecond())), c.varint(int64(east))
	if !c.reading {
		return
	}
	zone := time.UTC
	if offset != 0 {
		zone = time.FixedZone("", int(offset))
	}
	*field = time.Unix(seconds, nanoseconds).In(zone)
}

// text writes or reads a text, or bytes.
func text[T ~string | ~[]byte](c *coder, field *T) {
	length := c.length(len(*field))
	if !c.reading {
		c.bytes = append(c.bytes, *field...)
		return
	}
	if length > 0 {
		*field = T(slices.Clone(c.bytes[:length]))
	}
	c.bytes = c.bytes[length:]
}

// list writes or reads a list, item by item.
func list[T any](c *coder, field *[]T, item func(*coder, *T)) {
	length := c.length(len(*field))
	if c.reading && length > 0 {
		*field = make([]T, length)
	}
	for i := range *field {
		item(c, &(*field)[i])
	}
}

func (p *person) fields(c *coder) {
	text(c, &p.Marks)
	text(c, &p.Name)
	c.truth(&p.Adult)
	list(c, &p.Members, text[MemberID])
	text(c, &p.Barred)
	c.truth(&p.Disqualified)
	c.truth(&p.Cleared)
}

func (e *entry) fields(c *coder) {
	text(c, &e.Purchase)
	text(c, &e.Person)
	text(c, &e.Kind)
	text(c, &e.State)
	c.moment(&e.Bought)
	c.moment(&e.Ends)
	c.truth(&e.Freed)
	c.number(&e.Index)
	c.number(&e.Count)
	text(c, &e.Seat)
}

func (h *heat) fields(c *coder) {
	text(c, &h.Taken)
	c.moment(&h.Start)
	c.truth(&h.Cancelled)
	text(c, &h.Granted)
	c.truth(&h.Called)
	c.truth(&h.Held)
	text(c, &h.Phase)
	c.number(&h.Run)
	c.moment(&h.Began)
	text(c, &h.Added.Stage)
	text(c, &h.Added.Day)
	c.number(&h.Added.Number)
	c.number(&h.Added.Size)
}

func (held *seat) fields(c *coder) {
	text(c, &held.Heat)
	c.number(&held.Machine)
	text(c, &held.Person)
	text(c, &held.Entry)
	c.number(&held.Index)
	c.number(&held.Count)
	c.moment(&held.Ends)
	text(c, &held.State)
	c.moment(&held.Issued)
	text(c, &held.Where)
	text(c, &held.Rules)
	list(c, &held.Copies, func(c *coder, one *copyRecord) {
		text(c, &one.Ticket)
		text(c, &one.State)
		c.truth(&one.Player)
	})
	c.moment(&held.CheckedIn)
	c.truth(&held.Present)
	c.truth(&held.Disqualified)
	text(c, &held.Instead)
	c.number(&held.Place)
	text(c, &held.Proxy)
}
