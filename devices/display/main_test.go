package display_test

import (
	"bufio"
	"fmt"
	"image/color"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"reelkiosk/devices/display"
)

// actVariable tells this test's own program, run as another process, what to be. A window needs the main goroutine, and
// what an environment does can be seen in a fresh process only.
const actVariable = "REELKIOSK_TEST_ACT"

func TestMain(m *testing.M) {
	acts := map[string]func() error{
		"window":        actWindow,
		"connect":       display.Connect,
		"text, pinned":  func() error { return firstError(display.Environment, actText) },
		"print, pinned": func() error { return firstError(display.Environment, actPrint) },
	}
	act, asked := acts[os.Getenv(actVariable)]
	if !asked {
		os.Exit(m.Run())
	}
	if err := act(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func firstError(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// actText measures a text, as any screen does first.
func actText() error {
	test.NewApp()
	fmt.Println(canvas.NewText("Sawubona", color.White).MinSize().Width > 0)
	return nil
}

func actPrint() error {
	for _, name := range []string{"LANG", "FYNE_SCALE", "FYNE_DISABLE_DPI_DETECTION", "LC_ALL", "LC_MESSAGES", "LANGUAGE"} {
		fmt.Printf("%s=%s\n", name, os.Getenv(name))
	}
	return nil
}

// backdrop is what the window shows where it shows nothing else.
var backdrop = color.NRGBA{R: 0x20, G: 0x80, B: 0x40, A: 0xff}

// actWindow is a small kiosk: a text, a button at the left top, and a technician's chord. It says what happens, a line
// each, and does what it reads.
func actWindow() error {
	if err := firstError(display.Environment, display.Connect); err != nil {
		return err
	}
	application := app.New()
	window := application.NewWindow("Kiosk")
	button := widget.NewButton("Touch", func() { fmt.Println("touched") })
	text, ground := widget.NewLabel("Welcome"), canvas.NewRectangle(backdrop)
	root := container.NewStack(ground, container.NewVBox(container.NewHBox(button), text))
	display.Prepare(window, root)
	display.ServiceChord(window, func() { fmt.Println("service") })
	window.Show()
	stop := display.Keep(display.Placement{
		Window:  window,
		Monitor: os.Getenv("REELKIOSK_TEST_MONITOR"),
		Placed: func(monitor display.Monitor, err error) {
			fmt.Printf("placed on %v (%v)\n", monitor, err)
		},
		Held: func(time.Duration) { fmt.Println("held up") },
	})
	go obey(window, text, ground)
	application.Run()
	stop()
	fmt.Println("ended")
	return nil
}

func obey(window fyne.Window, text *widget.Label, ground *canvas.Rectangle) {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fyne.Do(func() {
			switch lines.Text() {
			case "full screen":
				window.SetFullScreen(true)
			case "too long":
				text.SetText(strings.Repeat("Far too long for any monitor. ", 40))
			case "dark", "light":
				ground.FillColor = map[string]color.Color{"dark": color.Black, "light": backdrop}[lines.Text()]
				ground.Refresh()
			case "place":
				monitor, err := display.Place(window, "")
				fmt.Printf("placed again on %v (%v)\n", monitor, err)
			}
		})
	}
	fyne.Do(func() { display.Quit(fyne.CurrentApp()) })
}
