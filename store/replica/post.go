package replica

import "reelkiosk/store/kv"

// posting is a request that has no key yet. Its body is made once it has one.
type posting struct {
	path string
	body func(sequence uint64) any
}

// posted is a posting whose body does not depend on its key.
func posted(path string, body any) posting { return posting{path, func(uint64) any { return body }} }

// postAll gives requests their keys in order and persists them, an intent where there is one, and what also adds once they
// are made, in one commit.
func (r *Replica) postAll(posts []posting, intent *Intent, also func(*kv.Batch) error) (requests []Request, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var batch kv.Batch
	before := r.last
	defer func() {
		if err != nil {
			r.last = before
		}
	}()
	for _, post := range posts {
		request, err := r.draft(&batch, post.path, post.body(r.last+1))
		if err != nil {
			return nil, err
		}
		r.last = request.Sequence
		requests = append(requests, request)
	}
	if intent != nil {
		if err := put(&batch, []byte(prefixIntent+intent.Ticket), intent); err != nil {
			return nil, err
		}
	}
	if err := also(&batch); err != nil {
		return nil, err
	}
	if err := r.apply(&batch); err != nil {
		return nil, err
	}
	r.requests = append(r.requests, requests...)
	if intent != nil {
		r.intents = append(r.intents, *intent)
	}
	return requests, nil
}

// next returns the sequence that the next request will have.
func (r *Replica) next() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last + 1
}

// open returns what central has not taken: the unsettled requests, and the dead letters.
func (r *Replica) open() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	open := append([]Request(nil), r.requests...)
	for _, dead := range r.dead {
		open = append(open, dead.Request)
	}
	return open
}
