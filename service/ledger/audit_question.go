package ledger

// question is what waits for the consent of seats, as an audit follows it.
type question struct {
	// asked are all seats that were asked, and missing those that have neither agreed nor left. agreed are those that
	// agreed and are held still, or were put out.
	asked, missing, agreed map[string]bool
	// claims are the asked seats that nobody held: the player whom the owner had put out is asked.
	claims map[string]bool
}

func newQuestion(needed []string, held func(seat string) bool) *question {
	q := &question{
		asked: make(map[string]bool), missing: make(map[string]bool), agreed: make(map[string]bool),
		claims: make(map[string]bool),
	}
	for _, seat := range needed {
		q.asked[seat], q.missing[seat] = true, true
		if !held(seat) {
			q.claims[seat] = true
		}
	}
	return q
}

func (q *question) agree(seat string) {
	delete(q.missing, seat)
	q.agreed[seat] = true
}

// join returns the question once somebody has taken a seat; nil if it ends, because nobody can answer for the last
// holder of that seat any more.
func (q *question) join(seat string, stays bool) *question {
	if !stays || q.claims[seat] {
		return nil
	}
	q.asked[seat], q.missing[seat] = true, true
	delete(q.agreed, seat)
	return q
}

// quit returns the question once a seat is left; nil if it ends, because its holder had played.
func (q *question) quit(seat string, stays bool) *question {
	if !stays {
		return nil
	}
	delete(q.missing, seat)
	delete(q.agreed, seat)
	return q
}
