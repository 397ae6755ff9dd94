package player

// slide is how far the ticket has come out of its slot.
type slide struct{}
