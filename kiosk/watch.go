package kiosk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"reelkiosk/devices/identity"
	"reelkiosk/devices/printer"
	"reelkiosk/devices/reader"
	"reelkiosk/kiosk/visit"
	"reelkiosk/store/condition"
	"reelkiosk/store/tournament"
	"reelkiosk/store/wire"
)

// nearHeats is how many heats are asked for again and again; whoever is identified gets more.
const nearHeats = 24

// definitionAge is how old the tournament's name, rules and zone may be before they are asked for again.
const definitionAge = 30 * time.Second

// watchCentral asks central for heats every few seconds and after each act, so that the seats left are those of now.
func (c *Conductor) watchCentral(ctx context.Context) {
	var floor visit.Floor
	var asked time.Time
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-c.soon:
		}
		err := error(nil)
		if asked.IsZero() || time.Since(asked) > definitionAge {
			if err = c.definition(ctx, &floor); err == nil {
				asked = time.Now()
			}
		}
		if err == nil {
			floor.Heats, err = c.heats(ctx, nearHeats)
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil && c.Alone != nil {
			c.floorAlone(ctx, &floor)
		}
		seen := floor
		c.heardOf(err)
		c.post(func() {
			if err != nil {
				c.note(condition.LinkDown, !isDistrust(err), err.Error())
				return
			}
			c.note(condition.LinkDown, false, "")
			now, _ := c.Clock.Now()
			c.step(visit.FloorSeen{Floor: seen, Now: now})
		})
		timer.Reset(c.Refresh)
	}
}

// definition asks for what a kiosk must know to greet, and whether central is well.
func (c *Conductor) definition(ctx context.Context, floor *visit.Floor) error {
	sent := c.Clock.boot()
	told, err := c.Central.Tournament(ctx)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(told.Zone)
	if err != nil {
		return fmt.Errorf("the tournament's zone: %w", err)
	}
	c.Clock.In(zone)
	c.Clock.Hear(told.ServerTime, sent)
	health, err := c.Central.Health(ctx)
	if err != nil {
		return err
	}
	c.post(func() { c.note(condition.CentralSuspect, health.Status == "suspect", "") })
	floor.Property, floor.Name = told.Property, told.Name
	floor.RulesVersion, floor.RulesHash, floor.RulesBody = told.Rules.Version, told.Rules.Hash, told.Rules.Body
	floor.SeatPrice, floor.MinAge = told.SeatPrice, told.MinAge
	return nil
}

// heats asks for the heats that may still be registered for, now or later, in order.
func (c *Conductor) heats(ctx context.Context, most int) ([]visit.Heat, error) {
	told, err := c.copiedHeats(ctx, most)
	if err != nil {
		sent := c.Clock.boot()
		now, _ := c.Clock.Now()
		asked, err := c.Central.Heats(ctx, now, most)
		if err != nil {
			return nil, err
		}
		c.Clock.Hear(asked.ServerTime, sent)
		told = asked.Heats
	}
	now, _ := c.Clock.Now()
	return openHeats(told, now), nil
}

// openHeats returns those heats that may still be registered for, now or later.
func openHeats(told []wire.Heat, now time.Time) []visit.Heat {
	heats := []visit.Heat{}
	for _, heat := range told {
		if heat.Stage == tournament.Qualifying && heat.State == "scheduled" && now.Before(heat.Closes) {
			heats = append(heats, visit.Heat{
				ID: heat.ID, Number: heat.Number, Start: heat.Start, Opens: heat.Opens, Closes: heat.Closes,
				Free: heat.Free, Size: heat.Size, Place: heat.Place, Lowest: heat.Machines[0], Highest: heat.Machines[1],
			})
		}
	}
	return heats
}

// refresh asks for heats before their time.
func (c *Conductor) refresh() {
	select {
	case c.soon <- struct{}{}:
	default:
	}
}

