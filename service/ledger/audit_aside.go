package ledger

import (
	"bytes"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// carriedAudit asks what became of the asides that an undo took back: those of other seats than its own are said again
// right after it, in their order, and nothing is said again otherwise. Which of them the rules refuse where the head
// went is not asked, so one that is missing is worth a notice alone.
type carriedAudit struct {
	a *auditor
	// asides are the commands of all asides, by version.
	asides map[uint64]*Leaf
	seats  map[uint64]string
	// due are those that the last undo took back and that have not been passed, oldest first; undo is its version.
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

// taken notes what an undo takes back of other seats' asides.
func (c *carriedAudit) taken(h *logv1.RecordHeader) {
	c.undo = h.Version
	tree := c.a.chain.Tree()
	for v := h.Parent; v != h.Head && v != 0; v = tree.Parent(v) {
		if seat, ok := c.seats[v]; ok && seat != h.Seat {
			c.due = append([]uint64{v}, c.due...)
		}
	}
}

// again examines an aside that says another again.
func (c *carriedAudit) again(r *Record) {
	h := r.Header()
	for len(c.due) > 0 && c.due[0] != h.Carries {
		c.missing(c.due[0])
		c.due = c.due[1:]
	}
	if len(c.due) == 0 {
		c.a.find(h.Version, Error, CheckConsent, "says aside %d again, which no undo before it took back", h.Carries)
		return
	}
	c.due = c.due[1:]
	was, now := c.asides[h.Carries], r.Command()
	if c.seats[h.Carries] != h.Seat || now == nil || !was.Redacted && !now.Redacted && (was.Type != now.Type || !bytes.Equal(was.Data, now.Data)) {
		c.a.find(h.Version, Error, CheckConsent, "says aside %d again in other words, or for another seat", h.Carries)
	}
}

// close ends what follows an undo.
func (c *carriedAudit) close() {
	for _, v := range c.due {
		c.missing(v)
	}
	c.due = nil
}

func (c *carriedAudit) missing(v uint64) {
	c.a.find(c.undo, Notice, CheckConsent, "takes back aside %d of %s, and it is not said again: in order only if the rules refuse it there", v, c.seats[v])
}

// aside examines what a record says of itself on the position before it: that it is an offer or an order of a seat that
// the game does not wait for.
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
		p.a.find(h.Version, p.severity, CheckConsent, "is called an aside, and is none: undoing what came before it needed consent")
	}
}

// Offers reports whether the command of a record is one that may be said outside the game's questions. One that cannot
// be read is none.
func Offers(pos rules.Game, r *Record) (offer bool) {
	defer func() {
		if recover() != nil { // a ruleset that met bytes from anywhere
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
	kind, ok := pos.Ruleset().About().Command(pos.KindOf(c))
	return ok && kind.Offer
}
