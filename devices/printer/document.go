package printer

import (
	"errors"

	"reelkiosk/devices/dots"
	"reelkiosk/devices/printer/escpos"
)

// Document is what stands on one piece of paper, from top to bottom, whatever printer it comes out of. It is laid out
// for a printer's columns only when it is printed: text wraps, and one column stays free at each side.
type Document []Block

// Block is one part of a document: Text, Pair, Rule, Bar, Space, QR, Code128, Picture or Cut.
type Block interface {
	// place puts the block on the paper.
	place(*layout) error
}

// ErrDocument is wrapped by what Encode returns for a document that no printer of the profile can print: a symbol that
// is wider than the paper, or has letters that the symbol cannot hold.
var ErrDocument = errors.New("document cannot be printed")

// Alignment is where text stands.
type Alignment = escpos.Alignment

// The alignments.
const (
	Left   = escpos.Left
	Centre = escpos.Centre
	Right  = escpos.Right
)

// Text is a paragraph. Line breaks in it are kept; longer lines wrap between words.
type Text struct {
	Text  string
	Align Alignment
	Bold  bool
	Size  int // times as wide and as high as font A's 12×24 dots, 1 to 8; 0 counts as 1
	// Shrink takes a smaller size, where that lets the text stand in one line.
	Shrink bool
	// Flow joins the text's lines where they fit into one: its line breaks are only where it is best broken.
	Flow bool
}

// Pair is a line with a word at each side. Where both do not fit, the left one has a line of its own.
type Pair struct {
	Left, Right string
	Bold        bool
	Size        int // as in Text
}

// Rule is a line across the paper, two dots thick.
type Rule struct{}

// Bar is white text of twice the size on a black bar across the whole paper.
type Bar struct{ Text string }

// Space is that many white rows.
type Space struct{ Dots int }

// QR is a QR code, centred. Its white margin at the sides is the paper's; above and below it needs a Space of four
// modules each.
type QR struct {
	Data   string // ASCII: readers do not agree on anything else
	Module int    // dots a side of a module
	Level  Level
}

// Level is how much damage a QR code bears.
type Level = escpos.Level

// The levels: 7, 15, 25 and 30 % of the code words.
const (
	LevelL = escpos.LevelL
	LevelM = escpos.LevelM
	LevelQ = escpos.LevelQ
	LevelH = escpos.LevelH
)

// Code128 is a Code 128, centred, with modules of three dots or, where those do not fit, two.
type Code128 struct {
	Data   string // characters 20 to 7E
	Height int    // dots, 1 to 255
}

// Picture is a picture, centred.
type Picture struct{ Picture *dots.Bitmap }

// Cut ends the piece of paper: fed past the knife and cut, or fed past the edge where there is no knife.
type Cut struct{}
