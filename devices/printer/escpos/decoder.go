package escpos

const (
	xon  = 0x11
	xoff = 0x13

	blockHead    = 0x37 // begins what a GS ( command has the printer send
	processIDTag = 0x22
)

// Decoder makes messages of the bytes that a printer sends. The zero value expects nothing but automatic status and flow
// control. It is not safe for several goroutines.
//
// What it goes by, in binary (x = any): 0xx1xx10 answers DLE EOT; 0xx1xx00 begins the four bytes of an automatic status,
// whose others are 0xx0xxxx; 37 22 id 00 answers GS ( H; 0xx0xxxx by itself answers GS r; 11 and 13 are XON and XOFF and
// may stand between any two bytes.
type Decoder struct {
	realtime  Question // the DLE EOT that is out
	queued    int      // how many GS r are out
	processID bool

	partial []byte // an automatic status or a block of which more must come
}

// Expect says that a question is out. Of DLE EOT only one can be; GS r may be asked several times over. Process ids are
// taken from then on until Withdraw, since answers to earlier jobs come with them.
func (d *Decoder) Expect(question Question) {
	switch question {
	case AskPrinter, AskOffline, AskError, AskPaper:
		d.realtime = question
	case AskPaperQueued:
		d.queued++
	case AskProcessID:
		d.processID = true
	}
}

// Withdraw says that the answer to a question is not waited for any more.
func (d *Decoder) Withdraw(question Question) {
	switch question {
	case AskPrinter, AskOffline, AskError, AskPaper:
		if d.realtime == question {
			d.realtime = NoQuestion
		}
	case AskPaperQueued:
		d.queued = max(d.queued-1, 0)
	case AskProcessID:
		d.processID = false
	}
}

// Reset forgets what has come and what was asked, as after the port was lost.
func (d *Decoder) Reset() { *d = Decoder{} }

// Decode takes bytes and returns the messages that end in them, in the order of their last bytes.
func (d *Decoder) Decode(received []byte) []Message {
	var messages []Message
	for _, octet := range received {
		if message, complete := d.take(octet); complete {
			messages = append(messages, message)
		}
	}
	return messages
}

func (d *Decoder) take(octet byte) (Message, bool) {
	switch octet {
	case xon:
		return Message{Kind: KindXON}, true
	case xoff:
		return Message{Kind: KindXOFF}, true
	}
	if len(d.partial) > 0 {
		if d.continues(octet) {
			d.partial = append(d.partial, octet)
			return d.complete()
		}
		d.partial = d.partial[:0]
	}
	switch {
	case octet&0x93 == 0x10, octet == blockHead:
		d.partial = append(d.partial, octet)
	case octet&0x93 == 0x12 && d.realtime != NoQuestion:
		asked := d.realtime
		d.realtime = NoQuestion
		return Message{Kind: Kind(asked.String()), Flags: read(nil, octet, answers[asked])}, true
	case octet&0x90 == 0 && d.queued > 0:
		d.queued--
		return Message{Kind: KindPaperQueued, Flags: read(nil, octet, answers[AskPaperQueued])}, true
	}
	return Message{}, false
}

// continues reports whether the byte can be the next of the message that has begun.
func (d *Decoder) continues(octet byte) bool {
	switch at := len(d.partial); {
	case d.partial[0] != blockHead:
		return octet&0x90 == 0
	case at == 1:
		return inProcessID(octet)
	case d.partial[1] != processIDTag:
		return at < longestBlock && (inProcessID(octet) || octet == 0)
	case at < 6:
		return inProcessID(octet)
	}
	return octet == 0
}

// longestBlock bounds the blocks of other GS ( commands, which are read over as a whole: their bytes would pass for
// answers to GS r.
const longestBlock = 80

// complete returns the message if its last byte has come.
func (d *Decoder) complete() (Message, bool) {
	part := d.partial
	switch {
	case part[0] != blockHead && len(part) == 4:
		d.partial = d.partial[:0]
		message := Message{Kind: KindStatusBack}
		for at, table := range statusBack {
			message.Flags = read(message.Flags, part[at], table)
		}
		return message, true
	case part[0] == blockHead && part[len(part)-1] == 0:
		d.partial = d.partial[:0]
		if part[1] == processIDTag && d.processID {
			return Message{Kind: KindProcessID, ID: string(part[2:6])}, true
		}
	}
	return Message{}, false
}
