// Package display puts the kiosk's window on its monitor and keeps it there.
//
// It is the only package besides the kiosk's command that touches Fyne's application and GLFW; what a screen shows is
// none of its business. It is built for X11 without a window manager: one borderless window is placed by position and
// size. Fyne's own full screen is not used: it crashes where no monitor is connected, and a window that was full screen
// on a monitor that went away never comes back.
//
// A program starts so, on its main goroutine:
//
//	if err := display.Environment(); err != nil { … }    // before anything of Fyne
//	if err := display.Connect(); err != nil { … }        // no display: say so, and do without
//	window := app.New().NewWindow("Kiosk")
//	display.Prepare(window, root)
//	window.Show()
//	stop := display.Keep(display.Placement{Window: window, Monitor: "HDMI-1", Placed: report})
//	application.Run()
//	stop()
//
// A monitor that is missing, unplugged or switched off is reported and waited for; the window is then elsewhere or
// nowhere, and comes back. Everything here but [Environment], [Awake] and [Pick] belongs on the main goroutine: in main
// before Run, in a callback of Fyne's, or in fyne.Do.
package display
