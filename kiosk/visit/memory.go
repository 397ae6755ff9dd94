package visit

// memory is what the machine remembers between two events and no face needs.
type memory struct{}
