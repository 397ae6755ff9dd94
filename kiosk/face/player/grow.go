package player

import "reelkiosk/kiosk/face"

// paragraph is a text and its style at normal size.
type paragraph struct {
	text  string
	style face.Style
}

// growths are by how much larger text grows where it has room, of the letters and of the lines; the first that fits is taken.
// The last is no growth at all.
var growths = []struct{ letters, lines float32 }{{1.25, 1.25}, {1.25, 1.125}, {1.125, 1.04}, {1, 1}}

// grown returns paragraphs in the largest styles with which they fit under each other into a room, final ones, and how high
// they are together.
func (s *screen) grown(w, room float32, paragraphs ...paragraph) (fitting []paragraph, height float32) {
	steps := growths
	if !s.Larger {
		steps = growths[len(growths)-1:]
	}
	for _, step := range steps {
		fitting, height = nil, 0
		for _, each := range paragraphs {
			if each.text == "" {
				continue
			}
			each.style.Size, each.style.Line = each.style.Size*step.letters, each.style.Line*step.lines
			lines := each.style.Letters.Wrap(each.text, each.style.Size, w)
			fitting, height = append(fitting, each), height+float32(len(lines))*each.style.Line
		}
		if height <= room {
			break
		}
	}
	return fitting, height
}

// stack draws paragraphs of a final style under each other and returns the y below them.
func (s *screen) stack(x, y, w float32, paragraphs []paragraph) float32 {
	for _, each := range paragraphs {
		for _, line := range each.style.Letters.Wrap(each.text, each.style.Size, w) {
			s.Say(x, y, w, line, each.style, face.Left)
			y += each.style.Line
		}
	}
	return y
}

// caption draws a few words at the left of a box, centred in its height: in larger text in two lines where one is too short.
func (s *screen) caption(x, y, w, h float32, text string, style face.Style) {
	if scaled := s.Scaled(style); face.FitsLine(text, scaled, w) {
		s.Label(x, y, w, h, text, style, face.Left)
		return
	}
	fitting, height := s.grown(w, h, paragraph{text, style})
	s.stack(x, y+(h-height)/2, w, fitting)
}
