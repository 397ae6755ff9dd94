package alone

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"reelkiosk/store/ledger"
	"reelkiosk/store/tournament"
)

// seeds returns the first seed and how many evenings are played from there on: 300 others each day, 10,000 where
// REELKIOSK_LONG=1 asks for them. REELKIOSK_SEED is the first one, and REELKIOSK_SEEDS how many.
func seeds(t *testing.T) (first uint64, count int) {
	t.Helper()
	first, count = uint64(rand.Uint32()), 300
	if os.Getenv("REELKIOSK_LONG") == "1" {
		count = 10_000
	}
	if given, err := strconv.ParseUint(os.Getenv("REELKIOSK_SEED"), 10, 64); err == nil {
		first = given
	}
	if given, err := strconv.Atoi(os.Getenv("REELKIOSK_SEEDS")); err == nil {
		count = given
	}
	return first, count
}

// TestRandomEvenings plays evenings on which lines are cut, programs and machines start again, messages are late, lost and
// doubled, kiosks come and go, players are excluded, and heats are moved and cancelled. Whatever happens, nothing is given
// twice, every ticket is in the books, and in the end nothing is left anywhere.
func TestRandomEvenings(t *testing.T) {
	first, count := seeds(t)
	var given, online int
	for seed := first; seed < first+uint64(count); seed++ {
		f := plays(t, seed, "")
		for _, wrong := range f.wrong {
			t.Errorf("REELKIOSK_SEED=%d REELKIOSK_SEEDS=1 repeats this: %s", seed, wrong)
		}
		for _, one := range f.papers {
			if one.kiosk == "desk-1" || one.online {
				online++
			} else {
				given++
			}
		}
	}
	t.Logf("%d evenings from seed %d: %d seats were given by central and %d by kiosks that were cut off", count, first, online, given)
	if given < 4*count || online < 4*count {
		t.Errorf("too few to tell anything")
	}
}

// TestRandomEveningsFailWithoutARule is the control of TestRandomEvenings: it finds out when a rule is taken out. What takes
// hundreds of evenings to go wrong is left to REELKIOSK_LONG=1.
func TestRandomEveningsFailWithoutARule(t *testing.T) {
	rules := []rule{settles, givesWay, asksHome, diesAtBoot}
	if os.Getenv("REELKIOSK_LONG") == "1" {
		rules = append(rules, persists, reportsFirst)
	}
	for _, without := range rules {
		t.Run(string(without), func(t *testing.T) {
			first, _ := seeds(t)
			const most = 400
			for seed := first; seed < first+most; seed++ {
				if f := plays(t, seed, without); len(f.wrong) > 0 {
					t.Logf("seed %d: %s", seed, f.wrong[0])
					return
				}
			}
			t.Errorf("%d evenings from seed %d went well without the rule", most, first)
		})
	}
}

// plays plays an evening of two and a half hours.
func plays(t *testing.T, seed uint64, without rule) *floor {
	t.Helper()
	f := newFloor(t, seed, 2+int(seed%3), 8, without)
	for _, k := range f.kiosks {
		k.drift = 1 + (f.dice.Float64()-0.5)/5000
	}
	decides := f.dice.IntN(4) == 0
	const step = 10 * time.Second
	for f.now < 150*time.Minute {
		for range 1 + f.dice.IntN(2) {
			f.happens(decides)
		}
		for _, k := range f.kiosks {
			k.tick()
		}
		f.passes(step)
	}
	f.ends()
	return f
}

// happens has something happen.
func (f *floor) happens(decides bool) {
	k, p := f.kiosks[f.dice.IntN(len(f.kiosks))], f.players[f.dice.IntN(len(f.players))]
	heat := f.nextHeat()
	switch luck := f.dice.IntN(1000); {
	case luck < 110:
		f.visits(k, p)
	case luck < 120:
		_ = f.deskRegisters(p, heat) // or it is refused
	case luck < 150:
		k.linked = false
	case luck < 190:
		k.linked = true
	case luck < 195:
		for _, k := range f.kiosks {
			k.linked = false
		}
	case luck < 200:
		for _, k := range f.kiosks {
			k.linked = true
		}
	case luck < 215:
		k.starts(false)
	case luck < 222:
		k.starts(true)
	case luck < 235:
		k.deaf = !k.deaf
	case luck < 238 && len(f.kiosks) < 6:
		f.installs("kiosk-" + strconv.Itoa(len(f.kiosks)+1)).drift = 1.0001
	case luck < 241:
		f.must("office", ledger.Delist{Kiosk: k.name, Why: "to be moved"})
	case luck < 245:
		f.must("office", ledger.Enlist{Kiosk: k.name})
	case luck < 247:
		f.excludes(p)
	case luck < 248:
		_, _ = f.does("office", ledger.CancelHeat{Heat: heat, Why: "power"})
	case luck < 250:
		_, _ = f.does("office", ledger.MoveHeat{Heat: heat, Start: f.at().Add(time.Duration(20+f.dice.IntN(60)) * time.Minute), Why: "the band"})
	case luck < 253:
		f.must("office", ledger.MachineService{Machine: 1 + f.dice.IntN(8), Out: f.dice.IntN(2) == 0, Operator: "tech", Reason: "door"})
	case luck < 257:
		f.comes(len(f.players))
	case luck < 262 && decides:
		f.decides(k, p)
	}
}

// nextHeat draws one of the next heats.
func (f *floor) nextHeat() tournament.HeatID {
	next := int(f.now/(30*time.Minute)) + 1 + f.dice.IntN(4)
	return f.heat(min(next, 10))
}

// visits has a player ask a kiosk for a seat: central where the kiosk takes it for reachable, and the kiosk itself otherwise.
// It may be wrong both ways.
func (f *floor) visits(k *kiosk, p *player) {
	heat := f.nextHeat()
	online := k.linked
	if f.dice.IntN(10) == 0 {
		online = !online
	}
	if online {
		k.registers(p, heat)
		return
	}
	if reasonOf(k.gives(p, heat)) != tournament.NotHome {
		return
	}
	// The kiosk names the home, and the player goes there.
	if home, _, err := k.books.Home(k.copy, k.name, &k.Holding.Using.Grant, p.id); err == nil {
		_ = f.kioskNamed(home).gives(p, heat) // or it is refused
	}
}

// decides has a host decide without a kiosk.
func (f *floor) decides(k *kiosk, p *player) {
	f.decided = true
	if f.dice.IntN(4) == 0 {
		_, _ = f.does("desk-1", ledger.EndGrants{Kiosk: k.name, Why: "it fell over"})
		return
	}
	_, _ = f.does("desk-1", ledger.Override{Person: p.id, Operator: "pat", Why: "it is silent"})
}
