package reader

import (
	"maps"
	"sync"
	"time"

	"reelkiosk/devices/port"
	"reelkiosk/store/tournament"
)

// Reader is a reader of cards or documents on a port.
type Reader struct {
	profile  Profile
	conn     port.Conn
	readings chan Reading
	states   chan State
	close    func()        // closes closing
	closing  chan struct{} // closed by Close
	ended    chan struct{} // closed when the goroutine has ended
}

// State says whether a reader can read.
type State struct {
	At    time.Time
	Ready bool
	Err   error // why it is not ready, as the port says it; nil before the port was first opened
}

// waiting is how many readings wait for whoever takes them. Older ones are dropped: what was shown to the reader long
// ago is not to be taken for an act of the next player.
const waiting = 8

// New starts a reader on a port, which it owns from then on. Today is the day by which ages are counted. Close ends it.
func New(profile Profile, conn port.Conn, today func() tournament.Date) *Reader {
	r := &Reader{
		profile:  profile,
		conn:     conn,
		readings: make(chan Reading),
		states:   make(chan State),
		closing:  make(chan struct{}),
		ended:    make(chan struct{}),
	}
	r.close = sync.OnceFunc(func() { close(r.closing) })
	go r.run(today)
	return r
}

// Readings delivers what people do at the reader, in order. It is closed after Close.
func (r *Reader) Readings() <-chan Reading { return r.readings }

// States delivers whether the reader can read: the latest state each time that it has changed. It is closed after Close.
func (r *Reader) States() <-chan State { return r.states }

// Close ends the reader, waits for that, and closes the port. The error is the port's.
func (r *Reader) Close() error {
	r.close()
	<-r.ended
	return r.conn.Close()
}

func (r *Reader) run(today func() tournament.Date) {
	defer close(r.ended)
	defer close(r.readings)
	defer close(r.states)

	var queue []Reading
	var state State
	var at time.Time
	seen := presentations{away: r.profile.Repeat}
	decoder := newDecoder(r.profile, today, func(found read) {
		reading := found.reading()
		reading.At = at
		if seen.again(reading) {
			return
		}
		if queue = append(queue, reading); len(queue) > waiting {
			queue = queue[1:]
		}
	})
	silence := time.NewTimer(r.profile.Frame.Gap)
	defer silence.Stop()
	defer decoder.framer.reset()

	states := chan State(nil) // nil while there is nothing new to tell
	for {
		var next Reading
		readings := chan Reading(nil)
		if len(queue) > 0 {
			next, readings = queue[0], r.readings
		}
		select {
		case <-r.closing:
			return
		case readings <- next:
			queue = queue[1:]
		case states <- state:
			states = nil
		case <-silence.C:
			if len(r.conn.Events()) > 0 { // this program was late, not the line silent: the bytes' own times will tell
				continue
			}
			decoder.silence()
		case event, open := <-r.conn.Events():
			at = event.At
			switch {
			case !open:
				return
			case event.Kind == port.Data:
				decoder.push(at, event.Data)
				silence.Reset(r.profile.Frame.Gap)
				continue
			}
			decoder.framer.reset()
			state, states = State{At: at, Ready: event.Kind == port.Opened, Err: event.Err}, r.states
		}
	}
}

// presentations tells the frames of a card that lies on its reader from a card that was put there again. Cards may lie
// there together.
type presentations struct {
	away time.Duration // how long a card must have been away
	last map[string]time.Time
}

// again reports whether a reading is of a card that has not been away since it was last read, or is a misread one while
// a card lies there.
func (p *presentations) again(reading Reading) bool {
	if p.away == 0 {
		return false
	}
	maps.DeleteFunc(p.last, func(_ string, last time.Time) bool { return reading.At.Sub(last) >= p.away })
	key := string(reading.Refusal)
	if reading.Card != nil {
		key = reading.Card.Number
	}
	_, again := p.last[key]
	again = again || reading.Card == nil && len(p.last) > 0
	if p.last == nil {
		p.last = map[string]time.Time{}
	}
	p.last[key] = reading.At
	return again
}
