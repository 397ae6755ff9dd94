package face

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Theme is the whole theme of Fyne's own widgets, where a face uses any, in a palette. The sheets of a face name their
// colours and sizes themselves and look the same under any theme.
type Theme struct {
	Palette Palette
	Larger  bool
}

var _ fyne.Theme = Theme{}

// Color ignores the variant, which a desktop could change under us. Hovering and focus are invisible: a touch leaves the
// pointer behind.
func (t Theme) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	role, ok := themeRoles[name]
	if !ok {
		return theme.DefaultTheme().Color(name, theme.VariantDark)
	}
	return t.Palette.Colour(role)
}

var themeRoles = map[fyne.ThemeColorName]Role{
	theme.ColorNameBackground: Ground, theme.ColorNameOverlayBackground: Surface, theme.ColorNameMenuBackground: Surface,
	theme.ColorNameHeaderBackground: Surface, theme.ColorNameInputBackground: Surface, theme.ColorNameButton: Raised,
	theme.ColorNameDisabledButton: Surface, theme.ColorNameInputBorder: Line, theme.ColorNameSeparator: Rule,
	theme.ColorNameForeground: Paper, theme.ColorNameDisabled: Quiet, theme.ColorNamePlaceHolder: Quiet,
	theme.ColorNameScrollBar: Line, theme.ColorNameScrollBarBackground: Ground, theme.ColorNameSelection: Line,
	theme.ColorNamePrimary: Gold, theme.ColorNameForegroundOnPrimary: Ink, theme.ColorNameHyperlink: Gold,
	theme.ColorNameSuccess: Good, theme.ColorNameForegroundOnSuccess: Ink, theme.ColorNameWarning: Warn,
	theme.ColorNameForegroundOnWarning: Ink, theme.ColorNameError: Bad, theme.ColorNameForegroundOnError: Ink,
	theme.ColorNameHover: Nothing, theme.ColorNameFocus: Nothing, theme.ColorNamePressed: Line, theme.ColorNameShadow: Nothing,
}

// Font returns the embedded faces: bold is SemiBold, monospaced are the figures.
func (t Theme) Font(style fyne.TextStyle) fyne.Resource {
	switch {
	case style.Monospace && style.Bold:
		return SemiBoldFigures.Resource()
	case style.Monospace:
		return Figures.Resource()
	case style.Bold:
		return SemiBold.Resource()
	}
	return Regular.Resource()
}

// Icon returns Fyne's own.
func (t Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

// Size returns sizes for fingers, 1.25 times in larger text.
func (t Theme) Size(name fyne.ThemeSizeName) float32 {
	size, ok := themeSizes[name]
	if !ok {
		return theme.DefaultTheme().Size(name)
	}
	if t.Larger && (name == theme.SizeNameText || name == theme.SizeNameHeadingText || name == theme.SizeNameSubHeadingText ||
		name == theme.SizeNameCaptionText) {
		return size * 1.25
	}
	return size
}

var themeSizes = map[fyne.ThemeSizeName]float32{
	theme.SizeNamePadding: 12, theme.SizeNameInnerPadding: 28, theme.SizeNameText: Body.Size,
	theme.SizeNameHeadingText: Title.Size, theme.SizeNameSubHeadingText: CardTitle.Size, theme.SizeNameCaptionText: Small.Size,
	theme.SizeNameInlineIcon: 40, theme.SizeNameScrollBar: 28, theme.SizeNameScrollBarSmall: 12,
	theme.SizeNameInputRadius: Radius, theme.SizeNameSelectionRadius: Radius, theme.SizeNameInputBorder: Stroke,
	theme.SizeNameSeparatorThickness: 2, theme.SizeNameLineSpacing: 12,
}
