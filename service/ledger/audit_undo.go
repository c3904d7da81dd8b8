package ledger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// consentMark is what makes a record one that cannot be taken back alone.
type consentMark struct {
	seat            string
	rolled, reveals bool
	aside           bool
}

// pendingUndo is an undo that waits for consent. settled is the version of the newest record in which a seat agreed, or
// was left by a holder who need not agree.
type pendingUndo struct {
	*logv1.UndoAsked
	version, settled uint64
	*question
}

// undoAsked examines the question whether something may be taken back. A server has never asked nobody, or the asker.
func (c *consentAudit) undoAsked(r *Record, e *logv1.UndoAsked) {
	c.asked = &pendingUndo{UndoAsked: e, version: r.Version(), question: newQuestion(e.Needed, c.held)}
	if e.Seat != r.Header().Seat {
		c.a.find(r.Version(), Error, CheckConsent, "asks for %q but was sent by %q", e.Seat, r.Header().Seat)
	}
	if !c.held(e.Seat) {
		c.a.find(r.Version(), Error, CheckConsent, "asks for %q, which nobody holds", e.Seat)
	}
	if len(e.Needed) == 0 {
		c.a.find(r.Version(), Error, CheckConsent, "asks for consent, but asks nobody")
	}
	for _, seat := range e.Needed {
		switch {
		case seat == e.Seat:
			c.a.find(r.Version(), Error, CheckConsent, "has %s ask itself for consent", seat)
		case !c.held(seat) && !c.freed[seat]:
			c.a.find(r.Version(), Error, CheckConsent,
				"asks %q for consent, which nobody holds or was put out of", seat)
		}
	}
}

// undoAnswered examines an answer to that question. Besides those that were asked, the asker may
// answer, to withdraw it.
func (c *consentAudit) undoAnswered(r *Record, e *logv1.UndoAnswered) {
	switch p := c.asked; {
	case p == nil || e.Asked != p.version:
		c.a.find(r.Version(), Error, CheckConsent, "answers undo %d, which does not wait for an answer", e.Asked)
	case e.Seat != r.Header().Seat:
		c.a.find(r.Version(), Error, CheckConsent, "answers for %q but was sent by %q", e.Seat, r.Header().Seat)
	case !p.missing[e.Seat] && (e.Agree || e.Seat != p.Seat):
		c.a.find(r.Version(), Error, CheckConsent, "answers undo %d for %q, which does not wait for that answer",
			e.Asked, e.Seat)
	case e.Agree:
		p.agree(e.Seat)
		p.settled = r.Version()
	default:
		c.asked = nil
	}
}

// undo examines one undo. One that follows from consent has no id of its own; one that a seat made by itself has.
func (c *consentAudit) undo(h *logv1.RecordHeader) {
	if h.CommandId != "" {
		c.without(h, nil)
		return
	}
	p := c.asked
	switch {
	case p == nil || p.Target != h.Head || p.Seat != h.Seat || len(p.missing) > 0:
		c.a.find(h.Version, Error, CheckConsent, "takes back as if all had agreed, but waited for %s", c.waited())
	case p.settled != h.Version-1:
		c.a.find(h.Version, Error, CheckConsent,
			"takes back as if all had agreed, but the record before it is not the last answer")
	default:
		c.without(h, p.concerned())
	}
}

func (c *consentAudit) waited() string {
	if c.asked == nil {
		return "nothing that was asked"
	}
	if len(c.asked.missing) == 0 {
		return fmt.Sprintf("version %d and %s", c.asked.Target, c.asked.Seat)
	}
	return strings.Join(slices.Sorted(maps.Keys(c.asked.missing)), ", ")
}

// without notes whose consent an undo lacks. The log does not know players, and older servers asked nobody whom the
// owner had put out, so none of this is an error.
func (c *consentAudit) without(h *logv1.RecordHeader, asked map[string]bool) {
	barriers, cause := c.barriers(h)
	if len(barriers) == 0 || c.a.chain.Created().GetForkedFrom().GetPrivate() {
		return
	}
	latest, earliest := barriers[0], barriers[len(barriers)-1]
	note := func(format string, args ...any) {
		c.a.find(h.Version, Notice, CheckConsent, "takes back record %d (%s) without consent: %s",
			latest, cause, fmt.Sprintf(format, args...))
	}
	unasked := func(seats []string) string {
		return strings.Join(
			slices.DeleteFunc(seats, func(seat string) bool { return asked[seat] }), ", ",
		)
	}
	if list := unasked(c.others(h.Seat)); list != "" {
		note("in order only if the player of %s played %s too", h.Seat, list)
	}
	if list := unasked(slices.Sorted(maps.Keys(c.freed))); list != "" {
		note("the owner had put the player of %s out, who was not asked", list)
	}
	for _, seat := range slices.Sorted(maps.Keys(c.retaken)) {
		if at := c.retaken[seat]; at > earliest {
			note("the owner had put the player of %s out before it was taken in record %d; in order only if the "+
				"same player came back and agreed", seat, at)
		}
	}
	for _, seat := range slices.Sorted(maps.Keys(c.left)) {
		if c.held(seat) && !asked[seat] {
			continue // a holder who was not asked is noted above
		}
		if at := c.leftAfter(seat, barriers); at != 0 {
			note("%s was held then, and its player left in record %d without a say", seat, at)
		}
	}
}

// leftAfter returns the record in which somebody left a seat who had held it when one of some records was made, which
// come latest first; 0 if nobody did. Whoever sat there later, under whatever name, need not be the same player.
func (c *consentAudit) leftAfter(seat string, records []uint64) uint64 {
	tenures := c.left[seat]
	for _, v := range records {
		i, _ := slices.BinarySearchFunc(tenures, v, func(t tenure, v uint64) int { return cmp.Compare(t.left, v) })
		if i < len(tenures) && tenures[i].taken < v {
			return tenures[i].left
		}
	}
	return 0
}

// barriers returns the records taken back that made something known, latest first, and why the latest did.
func (c *consentAudit) barriers(h *logv1.RecordHeader) (records []uint64, cause string) {
	tree := c.a.chain.Tree()
	for v := h.Parent; v != h.Head && v != 0; v = tree.Parent(v) {
		why := ""
		switch m := c.marks[v-1]; {
		case m.aside && m.seat != h.Seat:
		case m.rolled:
			why = "dice"
		case m.reveals:
			why = "something was revealed"
		case m.seat != h.Seat:
			why = "another seat's"
		}
		if why == "" {
			continue
		}
		if len(records) == 0 {
			cause = why
		}
		records = append(records, v)
	}
	return records, cause
}

// others are the held seats that are not held under the name of one; the log says no more about holders.
func (c *consentAudit) others(seat string) (list []string) {
	name := c.holders[seat]
	for _, other := range slices.Sorted(maps.Keys(c.holders)) {
		if other != seat && (name == "" || c.holders[other] != name) {
			list = append(list, other)
		}
	}
	return list
}
