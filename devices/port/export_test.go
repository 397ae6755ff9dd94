package port

// Wire lets tests stand between the port and tarm/serial.
type Wire = wire

// Through wraps each line that is opened, to count what is asked of it, or to hang as a bad driver does.
func Through(wrap func(Wire) Wire) Option {
	return func(p *Port) {
		open := p.open
		p.open = func(real string, settings Settings) (wire, error) {
			opened, err := open(real, settings)
			if err != nil {
				return nil, err
			}
			return wrap(opened), nil
		}
	}
}

// Explain is explain.
var Explain = explain

// LockHolder is lockHolder.
var LockHolder = lockHolder
