package reader_test

import "reelkiosk/store/tournament"

var today = tournament.Date{Year: 2026, Month: 6, Day: 15}
