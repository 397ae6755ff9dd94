package face

// The parts that every face is put together from. Each takes its box in pixels; words are scaled and fitted here.

const (
	// GoldHeight is the height of the gold button and band, seven steps of the grid; QuietHeight that of the others.
	GoldHeight, QuietHeight float32 = 168, 96
	// inset is the space beside the words of a gold shape.
	inset float32 = 48
)

// fitted returns the scaled style if the text then fits in one line of the width, else the style as it is.
func (s *Sheet) fitted(text string, style Style, width float32) Style {
	if scaled := s.Scaled(style); scaled.Letters.Width(text, scaled.Size) <= width {
		return scaled
	}
	return style
}

// Label adds one line of words centred in the height of a box, scaled as far as it fits.
func (s *Sheet) Label(x, y, w, h float32, text string, style Style, align Align) {
	style = s.fitted(text, style, w)
	s.Say(x, y+(h-style.Line)/2, w, text, style, align)
}

// goldStyle is how the gold shape's words are set: 48, or 56 in larger text, in one line or two.
func (s *Sheet) goldStyle() Style {
	style := CardTitle.In(Ink)
	if s.Larger {
		style.Size, style.Line = 56, 66
	}
	return style
}

// Block sets a text centred in the height of a box, in as many lines as it takes, at a size that is final.
func (s *Sheet) Block(x, y, w, h float32, text string, style Style, align Align) {
	lines := style.Letters.Wrap(text, style.Size, w)
	y += (h - float32(len(lines))*style.Line) / 2
	for _, line := range lines {
		s.Say(x, y, w, line, style, align)
		y += style.Line
	}
}

// GoldButton adds what to touch now.
func (s *Sheet) GoldButton(x, y, w float32, text string, event any) {
	s.Fill(x, y, w, GoldHeight, Radius, Gold)
	s.Block(x+inset/2, y, w-inset, GoldHeight, text, s.goldStyle(), Centre)
	s.Answer(Touch{X: x, Y: y, W: w, H: GoldHeight, Radius: Radius, Ring: Ink, Event: event})
}

// GoldBand adds what to do now with the hands: words, and a drawing of an arrow to where.
func (s *Sheet) GoldBand(x, y, w float32, text, arrow string, event any) {
	s.Fill(x, y, w, GoldHeight, Radius, Gold)
	s.Block(x+inset, y, w-2*inset-72-Gap, GoldHeight, text, s.goldStyle(), Left)
	s.Draw(arrow, x+w-inset-72, y+(GoldHeight-72)/2, 72, 72)
	s.Answer(Touch{X: x, Y: y, W: w, H: GoldHeight, Radius: Radius, Ring: Ink, Event: event})
}

// QuietButton adds a button for something else than the gold one; of its height (GoldHeight) where it weighs as much.
func (s *Sheet) QuietButton(x, y, w, h float32, text string, event any) {
	s.Outline(x, y, w, h, Radius, Stroke, Raised, Line)
	if h == GoldHeight {
		style := s.goldStyle().In(Paper)
		s.Block(x+Gap, y, w-2*Gap, h, text, style, Centre)
	} else {
		s.Label(x+Gap, y, w-2*Gap, h, text, BodyBold, Centre)
	}
	s.Answer(Touch{X: x, Y: y, W: w, H: h, Radius: Radius, Ring: Paper, Event: event})
}

// FootButton adds one of the small buttons at the foot: with words, or with a drawing where there is one. What is chosen
// is lit and underlined.
func (s *Sheet) FootButton(x, y, w float32, text, drawing string, chosen bool, event any) {
	const h = QuietHeight
	style, bar := Small.In(Paper), float32(18)
	if chosen {
		style = style.Bold()
		s.Outline(x, y, w, h, Radius, ChosenStroke, Raised, Paper)
	} else {
		s.Outline(x, y, w, h, Radius, Stroke, Nothing, Line)
	}
	if drawing != "" {
		s.Draw(drawing, x+(w-72)/2, y+20, 72, 52)
		bar = 20
	} else {
		s.Label(x+12, y, w-24, h, text, style, Centre)
	}
	if chosen {
		s.Fill(x+(w-36)/2, y+h-bar-3, 36, 6, 3, Paper)
	}
	s.Answer(Touch{X: x, Y: y, W: w, H: h, Radius: Radius, Ring: Paper, Event: event})
}

// Card adds a box that matter stands in. Unless outlined, it has an outline only in a palette that outlines every box.
func (s *Sheet) Card(x, y, w, h float32, outlined bool) {
	if outlined || s.Palette.Outlined {
		s.Outline(x, y, w, h, Radius, Stroke, Surface, Line)
	} else {
		s.Fill(x, y, w, h, Radius, Surface)
	}
}

// LitCard adds a box that is lit, or one that is not: the chip in use, and the others.
func (s *Sheet) LitCard(x, y, w, h float32, lit bool) {
	if lit {
		s.Outline(x, y, w, h, Radius, ChosenStroke, Raised, Paper)
	} else {
		s.Outline(x, y, w, h, Radius, Stroke, Nothing, Line)
	}
}

// Bar adds a bar of which a share, 0 to 1, is filled.
func (s *Sheet) Bar(x, y, w, h float32, share float64) {
	s.Outline(x, y, w, h, h/2, Stroke, Raised, Line)
	if filled := w * float32(min(max(share, 0), 1)); filled > 0 {
		s.Fill(x, y, max(filled, h), h, h/2, Paper).Loose = true
	}
}

// Hairline adds the thin line between rows.
func (s *Sheet) Hairline(x, y, w float32) { s.Fill(x, y, w, 2, 0, Rule) }

// Ticking adds a phrase with a clock or countdown in it, whose figures do not dance. The phrase holds the mark where the
// figures stand.
func (s *Sheet) Ticking(x, y, width float32, before, figures, after string, style Style, align Align) {
	tabular := style.Tabular()
	first, second := style.Letters.Width(before, style.Size), tabular.Letters.Width(figures, style.Size)
	third := style.Letters.Width(after, style.Size)
	left := x
	if align == Right {
		left = x + width - first - second - third
	}
	room := x + width
	if before != "" {
		s.Say(left, y, room-left, before, style, Left)
	}
	s.Say(left+first, y, room-left-first, figures, tabular, Left)
	if after != "" {
		s.Say(left+first+second, y, room-left-first-second, after, style, Left)
	}
}
