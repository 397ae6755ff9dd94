package tournament

// The reasons that come from grants and homes (design decision 4): a seat or a player is another machine's to give for as
// long as it may be cut off. None rests on a clause.
const (
	// HomeSilent: the player's home kiosk may give him seats by itself and has not let him go. It was asked to; while it is
	// silent the player is sent to the desk.
	HomeSilent Reason = "home-silent"
	// NotHome: a kiosk that is cut off gives nothing to players of another home.
	NotHome Reason = "not-home"
	// BlockUsed: a kiosk that is cut off has given all its machines of the heat, or they went back before closing.
	BlockUsed Reason = "block-used"
	// NoGrant: nothing is granted to the kiosk, or the grant has ended: by its age, by a start of the machine without
	// contact, or since the kiosk has not heard all that it must know to use it.
	NoGrant Reason = "no-grant"
	// ExclusionsStale: the kiosk has not heard for too long who is excluded, and gives no seats at all.
	ExclusionsStale Reason = "exclusions-stale"
	// Unsettled: a request for the player is not answered, or the answer's effects are not in the kiosk's copy yet.
	Unsettled Reason = "unsettled"
	// LetGo: the kiosk has let the player go, so that others may act for him.
	LetGo Reason = "let-go"
	// NotListed: grants are for kiosks on the list of homes only.
	NotListed Reason = "not-listed"
	// FormerDisk: what was granted to this kiosk lies on another disk and was not reported. Its grants have to be ended by a
	// decision before it gets new ones.
	FormerDisk Reason = "former-disk"
	// TooSoon: a kiosk has not been silent for long enough to decide without it.
	TooSoon Reason = "too-soon"
)
