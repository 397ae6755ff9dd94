package wire

// The paths of the API. Those that take a key also take its absence as a mistake, but for PathIdentify and the imports.
const (
	PathHealth        = "/v1/health"
	PathTournament    = "/v1/tournament"
	PathHeats         = "/v1/heats"
	PathSeats         = "/v1/seats"
	PathEntries       = "/v1/entries"
	PathCases         = "/v1/cases"
	PathEvents        = "/v1/events"
	PathIdentify      = "/v1/people/identify"
	PathRegistrations = "/v1/registrations"
	PathReprints      = "/v1/reprints"
	PathPrints        = "/v1/prints"
	PathClaims        = "/v1/claims"
	PathPurchases     = "/v1/purchases"
	PathNotices       = "/v1/notices"
	PathMachines      = "/v1/machines"
	PathClock         = "/v1/clock/confirm"
	PathImports       = "/v1/imports"
	PathOpenAPI       = "/v1/openapi.json"
	PathCodes         = "/v1/codes"
	PathEnrolments    = "/v1/enrolments"
	PathCertificate   = "/v1/certificate"
	PathHello         = "/v1/hello"
	PathKiosks        = "/v1/kiosks"
)
