package ledger

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// CheckConsent: what had become known was taken back only with the consent of those concerned.
const CheckConsent Check = "consent"

// consentAudit follows who sits where and who agreed to what, and asks of each undo whether it was in order.
type consentAudit struct {
	a       *auditor
	marks   []consentMark // of version n at n-1
	holders map[string]string
	// asked is the undo that waits for consent; nil if none does. missing are the seats that have not answered.
	asked   *logv1.UndoAsked
	version uint64
	missing map[string]bool
	carried carriedAudit
	// offered is the version of the offer of a seat that waits for answers; 0 if none does. unheard are the seats that
	// have not answered.
	offered uint64
	unheard map[string]bool
}

// consentMark is what makes a record one that cannot be taken back alone.
type consentMark struct {
	seat            string
	rolled, reveals bool
	aside           bool
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
			c.holders[e.SeatTaken.Seat], c.asked, c.offered = e.SeatTaken.Holder, nil, 0
		case *logv1.TableEvent_SeatLeft:
			delete(c.holders, e.SeatLeft.Seat)
			c.asked, c.offered = nil, 0
		case *logv1.TableEvent_SeatOffered:
			c.offered, c.unheard = r.Version(), make(map[string]bool)
			for _, seat := range e.SeatOffered.Needed {
				c.unheard[seat] = true
			}
		case *logv1.TableEvent_SeatAnswered:
			c.seatAnswered(r, e.SeatAnswered)
		case *logv1.TableEvent_Resigned:
			if e.Resigned.GoesOn {
				delete(c.holders, e.Resigned.Seat)
				c.asked, c.offered = nil, 0
			}
		case *logv1.TableEvent_UndoAsked:
			c.asked, c.version, c.missing = e.UndoAsked, r.Version(), make(map[string]bool)
			for _, seat := range e.UndoAsked.Needed {
				c.missing[seat] = true
			}
		case *logv1.TableEvent_UndoAnswered:
			switch a := e.UndoAnswered; {
			case c.asked == nil || a.Asked != c.version:
				c.a.find(r.Version(), Error, CheckConsent, "answers undo %d, which does not wait for an answer", a.Asked)
			case a.Seat != r.Header().Seat:
				c.a.find(r.Version(), Error, CheckConsent, "answers for %q but was sent by %q", a.Seat, r.Header().Seat)
			case a.Agree:
				delete(c.missing, a.Seat)
			default:
				c.asked = nil
			}
		}
	}
}

// seatAnswered examines an answer to the offer of a seat.
func (c *consentAudit) seatAnswered(r *Record, a *logv1.SeatAnswered) {
	switch {
	case c.offered == 0 || a.Offered != c.offered || !c.unheard[a.Seat]:
		c.a.find(r.Version(), Error, CheckConsent, "answers offer %d for %q, which does not wait for that answer", a.Offered, a.Seat)
	case a.Seat != r.Header().Seat:
		c.a.find(r.Version(), Error, CheckConsent, "answers for %q but was sent by %q", a.Seat, r.Header().Seat)
	case a.Agree:
		if delete(c.unheard, a.Seat); len(c.unheard) == 0 {
			c.offered = 0
		}
	default:
		c.offered = 0
	}
}

// undo examines one undo. One that follows from consent has no id of its own; one that a seat made by itself has.
func (c *consentAudit) undo(h *logv1.RecordHeader) {
	if h.CommandId == "" {
		if c.asked == nil || c.asked.Target != h.Head || c.asked.Seat != h.Seat || len(c.missing) > 0 {
			c.a.find(h.Version, Error, CheckConsent, "takes back as if all had agreed, but waited for %s", c.waited())
		}
		return
	}
	version, cause := c.barrier(h)
	if others := c.others(h.Seat); version != 0 && others != "" && !c.a.chain.Created().GetForkedFrom().GetPrivate() {
		c.a.find(h.Version, Notice, CheckConsent, "takes back record %d (%s) without consent: in order only if the player of %s played %s too",
			version, cause, h.Seat, others)
	}
}

func (c *consentAudit) waited() string {
	if c.asked == nil {
		return "nothing that was asked"
	}
	if len(c.missing) == 0 {
		return fmt.Sprintf("version %d and %s", c.asked.Target, c.asked.Seat)
	}
	return strings.Join(slices.Sorted(maps.Keys(c.missing)), ", ")
}

// barrier is the latest record taken back that made something known; 0 if none did.
func (c *consentAudit) barrier(h *logv1.RecordHeader) (version uint64, cause string) {
	tree := c.a.chain.Tree()
	for v := h.Parent; v != h.Head && v != 0; v = tree.Parent(v) {
		switch m := c.marks[v-1]; {
		case m.aside && m.seat != h.Seat:
		case m.rolled:
			return v, "dice"
		case m.reveals:
			return v, "something was revealed"
		case m.seat != h.Seat:
			return v, "another seat's"
		}
	}
	return 0, ""
}

// others are the held seats that are not held under the name of one; the log cannot tell more of who holds what.
func (c *consentAudit) others(seat string) string {
	name := c.holders[seat]
	var list []string
	for _, other := range slices.Sorted(maps.Keys(c.holders)) {
		if other != seat && (name == "" || c.holders[other] != name) {
			list = append(list, other)
		}
	}
	return strings.Join(list, ", ")
}
