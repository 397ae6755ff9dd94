// Package face is what the kiosk's faces are made of: colours by role, the embedded letters, sizes for fingers and for
// eyes at arm's length, the parts that screens are put together from, and what the screens say in each language.
//
// A screen is a Sheet: a list of flat pieces (boxes, lines of words, drawings) and of places to touch, all in pixels. A
// face composes a whole sheet from the state that it is to show; the Panel keeps the last one and repaints what differs.
// Sheets are plain values, so that tests measure every screen in every language without a picture of it.
//
//	phrases, err := face.NewPhrases(assets.Phrases)
//	house, err := face.ReadHouse(assets.Houses, "houses/ridge.toml")
//	panel := face.NewPanel(touched, resized)
//	window.SetContent(panel.Root())
//	panel.Show(sheet) // on Fyne's goroutine
//
// Neither this package nor the faces import fyne/app or GLFW: their tests need no cgo and no display.
package face
