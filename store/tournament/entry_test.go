package tournament

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestEntryThatIsUsed(t *testing.T) {
	rules := Rules{Window: Window48h, ClosesBefore: 5 * time.Minute}
	start := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	heat := Heat{Start: start}
	bought := func(hours int) time.Time { return start.Add(-time.Duration(hours) * time.Hour) }
	paid := func(id EntryID, hours int) Entry {
		return Entry{ID: id, Kind: CashBuyIn, Bought: bought(hours), Ends: bought(hours).Add(48 * time.Hour), Index: 1}
	}
	with := func(e Entry, edit func(*Entry)) Entry {
		edit(&e)
		return e
	}
	cases := []struct {
		name    string
		entries []Entry
		want    EntryID
		reason  Reason
		clause  int
	}{
		{"none at all", nil, "", NoEntries, 5},
		{"the window that ends first", []Entry{paid("later", 1), paid("sooner", 40)}, "sooner", "", 0},
		{"an expired one is passed over", []Entry{paid("expired", 49), paid("valid", 1)}, "valid", "", 0},
		{"a window that ends with the heat's start does not hold it", []Entry{paid("a", 48)}, "", WindowOver, 5},
		{"equal ends: paid before complimentary", []Entry{
			with(paid("free", 10), func(e *Entry) { e.Kind = Complimentary }), paid("paid", 10),
		}, "paid", "", 0},
		{"equal ends, both paid: the older", []Entry{
			with(paid("newer", 10), func(e *Entry) { e.Bought = e.Bought.Add(time.Hour) }), paid("older", 10),
		}, "older", "", 0},
		{"equal in all: as the purchase counts them", []Entry{
			with(paid("second", 10), func(e *Entry) { e.Index = 2 }), paid("first", 10),
		}, "first", "", 0},
		{"one that the casino freed is used last", []Entry{
			with(paid("freed", 47), func(e *Entry) { e.Freed = true }), paid("valid", 1),
		}, "valid", "", 0},
		{"one that the casino freed does not expire", []Entry{with(paid("freed", 400), func(e *Entry) { e.Freed = true })}, "freed", "", 0},
		{"clause 9: bought after registration closed", []Entry{
			{ID: "late", Kind: CashBuyIn, Bought: start.Add(-4 * time.Minute), Ends: start.Add(48 * time.Hour)},
		}, "", BoughtTooLate, 9},
		{"clause 9: bought as registration closed", []Entry{
			{ID: "late", Kind: CashBuyIn, Bought: start.Add(-5 * time.Minute), Ends: start.Add(48 * time.Hour)},
		}, "", BoughtTooLate, 9},
		{"clause 9: freed or not, bought too late is too late", []Entry{
			{ID: "late", Kind: CashBuyIn, Bought: start, Ends: start.Add(48 * time.Hour), Freed: true},
		}, "", BoughtTooLate, 9},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for range 8 {
				entries := slices.Clone(c.entries)
				rand.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
				got, refusal := rules.ChooseEntry(entries, heat)
				switch {
				case c.reason == "" && (refusal != nil || got.ID != c.want):
					t.Fatalf("got %s, %v; want %s", got.ID, refusal, c.want)
				case c.reason != "" && (refusal == nil || refusal.Reason != c.reason || refusal.Clause != c.clause):
					t.Fatalf("got %v; want %s (clause %d)", refusal, c.reason, c.clause)
				}
			}
		})
	}
}

func TestWindowOverNamesTheLatestEnd(t *testing.T) {
	start := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	entries := []Entry{
		{ID: "a", Bought: start.Add(-60 * time.Hour), Ends: start.Add(-12 * time.Hour)},
		{ID: "b", Bought: start.Add(-50 * time.Hour), Ends: start.Add(-2 * time.Hour)},
		{ID: "c", Bought: start.Add(-70 * time.Hour), Ends: start.Add(-22 * time.Hour)},
	}
	_, refusal := Rules{}.ChooseEntry(entries, Heat{Start: start})
	if refusal == nil || refusal.Reason != WindowOver || !refusal.Until.Equal(start.Add(-2*time.Hour)) {
		t.Errorf("got %+v, want the end of b", refusal)
	}
}

func TestExpiryIsComputed(t *testing.T) {
	ends := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	entry := Entry{Ends: ends}
	if entry.Expired(ends.Add(-time.Nanosecond)) || !entry.Expired(ends) {
		t.Error("an entry expires with the end of its window, which is not included")
	}
	entry.Freed = true
	if entry.Expired(ends.Add(1000 * time.Hour)) {
		t.Error("an entry that the casino freed does not expire")
	}
}
