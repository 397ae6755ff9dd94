// Package kiosk is the appliance assembled: the conductor, which owns the visit and carries out what it asks for.
//
// A visit is a pure state machine (kiosk/visit). The conductor gives it what happens: touches, cards and documents, replies
// of central, the printer's word, the time. It hands each state to the face, which it knows only as an interface, and does
// what the machine asks for on the devices, on central and on the kiosk's own file:
//
//	conductor := kiosk.New(kiosk.Parts{Name: "kiosk-3", Machine: machine, Central: client, Replica: replica, …})
//	face := player.New(phrases, house, conductor.Touch)
//	conductor.Show(face, fyne.Do)
//	err := conductor.Run(ctx) // until ctx ends
//
// # Who owns what
//
// One goroutine, Run's, owns the visit and the conditions; whatever else happens comes to it as a function to call. Each
// effect runs on a goroutine of its own, which Run waits for. The courier owns the requests that change the books: each is on
// the disk before it is sent, is sent until it is answered, and its answer is on the disk before anybody acts on it. The
// face is touched only on the goroutine that the ui function names, with the newest state and never more than one call
// waiting.
//
// # What may be missing
//
// Readers, printer, central, the kiosk's own file: the conductor runs on without any of them, names each as a condition
// (store/condition) and withdraws what needs it (design decision 8).
//
// No card, document, name or ticket number is ever logged.
package kiosk
