package central

import (
	"net/http"
	"slices"

	"reelkiosk/store/wire"
)

// who is a set of roles that a call is allowed to.
type who []wire.Role

// nobody is the role of a caller without a certificate.
const nobody wire.Role = ""

// The sets that occur.
var (
	anybody   = who{nobody, wire.RoleKiosk, wire.RoleDesk, wire.RoleOperator}
	enrolled  = who{wire.RoleKiosk, wire.RoleDesk, wire.RoleOperator}
	kiosks    = who{wire.RoleKiosk}
	floors    = who{wire.RoleKiosk, wire.RoleDesk}
	staff     = who{wire.RoleDesk, wire.RoleOperator}
	operators = who{wire.RoleOperator}
)

// allowed says which roles may make which call, by its method and path as the API describes them. What does not stand here
// is allowed to nobody.
var allowed = withDesks(map[string]who{
	http.MethodGet + " " + wire.PathOpenAPI:    enrolled,
	http.MethodGet + " " + wire.PathHealth:     enrolled,
	http.MethodGet + " " + wire.PathTournament: enrolled,
	http.MethodGet + " " + wire.PathHeats:      enrolled,

	http.MethodPost + " " + wire.PathEnrolments:  anybody,
	http.MethodPost + " " + wire.PathCertificate: enrolled,
	http.MethodPost + " " + wire.PathHello:       floors,

	http.MethodGet + " " + wire.PathFeed:                        floors,
	http.MethodGet + " " + wire.PathSnapshot:                    floors,
	http.MethodGet + " " + wire.PathSnapshots + "{name}":        floors,
	http.MethodGet + " " + wire.PathLists + "{version}":         floors,
	http.MethodGet + " " + wire.PathDefinition:                  enrolled,
	http.MethodPost + " " + wire.PathIdentify:                   floors,
	http.MethodPost + " " + wire.PathRegistrations:              floors,
	http.MethodPost + " " + wire.PathReprints:                   floors,
	http.MethodPost + " " + wire.PathPrints:                     floors,
	http.MethodPost + " " + wire.PathClaims:                     floors,
	http.MethodPost + " " + wire.PathNotices:                    floors,
	http.MethodPost + " " + wire.PathOutbox:                     floors,
	http.MethodPost + " " + wire.PathKioskHealth:                floors,
	http.MethodPost + " " + wire.PathGrants:                     kiosks,
	http.MethodPost + " " + wire.PathGivenBack:                  kiosks,
	http.MethodPost + " " + wire.PathLetGo:                      kiosks,
	http.MethodPost + " " + wire.PathSeatReports:                kiosks,
	http.MethodPost + " " + wire.PathOverrides:                  staff,
	http.MethodPost + " " + wire.PathGrantsEnded:                staff,
	http.MethodPost + " " + wire.PathPurchases:                  staff,
	http.MethodPost + " " + wire.PathMachines:                   staff,
	http.MethodGet + " " + wire.PathSeats:                       staff,
	http.MethodGet + " " + wire.PathCases:                       staff,
	http.MethodGet + " " + wire.PathKiosks:                      staff,
	http.MethodGet + " " + wire.PathRanking:                     staff,
	http.MethodGet + " " + wire.PathTies:                        staff,
	http.MethodGet + " " + wire.PathListOf:                      staff,
	http.MethodGet + " " + wire.PathDraws:                       enrolled,
	http.MethodGet + " " + wire.PathAffected:                    staff,
	http.MethodGet + " " + wire.PathReconcile:                   staff,
	http.MethodGet + " " + wire.PathStaff:                       staff,
	http.MethodGet + " " + wire.PathScoreLines:                  operators,
	http.MethodGet + " " + wire.PathPrizeLines:                  operators,
	http.MethodGet + " " + wire.PathCashLines:                   operators,
	http.MethodGet + " " + wire.PathEntries:                     operators,
	http.MethodGet + " " + wire.PathEvents:                      operators,
	http.MethodPost + " " + wire.PathClock:                      operators,
	http.MethodPost + " " + wire.PathImports:                    operators,
	http.MethodPost + " " + wire.PathImports + "/{id}/rows":     operators,
	http.MethodPost + " " + wire.PathImports + "/{id}/commit":   operators,
	http.MethodDelete + " " + wire.PathImports + "/{id}":        operators,
	http.MethodPost + " " + wire.PathCodes:                      operators,
	http.MethodPost + " " + wire.PathKiosks + "/{name}/revoke":  operators,
	http.MethodPost + " " + wire.PathKiosks + "/{name}/retire":  operators,
	http.MethodPost + " " + wire.PathKiosks + "/{name}/approve": operators,
})

// desks are the calls of the desk: of machines enrolled as one, and of operators' command lines. Who of the staff may do what
// there, the books say (ledger.Staffed).
var desks = []string{
	wire.PathCancelSeat, wire.PathHostReprint, wire.PathCheckIn, wire.PathUndoCheckIn, wire.PathReplaceSeat, wire.PathDisqualify,
	wire.PathDecideSeat, wire.PathBarPlayer, wire.PathResolve, wire.PathMoveHeat, wire.PathCancelHeat, wire.PathAddHeat,
	wire.PathPostponeHeat, wire.PathHoldHeat, wire.PathCallHeat, wire.PathStartHeat, wire.PathRestartHeat, wire.PathFinishHeat,
	wire.PathScores, wire.PathCorrectScore, wire.PathCards, wire.PathListDeclare, wire.PathListSettle, wire.PathDrawCommit,
	wire.PathDrawSeats, wire.PathProxies, wire.PathPrizes, wire.PathRefunds, wire.PathRefundsPay, wire.PathReversals,
	wire.PathCredits, wire.PathEntriesHeld, wire.PathSurplus, wire.PathExclude, wire.PathExcludeLift, wire.PathStaff,
	wire.PathSignIn, wire.PathSignOut,
}

func withDesks(calls map[string]who) map[string]who {
	for _, path := range desks {
		calls[http.MethodPost+" "+path] = staff
	}
	return calls
}

// allows reports whether a role may make a call.
func allows(pattern string, role wire.Role) bool { return slices.Contains(allowed[pattern], role) }