// watchReader brings what a reader reads, and how it is.
func (c *Conductor) watchReader(device Reader, gone, setUp condition.Name) {
	readings, states := device.Readings(), device.States()
	for readings != nil || states != nil {
		select {
		case <-c.life.Done():
			return
		case reading, open := <-readings:
			if !open {
				readings = nil
				continue
			}
			c.post(func() { c.reading(reading, setUp) })
		case state, open := <-states:
			if !open {
				states = nil
				continue
			}
			c.post(func() {
				c.note(gone, !state.Ready, because(state.Err))
				if gone == condition.ReaderGone {
					c.ready.Card = state.Ready
				} else {
					c.ready.Document = state.Ready
				}
				c.devices()
			})
		}
	}
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// reading makes an event of a reading. That a card was put into an insert reader, or pulled out, is none: its data comes as
// it is pulled, and whoever walks away with it is noticed by not touching anything.
func (c *Conductor) reading(reading reader.Reading, setUp condition.Name) {
	switch reading.Kind {
	case reader.KindCard:
		c.step(visit.CardRead{Number: reading.Card.Number})
	case reader.KindDocument:
		if seesHost(*reading.Document) != "" {
			c.Log.Info("document for a host")
			c.step(visit.ReadRefused{Host: true})
			break
		}
		c.step(visit.DocumentRead{Document: documentOf(*reading.Document)})
	case reader.KindSymbol:
		c.step(symbolOf(reading.Symbol.Text))
	case reader.KindRefused:
		if refusedReads[reading.Refusal].Host {
			c.Log.Info("document for a host")
		} else {
			c.Log.Info("read refused", "why", reading.Refusal)
		}
		c.step(refusedReads[reading.Refusal])
	default:
		return
	}
	wrong := reading.Refusal == reader.ReaderSetUp || reading.Refusal == reader.NoAIMID || reading.Refusal == reader.ScannerSet
	if wrong || reading.Kind != reader.KindRefused {
		c.note(setUp, wrong, string(reading.Refusal))
	}
}

// refusedReads are what a player is told of each refused read.
var refusedReads = map[reader.Refusal]visit.ReadRefused{
	reader.BankCard:      {Why: visit.HintBankCard},
	reader.OtherCard:     {Why: visit.HintOtherCard},
	reader.PhoneCard:     {Why: visit.HintOtherCard},
	reader.SwipeAgain:    {Why: visit.HintSwipeAgain},
	reader.Unreadable:    {Why: visit.HintUnreadable},
	reader.ReaderSetUp:   {Why: visit.HintReaderSetup},
	reader.NoAIMID:       {Why: visit.HintReaderSetup},
	reader.ScannerSet:    {Why: visit.HintReaderSetup},
	reader.UnknownCode:   {Why: visit.HintUnreadable},
	reader.LicenceDisc:   {Why: visit.HintLicenceDisc},
	reader.ScanAgain:     {Why: visit.HintScanAgain},
	reader.DocumentWrong: {Host: true},
}

// symbolOf tells a receipt from a ticket by the check symbols of their numbers, which differ.
func symbolOf(text string) visit.SymbolRead {
	if receipt, err := tournament.ParseReceiptNumber(text); err == nil {
		return visit.SymbolRead{Kind: visit.SymbolReceipt, Number: string(receipt)}
	}
	if _, err := tournament.ParseTicketNumber(text); err == nil {
		return visit.SymbolRead{Kind: visit.SymbolTicket}
	}
	return visit.SymbolRead{Kind: visit.SymbolUnknown}
}

// documentKinds are the wire's words for kinds of documents, where they differ.
var documentKinds = map[identity.Kind]string{
	identity.KindTD1: "id-card", identity.KindTD2: "id-card", identity.KindAAMVACard: "id-card",
	identity.KindAAMVALicence: "foreign-licence",
}

// documentOf is what central needs of a document to decide.
func documentOf(read identity.Document) wire.Document {
	kind, other := documentKinds[read.Kind]
	if !other {
		kind = string(read.Kind)
	}
	return wire.Document{
		Kind: kind, IDNumber: read.IDNumber, Number: read.Number, Issuer: read.Issuer, Surname: read.Surname,
		Given: read.GivenNames, BirthDate: read.BirthDate, Expiry: read.Expiry,
	}
}

// watchPrinter brings how the printer is, and its late word about a copy.
func (c *Conductor) watchPrinter() {
	changes, confirmations := c.Printer.Changes(), c.Printer.Confirmations()
	for changes != nil || confirmations != nil {
		select {
		case <-c.life.Done():
			return
		case status, open := <-changes:
			if !open {
				changes = nil
				continue
			}
			c.post(func() { c.printerChanged(status) })
		case job, open := <-confirmations:
			if !open {
				confirmations = nil
				continue
			}
			if _, err := tournament.ParseTicketNumber(string(job)); errors.Is(err, tournament.ErrNumber) {
				continue // the rules, or a test page
			}
			c.conclude(string(job), tournament.CopyPrinted, "confirmed late")
			c.happened(visit.PrintConfirmed{Ticket: string(job)})
		}
	}
}

func (c *Conductor) printerChanged(status printer.Status) {
	c.printer = status
	for state, name := range printerConditions {
		if name != printerConditions[status.State] {
			c.note(name, false, "")
		} else if state == status.State {
			c.note(name, true, because(status.Err))
		}
	}
	c.devices()
}
