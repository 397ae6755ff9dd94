package tournament

import "time"

// oldest is the highest age that a birth date is believed to make: nobody alive is as old.
const oldest = 120

// CheckAge returns nil where somebody has reached the minimum age on the day of the act and on the calendar day of each
// of the heats, all in the zone (clause 1), and otherwise UnderAge, or AgeUnknown where the birth date is not known: where
// there is none, or one on which nobody can have been born who stands there.
func (r Rules) CheckAge(born Date, zone *time.Location, act time.Time, heats ...time.Time) *Refusal {
	today := DateOf(act.In(zone))
	if born.IsZero() || born.After(today) || born.AgeOn(today) > oldest {
		return AgeUnknown.Refuse()
	}
	for _, moment := range append(heats, act) {
		if born.AgeOn(DateOf(moment.In(zone))) < r.MinAge {
			return UnderAge.Refuse()
		}
	}
	return nil
}

// CheckRegistration returns nil while a heat takes registrations, and otherwise NotOpen with the moment at which it opens,
// Closed with the moment at which it closed, or HeatGone once it is over (clause 11).
func (r Rules) CheckRegistration(heat Heat, now time.Time) *Refusal {
	switch {
	case !now.Before(heat.Start.Add(r.HeatLength)):
		return HeatGone.Refuse()
	case !now.Before(heat.Closes(r)):
		return Closed.Refuse().At(heat.Closes(r))
	case now.Before(heat.Opens(r)):
		return NotOpen.Refuse().At(heat.Opens(r))
	}
	return nil
}
