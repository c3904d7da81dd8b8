package ledger

import (
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// CheckConsent: what had become known was taken back only with the consent of those concerned.
const CheckConsent Check = "consent"

// consentAudit follows who sits where and who agreed to what, and checks whether each undo was in order.
type consentAudit struct {
	a       *auditor
	marks   []consentMark // of version n at n-1
	holders map[string]string
	// computers are the held seats whose holder is a computer.
	computers map[string]bool
	// taken says in which record each held seat was taken. left are the tenures of holders who left their seat, ran out
	// of time or gave it up, oldest first; those whom the owner put out are in freed and retaken.
	taken map[string]uint64
	left  map[string][]tenure
	// freed are the free seats that the owner freed. retaken says in which record a freed seat was taken without the
	// consent of its last holder; the log does not tell whether by that same player.
	freed map[string]bool
	// empty are the seats that were found to play while nobody held them.
	empty   map[string]bool
	retaken map[string]uint64
	// asked is the undo that waits for consent; nil if none does.
	asked   *pendingUndo
	carried carriedAudit
	// offer is the offer of a seat that waits for answers; nil if none does. handed are the seats to whose offer all
	// agreed, also the player whom the owner had put out.
	offer  *pendingOffer
	handed map[string]bool
}

// pendingOffer is the offer of a seat that waits for consent. heard says whether the last holder of the seat is asked.
type pendingOffer struct {
	version uint64
	seat    string
	heard   bool
	*question
}

// tenure is how long somebody held a seat: the records in which it was taken and left.
type tenure struct{ taken, left uint64 }

func newConsentAudit(a *auditor) *consentAudit {
	return &consentAudit{
		a: a, carried: newCarriedAudit(a), holders: make(map[string]string),
		computers: make(map[string]bool), taken: make(map[string]uint64), left: make(map[string][]tenure),
		freed: make(map[string]bool), empty: make(map[string]bool),
		retaken: make(map[string]uint64), handed: make(map[string]bool),
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
	c.plays(r)
	switch h.Kind {
	case logv1.RecordKind_RECORD_KIND_TABLE:
		c.table(r)
	case logv1.RecordKind_RECORD_KIND_UNDO:
		c.undo(h)
		c.asked = nil
	default:
		if !h.Aside { // an aside is no answer
			c.asked = nil
			if c.offer != nil && kindPlays(h.Kind) {
				c.offer.play(h.Seat)
			}
		}
	}
}

// plays checks that somebody holds the seat that plays: no server has ever let an empty seat play. Records that a fork
// copied are exempt, because their seats were held in the origin, and so are the asides that an undo repeats.
func (c *consentAudit) plays(r *Record) {
	h := r.Header()
	from := c.a.chain.Created().GetForkedFrom()
	switch {
	case h.Kind == logv1.RecordKind_RECORD_KIND_CREATED, h.Kind == logv1.RecordKind_RECORD_KIND_TABLE,
		h.Version <= from.GetRecords(), h.Carries != 0, c.held(h.Seat), c.empty[h.Seat]:
	default:
		c.empty[h.Seat] = true // once for each seat is enough
		c.a.find(h.Version, Error, CheckConsent, "is by %q, which nobody holds", h.Seat)
	}
	if from.GetPrivate() && h.Version == from.Records+1 && !c.sitsDown(r) {
		c.a.find(h.Version, Error, CheckConsent,
			"does not give all seats to the one player for whom the line was made")
	}
}

// sitsDown reports whether a record takes all seats for one player who plays alone. Such a holder has no name.
func (c *consentAudit) sitsDown(r *Record) bool {
	events, _ := r.TableEvents() // the chain has read them before
	for _, e := range events {
		if taken := e.GetSeatTaken(); taken == nil || taken.Holder != "" {
			return false
		}
	}
	return len(events) > 0 && (c.a.play.set == nil || len(events) == len(c.a.play.set.About().Seats))
}

// unchecked says that nobody's consent was needed in a line of one player.
func (c *consentAudit) unchecked() (what []string) {
	if c.a.chain.Created().GetForkedFrom().GetPrivate() {
		what = append(what, "consent: the game says that it is a line of one player, who holds all seats")
	}
	return what
}

func (c *consentAudit) table(r *Record) {
	events, _ := r.TableEvents() // the chain has read them before
	for _, e := range events {
		switch e := e.Event.(type) {
		case *logv1.TableEvent_SeatTaken:
			c.sit(r, e.SeatTaken)
		case *logv1.TableEvent_SeatLeft:
			c.leave(r, e.SeatLeft)
		case *logv1.TableEvent_SeatOffered:
			o := e.SeatOffered
			c.offer = &pendingOffer{
				r.Version(), o.Seat, slices.Contains(o.Needed, o.Seat), newQuestion(o.Needed, c.held),
			}
		case *logv1.TableEvent_SeatAnswered:
			c.seatAnswered(r, e.SeatAnswered)
		case *logv1.TableEvent_Resigned:
			if e.Resigned.GoesOn {
				c.leave(r, &logv1.SeatLeft{Seat: e.Resigned.Seat})
			}
		case *logv1.TableEvent_UndoAsked:
			c.undoAsked(r, e.UndoAsked)
		case *logv1.TableEvent_UndoAnswered:
			c.undoAnswered(r, e.UndoAnswered)
		}
	}
}

// known checks a seat that is taken: it must be one of the ruleset's, and with mutual dice it must have a chain. No
// server has ever given away any other seat.
func (c *consentAudit) known(r *Record, e *logv1.SeatTaken) {
	if set := c.a.play.set; set != nil {
		if _, ok := set.About().SeatByID(e.Seat); !ok {
			c.a.find(r.Version(), Error, CheckConsent, "gives away the seat %q, which the game does not have", e.Seat)
		}
	}
	created := c.a.chain.Created()
	alone := created.GetForkedFrom().GetPrivate() || e.Computer != "" // these have none
	if created.Dice == logv1.DiceKind_DICE_KIND_MUTUAL && e.Chain == nil && !alone {
		c.a.find(r.Version(), Error, CheckDice, "gives away the seat %s without a chain for its dice", e.Seat)
	}
}

// sit follows the taking of a seat. No server has ever given away a seat that was held.
func (c *consentAudit) sit(r *Record, e *logv1.SeatTaken) {
	c.known(r, e)
	if _, held := c.holders[e.Seat]; held {
		c.a.find(r.Version(), Error, CheckConsent, "gives away the seat %s, which is held", e.Seat)
	}
	if c.freed[e.Seat] && !c.handed[e.Seat] {
		c.retaken[e.Seat] = r.Version()
	}
	delete(c.freed, e.Seat)
	delete(c.handed, e.Seat)
	c.holders[e.Seat], c.computers[e.Seat], c.taken[e.Seat] = e.Holder, e.Computer != "", r.Version()
	if p := c.asked; p != nil && p.join(e) == nil {
		c.asked = nil
	}
	if o := c.offer; o != nil && (o.seat == e.Seat || o.join(e) == nil) {
		c.offer = nil
	}
}

// leave follows a seat becoming free. A question goes on without a holder who never played. With older servers it
// ended, whoever left. No server has ever freed a free seat, nor taken a seat back from a person.
func (c *consentAudit) leave(r *Record, e *logv1.SeatLeft) {
	if !c.held(e.Seat) {
		c.a.find(r.Version(), Error, CheckConsent, "frees the seat %s, which nobody holds", e.Seat)
		return
	}
	if e.TakenBack && !c.computers[e.Seat] {
		c.a.find(r.Version(), Error, CheckConsent, "takes the seat %s back from a person as from a computer", e.Seat)
	}
	if e.QuitsQuestions && (e.ByOwner || c.a.clock.played[e.Seat]) {
		c.a.find(r.Version(), Error, CheckConsent, "has what was asked go on without %s, which had a say", e.Seat)
	}
	if e.ByOwner {
		c.freed[e.Seat] = true
	} else {
		c.left[e.Seat] = append(c.left[e.Seat], tenure{c.taken[e.Seat], r.Version()})
	}
	delete(c.holders, e.Seat)
	if p := c.asked; p != nil {
		// Nobody can agree for a player who was put out, and whose seat was taken since.
		ends := p.Seat == e.Seat || c.retaken[e.Seat] > p.Target
		if p.settled = r.Version(); ends || p.quit(e) == nil {
			c.asked = nil
		}
	}
	if o := c.offer; o != nil && o.quit(e) == nil {
		c.offer = nil
	}
	c.hand()
}

func (c *consentAudit) held(seat string) bool {
	_, held := c.holders[seat]
	return held
}

// hand ends an offer to which nobody else is to agree: the seat is handed over, unless all who agreed have left.
func (c *consentAudit) hand() {
	if o := c.offer; o != nil && len(o.missing) == 0 {
		if c.offer = nil; len(o.agreed) > 0 {
			c.handed[o.seat] = o.heard || !c.freed[o.seat]
		}
	}
}

// seatAnswered examines an answer to the offer of a seat.
func (c *consentAudit) seatAnswered(r *Record, a *logv1.SeatAnswered) {
	switch o := c.offer; {
	case o == nil || a.Offered != o.version || !o.missing[a.Seat]:
		c.a.find(r.Version(), Error, CheckConsent, "answers offer %d for %q, which does not wait for that answer",
			a.Offered, a.Seat)
	case a.Seat != r.Header().Seat:
		c.a.find(r.Version(), Error, CheckConsent, "answers for %q but was sent by %q", a.Seat, r.Header().Seat)
	case a.Agree:
		o.agree(a.Seat)
		c.hand()
	default:
		c.offer = nil
	}
}
