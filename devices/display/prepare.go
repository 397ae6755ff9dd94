package display

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Prepare makes a window one for a kiosk, before it is shown: root fills it to the edges and cannot change its size, no
// pointer is seen, the window cannot be closed, and keys do nothing that root did not ask for.
func Prepare(window fyne.Window, root fyne.CanvasObject) {
	shield := NewShield(root)
	window.SetPadded(false)
	window.SetContent(Pin(shield))
	window.SetCloseIntercept(func() {})
	for _, closing := range []fyne.Shortcut{
		&desktop.CustomShortcut{KeyName: fyne.KeyF4, Modifier: fyne.KeyModifierAlt},
		&desktop.CustomShortcut{KeyName: fyne.KeyQ, Modifier: fyne.KeyModifierControl},
		&desktop.CustomShortcut{KeyName: fyne.KeyW, Modifier: fyne.KeyModifierControl},
	} {
		window.Canvas().AddShortcut(closing, func(fyne.Shortcut) {})
	}
	window.Canvas().Focus(shield)
}

// Quit ends a running application, on Fyne's own goroutine. fyne.App's Quit closes the windows first, and Fyne 2.7.1 dies
// of a nil pointer where the pointer moves over a window that is closing: a finger on the screen would make a planned end
// a crash.
func Quit(application fyne.App) { application.Driver().Quit() }

// ServiceChord calls a technician's function when Ctrl, Shift and T are pressed together.
func ServiceChord(window fyne.Window, pressed func()) {
	chord := &desktop.CustomShortcut{KeyName: fyne.KeyT, Modifier: fyne.KeyModifierControl | fyne.KeyModifierShift}
	window.Canvas().AddShortcut(chord, func(fyne.Shortcut) { pressed() })
}

// Pin lets content fill whatever size the window has, and claims no size of its own: else one text that is too long for
// the monitor would make a borderless window wider than it.
func Pin(content fyne.CanvasObject) *fyne.Container { return container.New(pinned{}, content) }

type pinned struct{}

func (pinned) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(1, 1) }

func (pinned) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, object := range objects {
		object.Move(fyne.NewPos(0, 0))
		object.Resize(size)
	}
}

// Shield lies around the content of a kiosk's window. It hides the pointer, except over widgets that set one of their own
// (a text entry), and takes every key that no widget has asked for by taking the focus: a keyboard, or a scanner that
// was set up as one, would otherwise walk over the buttons by Tab and press them by Enter. Overlays, such as dialogs, lie
// outside of it and need one of their own.
type Shield struct {
	widget.BaseWidget
	content fyne.CanvasObject
}

var (
	_ desktop.Cursorable = (*Shield)(nil)
	_ fyne.Focusable     = (*Shield)(nil)
	_ fyne.Tabbable      = (*Shield)(nil)
)

// NewShield returns a shield around content.
func NewShield(content fyne.CanvasObject) *Shield {
	s := &Shield{content: content}
	s.ExtendBaseWidget(s)
	return s
}

// CreateRenderer implements fyne.Widget.
func (s *Shield) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(s.content) }

// Cursor implements desktop.Cursorable: there is none to be seen.
func (s *Shield) Cursor() desktop.Cursor { return desktop.HiddenCursor }

// AcceptsTab implements fyne.Tabbable, so that Tab does not move the focus away.
func (s *Shield) AcceptsTab() bool { return true }

// FocusGained implements fyne.Focusable.
func (s *Shield) FocusGained() {}

// FocusLost implements fyne.Focusable. A widget that was tapped may have the focus; the shield is first in line after it.
func (s *Shield) FocusLost() {}

// TypedRune implements fyne.Focusable: the character is swallowed.
func (s *Shield) TypedRune(rune) {}

// TypedKey implements fyne.Focusable: the key is swallowed.
func (s *Shield) TypedKey(*fyne.KeyEvent) {}
