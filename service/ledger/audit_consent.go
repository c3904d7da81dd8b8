package ledger

import (
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// CheckConsent: what had become known was taken back only with the consent of those concerned.
const CheckConsent Check = "consent"

// consentAudit follows who sits where and who agreed to what, and asks of each undo whether it was in order.
type consentAudit struct {
	a       *auditor
	marks   []consentMark // of version n at n-1
	holders map[string]string
	// taken says in which record each held seat was taken. left are the tenures of holders who left their seat, ran out
	// of time or gave it up, oldest first; those whom the owner put out are in freed and retaken.
	taken map[string]uint64
	left  map[string][]tenure
	// freed are the free seats that the owner freed. retaken says in which record a freed seat was taken without the
	// consent of its last holder; the log does not tell whether by that same player.
	freed   map[string]bool
	retaken map[string]uint64
	// asked is the undo that waits for consent; nil if none does.
	asked   *pendingUndo
	carried carriedAudit
	// offered is the version of the offer of a seat that waits for answers; 0 if none does. unheard are the seats that
	// have not answered, and heard says whether the last holder of the seat is asked too. handed are the seats to whose
	// offer all agreed, also the player whom the owner had put out.
	offered   uint64
	offerSeat string
	unheard   map[string]bool
	heard     bool
	handed    map[string]bool
}

// tenure is how long somebody held a seat: the records in which it was taken and left.
type tenure struct{ taken, left uint64 }

func newConsentAudit(a *auditor) *consentAudit {
	return &consentAudit{
		a: a, carried: newCarriedAudit(a), holders: make(map[string]string), taken: make(map[string]uint64),
		left:  make(map[string][]tenure),
		freed: make(map[string]bool), retaken: make(map[string]uint64), handed: make(map[string]bool),
	}
}

func (c *consentAudit) add(r *Record) {
	h := r.Header()
	mark := consentMark{seat: h.Seat, reveals: h.Revealed, aside: h.Aside}
	for range r.Rolls() {
		mark.rolled = true
		break
	}
	c.marks = append(c.marks, mark)
	c.carried.add(r)
	switch h.Kind {
	case logv1.RecordKind_RECORD_KIND_TABLE:
		c.table(r)
	case logv1.RecordKind_RECORD_KIND_UNDO:
		c.undo(h)
		c.asked = nil
	default:
		if !h.Aside { // an aside is no answer
			c.asked = nil
		}
	}
}

func (c *consentAudit) table(r *Record) {
	events, _ := r.TableEvents() // the chain has read them before
	for _, e := range events {
		switch e := e.Event.(type) {
		case *logv1.TableEvent_SeatTaken:
			c.sit(r, e.SeatTaken)
		case *logv1.TableEvent_SeatLeft:
			c.vacate(r, e.SeatLeft.Seat, e.SeatLeft.ByOwner)
		case *logv1.TableEvent_SeatOffered:
			c.offered, c.offerSeat, c.unheard = r.Version(), e.SeatOffered.Seat, make(map[string]bool)
			c.heard = slices.Contains(e.SeatOffered.Needed, e.SeatOffered.Seat)
			for _, seat := range e.SeatOffered.Needed {
				c.unheard[seat] = true
			}
		case *logv1.TableEvent_SeatAnswered:
			c.seatAnswered(r, e.SeatAnswered)
		case *logv1.TableEvent_Resigned:
			if e.Resigned.GoesOn {
				c.vacate(r, e.Resigned.Seat, false)
			}
		case *logv1.TableEvent_UndoAsked:
			c.undoAsked(r, e.UndoAsked)
		case *logv1.TableEvent_UndoAnswered:
			c.undoAnswered(r, e.UndoAnswered)
		}
	}
}

// sit follows a seat being taken. No server has ever given away a seat that was held.
func (c *consentAudit) sit(r *Record, e *logv1.SeatTaken) {
	if _, held := c.holders[e.Seat]; held {
		c.a.find(r.Version(), Error, CheckConsent, "gives away the seat %s, which is held", e.Seat)
	}
	if c.freed[e.Seat] && !c.handed[e.Seat] {
		c.retaken[e.Seat] = r.Version()
	}
	delete(c.freed, e.Seat)
	delete(c.handed, e.Seat)
	c.holders[e.Seat], c.taken[e.Seat] = e.Holder, r.Version()
	c.asked, c.offered = nil, 0
}

func (c *consentAudit) vacate(r *Record, seat string, byOwner bool) {
	if byOwner {
		c.freed[seat] = true
	} else {
		c.left[seat] = append(c.left[seat], tenure{c.taken[seat], r.Version()})
	}
	delete(c.holders, seat)
	c.asked, c.offered = nil, 0
}

// seatAnswered examines an answer to the offer of a seat.
func (c *consentAudit) seatAnswered(r *Record, a *logv1.SeatAnswered) {
	switch {
	case c.offered == 0 || a.Offered != c.offered || !c.unheard[a.Seat]:
		c.a.find(r.Version(), Error, CheckConsent, "answers offer %d for %q, which does not wait for that answer",
			a.Offered, a.Seat)
	case a.Seat != r.Header().Seat:
		c.a.find(r.Version(), Error, CheckConsent, "answers for %q but was sent by %q", a.Seat, r.Header().Seat)
	case a.Agree:
		if delete(c.unheard, a.Seat); len(c.unheard) == 0 {
			c.offered, c.handed[c.offerSeat] = 0, c.heard || !c.freed[c.offerSeat]
		}
	default:
		c.offered = 0
	}
}
