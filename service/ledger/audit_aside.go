package ledger

import (
	"bytes"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// carriedAudit follows the asides that an undo took back. Those of other seats must be repeated right after it, in
// their order, and nothing else may be. It does not ask which of them are illegal where the head went, so it only
// gives a notice for a missing one.
type carriedAudit struct {
	a *auditor
	// asides are the commands of all asides, by version.
	asides map[uint64]*Leaf
	seats  map[uint64]string
	// due are the asides that the last undo took back and that have not been repeated yet, oldest first; undo is its
	// version.
	due  []uint64
	undo uint64
}

func newCarriedAudit(a *auditor) carriedAudit {
	return carriedAudit{a: a, asides: make(map[uint64]*Leaf), seats: make(map[uint64]string)}
}

func (c *carriedAudit) add(r *Record) {
	h := r.Header()
	if h.Carries == 0 {
		c.close()
	} else {
		c.again(r)
	}
	if h.Aside {
		if leaf := r.Command(); leaf != nil {
			kept := *leaf
			kept.Data = bytes.Clone(leaf.Data)
			c.asides[h.Version], c.seats[h.Version] = &kept, h.Seat
		}
	}
	if h.Kind == logv1.RecordKind_RECORD_KIND_UNDO {
		c.taken(h)
	}
}

// taken notes the asides of other seats that an undo takes back.
func (c *carriedAudit) taken(h *logv1.RecordHeader) {
	c.undo = h.Version
	tree := c.a.chain.Tree()
	for v := h.Parent; v != h.Head && v != 0; v = tree.Parent(v) {
		if seat, ok := c.seats[v]; ok && seat != h.Seat {
			c.due = append([]uint64{v}, c.due...)
		}
	}
}

// again examines an aside that repeats another.
func (c *carriedAudit) again(r *Record) {
	h := r.Header()
	for len(c.due) > 0 && c.due[0] != h.Carries {
		c.missing(c.due[0])
		c.due = c.due[1:]
	}
	if len(c.due) == 0 {
		c.a.find(h.Version, Error, CheckConsent, "repeats aside %d, which no undo before it took back", h.Carries)
		return
	}
	c.due = c.due[1:]
	was, now := c.asides[h.Carries], r.Command()
	if c.seats[h.Carries] != h.Seat || now == nil ||
		!was.Redacted && !now.Redacted && (was.Type != now.Type || !bytes.Equal(was.Data, now.Data)) {
		c.a.find(h.Version, Error, CheckConsent, "repeats aside %d with other contents, or for another seat", h.Carries)
	}
}

// close ends the repeated asides of an undo.
func (c *carriedAudit) close() {
	for _, v := range c.due {
		c.missing(v)
	}
	c.due = nil
}

func (c *carriedAudit) missing(v uint64) {
	c.a.find(c.undo, Notice, CheckConsent,
		"takes back aside %d of %s, which is not repeated: in order only if it is illegal there", v, c.seats[v])
}

// aside checks a record that calls itself an aside against the position before it: it must be an offer or an order of
// a seat that the game does not wait for.
func (p *playAudit) aside(r *Record) {
	h := r.Header()
	if !h.Aside {
		return
	}
	rolled := false
	for range r.Rolls() {
		rolled = true
	}
	about := p.pos.Ruleset().About()
	seat, known := about.SeatByID(h.Seat)
	if !known || rolled || !Offers(p.pos, r) || h.Carries == 0 && p.pos.Waiting().Has(seat) {
		p.a.find(h.Version, p.severity, CheckConsent,
			"is not an aside, as it claims: undoing what came before it needed consent")
	}
}

// Offers reports whether the command of a record is an offer or an order. It is false for a command that cannot be
// read.
func Offers(pos rules.Game, r *Record) (offer bool) {
	defer func() {
		if recover() != nil { // the ruleset read bytes of any origin
			offer = false
		}
	}()
	m := pos.Ruleset().NewCommand()
	if r.Command() == nil || r.Command().Decode(m) != nil {
		return false
	}
	c, err := pos.DecodeCommand(m)
	if err != nil {
		return false
	}
	return rules.IsOffer(pos, c)
}
