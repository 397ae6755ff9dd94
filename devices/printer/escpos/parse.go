package escpos

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"reelkiosk/devices/dots"
)

// ErrSyntax is wrapped by Parse where the JSON is not a list of commands.
var ErrSyntax = errors.New("not a command")

// Parse reads a JSON list of commands in the words of the test vectors, such as
//
//	[{"op": "init"}, {"op": "size", "width": 2, "height": 2}, {"op": "text", "text": "SEAT 7"}]
//
// The error wraps ErrSyntax and names the command, counted from 1.
func Parse(list []byte) ([]Command, error) {
	var raws []json.RawMessage
	if err := json.Unmarshal(list, &raws); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	commands := make([]Command, 0, len(raws))
	for at, raw := range raws {
		command, err := parse(raw)
		if err != nil {
			return nil, fmt.Errorf("command %d: %w", at+1, err)
		}
		commands = append(commands, command)
	}
	return commands, nil
}

// words are the fields of every command. Which of them a command has, parsers says.
type words struct {
	Op        string   `json:"op"`
	Name      string   `json:"name"`
	Text      string   `json:"text"`
	To        string   `json:"to"`
	Data      string   `json:"data"`
	Level     string   `json:"level"`
	Mode      string   `json:"mode"`
	What      string   `json:"what"`
	ID        string   `json:"id"`
	Rows      []string `json:"rows"`
	On        bool     `json:"on"`
	Width     int      `json:"width"`
	Height    int      `json:"height"`
	Lines     int      `json:"lines"`
	Units     int      `json:"units"`
	Module    int      `json:"module"`
	Feed      *int     `json:"feed"`
	SliceRows int      `json:"slice_rows"`
	Pin       int      `json:"pin"`
	OnMS      int      `json:"on_ms"`
	OffMS     int      `json:"off_ms"`
	Mask      int      `json:"mask"`
}

func parse(raw json.RawMessage) (Command, error) {
	var read words
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	build, known := parsers[read.Op]
	if !known {
		return nil, fmt.Errorf("%w: op %q is unknown", ErrSyntax, read.Op)
	}
	command, err := build(read)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrSyntax, read.Op, err)
	}
	return command, nil
}

// just is a parser that cannot fail.
func just(build func(words) Command) func(words) (Command, error) {
	return func(read words) (Command, error) { return build(read), nil }
}

var parsers = map[string]func(words) (Command, error){
	"init":             just(func(words) Command { return Initialise{} }),
	"single-byte-mode": just(func(words) Command { return SingleByteMode{} }),
	"text":             just(func(read words) Command { return Text{read.Text} }),
	"bold":             just(func(read words) Command { return Bold{read.On} }),
	"reverse":          just(func(read words) Command { return Reverse{read.On} }),
	"smoothing":        just(func(read words) Command { return Smoothing{read.On} }),
	"size":             just(func(read words) Command { return Size{read.Width, read.Height} }),
	"line-feed":        just(func(words) Command { return LineFeed{} }),
	"line-spacing":     just(func(read words) Command { return LineSpacing{read.Units} }),
	"feed":             just(func(read words) Command { return FeedLines{read.Lines} }),
	"feed-units":       just(func(read words) Command { return FeedUnits{read.Units} }),
	"code128":          just(func(read words) Command { return Code128{read.Data, read.Height, read.Width} }),
	"process-id":       just(func(read words) Command { return ProcessID{read.ID} }),
	"clear-buffers":    just(func(words) Command { return ClearBuffers{} }),
	"drawer": just(func(read words) Command {
		return Drawer{read.Pin, time.Duration(read.OnMS) * time.Millisecond, time.Duration(read.OffMS) * time.Millisecond}
	}),
	"status-back": parseStatusBack,
	"code-page":   parseCodePage,
	"align":       parseAlign,
	"qr":          parseQR,
	"cut":         parseCut,
	"raster":      parseRaster,
	"ask":         parseAsk,
}

func parseStatusBack(read words) (Command, error) {
	if read.Mask < 0 || read.Mask > 255 {
		return nil, fmt.Errorf("mask %d: 0 to 255", read.Mask)
	}
	return StatusBack{byte(read.Mask)}, nil
}

func parseCodePage(read words) (Command, error) {
	page, known := PageNamed(read.Name)
	if !known {
		return nil, fmt.Errorf("name %q: one of %v", read.Name, Pages)
	}
	return CodePage{page}, nil
}

func parseAlign(read words) (Command, error) {
	switch read.To {
	case "left":
		return Align{Left}, nil
	case "centre", "center":
		return Align{Centre}, nil
	case "right":
		return Align{Right}, nil
	}
	return nil, fmt.Errorf("to %q: left, centre or right", read.To)
}

func parseQR(read words) (Command, error) {
	at := slices.Index([]string{"L", "M", "Q", "H"}, read.Level)
	if at < 0 {
		return nil, fmt.Errorf("level %q: L, M, Q or H", read.Level)
	}
	return QR{read.Data, read.Module, LevelL + Level(at)}, nil
}

func parseCut(read words) (Command, error) {
	if read.Mode != "full" && read.Mode != "partial" {
		return nil, fmt.Errorf("mode %q: full or partial", read.Mode)
	}
	cut := Cut{Partial: read.Mode == "partial", Feed: read.Feed != nil}
	if cut.Feed {
		cut.Units = *read.Feed
	}
	return cut, nil
}

func parseRaster(read words) (Command, error) {
	if len(read.Rows) == 0 {
		return nil, errors.New("no rows")
	}
	picture := dots.New(len(read.Rows[0]), len(read.Rows))
	for y, row := range read.Rows {
		if len(row) != picture.Width() {
			return nil, fmt.Errorf("row %d has %d dots, the first %d", y+1, len(row), picture.Width())
		}
		for x := range len(row) {
			if row[x] != '#' && row[x] != '.' {
				return nil, fmt.Errorf("row %d: %q: # or .", y+1, row[x])
			}
			picture.Set(x, y, row[x] == '#')
		}
	}
	return Raster{picture, read.SliceRows}, nil
}

// whats are the words for questions: what is asked, or the question's own name.
var whats = map[string]Question{
	"printer": AskPrinter, "offline": AskOffline, "error": AskError, "paper": AskPaper, "paper-queued": AskPaperQueued,
}

func parseAsk(read words) (Command, error) {
	what, known := whats[read.What]
	if !known {
		if err := what.UnmarshalText([]byte(read.What)); err != nil || what == NoQuestion || what == AskProcessID {
			return nil, fmt.Errorf("what %q: printer, offline, error, paper or paper-queued", read.What)
		}
	}
	return Ask{what}, nil
}
