package ledger

import (
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// CheckClock: a seat's time was up when the log says so, what followed is what the deadlines say, and deadlines changed
// only when all agreed.
const CheckClock Check = "clock"

// clockAudit counts the seats' time again.
type clockAudit struct {
	a         *auditor
	seats     []string
	deadlines *logv1.Deadlines
	held      map[string]bool
	// played are the held seats whose holder has made a command that is no aside.
	played map[string]bool
	over   bool
	before *Record
	clocks *logv1.ClockState
	// blind is true once positions or owed links are unknown, so that the audit cannot tell for whom the game waited.
	blind bool
	// plays is the seat that the next record must be a command of.
	plays    string
	proposed *logv1.DeadlinesProposed
	version  uint64
	asked    *question
	// own are the seats that agreed in the record of the proposal.
	own []string
}

func (a *auditor) newClockAudit() *clockAudit {
	c := &clockAudit{
		a: a, deadlines: a.chain.Created().GetDeadlines(), held: make(map[string]bool), played: make(map[string]bool),
	}
	if a.play.set != nil {
		for _, seat := range a.play.set.About().Seats {
			c.seats = append(c.seats, seat.ID)
		}
	}
	return c
}

// add follows a record, after the play audit has.
func (c *clockAudit) add(r *Record) {
	events, _ := r.TableEvents() // the chain has read them before
	if c.plays != "" && (r.Header().Kind != logv1.RecordKind_RECORD_KIND_COMMAND || r.Header().Seat != c.plays) {
		c.find(r, "is no command of %s, which the server was to play for", c.plays)
	}
	c.plays = ""
	switch h := r.Header(); h.Kind {
	case logv1.RecordKind_RECORD_KIND_COMMAND, logv1.RecordKind_RECORD_KIND_ASK:
		if !h.Aside {
			c.played[h.Seat] = true
			if c.proposed != nil {
				c.asked.play(h.Seat)
			}
		}
	}
	for _, e := range events {
		c.expired(r, events, e.GetTimeExpired())
		c.consent(r, events, e)
		switch e := e.Event.(type) {
		case *logv1.TableEvent_SeatTaken:
			c.held[e.SeatTaken.Seat] = true
			delete(c.played, e.SeatTaken.Seat)
		case *logv1.TableEvent_SeatLeft:
			delete(c.held, e.SeatLeft.Seat)
		case *logv1.TableEvent_Resigned:
			if e.Resigned.GoesOn {
				delete(c.held, e.Resigned.Seat)
				c.proposed = nil
			}
		case *logv1.TableEvent_SecretsReleased:
			c.over = true
		}
	}
	c.deadlines = DeadlinesAfter(c.deadlines, events)
	c.count(r)
	c.before = r
}

func (c *clockAudit) find(r *Record, format string, args ...any) {
	c.a.find(r.Version(), Error, CheckClock, format, args...)
}

// count adds up the seats' time, as long as it is known for whom the game waits.
func (c *clockAudit) count(r *Record) {
	if c.blind = c.a.play.blind != "" || c.a.dice.lost; c.blind {
		return
	}
	tree, head := c.a.chain.Tree(), c.a.play.head(r.Header().Head)
	var waiting rules.Seats
	if !c.over {
		waiting = head.waiting
	}
	about := c.a.play.set.About()
	clocks, err := NextClocks(c.deadlines, c.clocks, c.seats, c.before, r, ClockPlace{
		Depth: tree.Moves(r.Header().Head), Turn: head.turn,
		Waits: func(id string) bool {
			if asked := c.a.dice.state.Asked(); asked != nil {
				return asked.Owes(id)
			}
			seat, ok := about.SeatByID(id)
			return ok && waiting.Has(seat) && c.held[id]
		},
	})
	if err != nil {
		c.find(r, "cannot be counted: %v", err)
	}
	c.clocks = clocks
	for _, s := range clocks.GetSeats() {
		if s.HolidaysLeft < 0 {
			c.find(r, "has %s take more days off than the deadlines allow", s.Seat)
		}
	}
}

// expired examines an event that says that a seat's time was up, and what the same record makes of it.
func (c *clockAudit) expired(r *Record, events []*logv1.TableEvent, x *logv1.TimeExpired) {
	if x == nil {
		for _, e := range events {
			if left, gone := e.GetSeatLeft().GetByClock(), e.GetResigned().GetByClock(); (left || gone) &&
				events[0].GetTimeExpired() == nil {
				c.find(r, "takes a seat for its time, which was not up")
			}
		}
		return
	}
	if c.deadlines == nil {
		c.find(r, "says that the time of %s was up in a game without deadlines", x.Seat)
		return
	}
	// Whoever never played only leaves the seat; older servers had it forfeit.
	leaves := x.Lapse == logv1.Lapse_LAPSE_OPEN_SEAT && c.deadlines.Lapse == logv1.Lapse_LAPSE_FORFEIT &&
		!c.played[x.Seat]
	if x.Lapse != c.deadlines.Lapse && x.Lapse != logv1.Lapse_LAPSE_NOTICE && !leaves {
		c.find(r, "has %s follow, the deadlines have %s", x.Lapse, c.deadlines.Lapse)
	}
	if r.Header().Time.AsTime().Before(x.Due.AsTime()) {
		c.find(r, "was made before the time of %s was up", x.Seat)
	}
	if !c.blind {
		due := (*logv1.SeatClockState)(nil)
		for _, s := range c.clocks.GetSeats() {
			if s.Seat == x.Seat {
				due = s
			}
		}
		if due.GetDueTime() == nil || !due.DueTime.AsTime().Equal(x.Due.AsTime()) {
			c.find(r, "says that the time of %s was up at %s; counted again it is not", x.Seat, x.Due.AsTime())
		}
	}
	c.follows(r, events, x)
}

// follows examines what the lapse of a seat's time led to.
func (c *clockAudit) follows(r *Record, events []*logv1.TableEvent, x *logv1.TimeExpired) {
	var left, resigned bool
	for _, e := range events {
		left = left || e.GetSeatLeft().GetByClock() && e.GetSeatLeft().GetSeat() == x.Seat
		resigned = resigned || e.GetResigned().GetByClock() && e.GetResigned().GetSeat() == x.Seat
	}
	if left != (x.Lapse == logv1.Lapse_LAPSE_OPEN_SEAT) || resigned != (x.Lapse == logv1.Lapse_LAPSE_FORFEIT) {
		c.find(r, "does not do to %s what its lapse says", x.Seat)
	}
	if x.Lapse == logv1.Lapse_LAPSE_PLAY {
		c.plays = x.Seat
	}
}

// consent follows proposals and answers, and examines each change of the deadlines.
func (c *clockAudit) consent(r *Record, events []*logv1.TableEvent, e *logv1.TableEvent) {
	switch e := e.Event.(type) {
	case *logv1.TableEvent_SeatTaken:
		if c.proposed != nil && c.asked.join(e.SeatTaken) == nil {
			c.proposed = nil
		}
	case *logv1.TableEvent_SeatLeft:
		if c.proposed != nil && c.asked.quit(e.SeatLeft) == nil {
			c.proposed = nil
		}
	case *logv1.TableEvent_DeadlinesProposed:
		c.proposed, c.version, c.own = e.DeadlinesProposed, r.Version(), nil
		needed := slices.AppendSeq(slices.Clone(e.DeadlinesProposed.Needed), maps.Keys(c.held))
		c.asked = newQuestion(needed, func(seat string) bool { return c.held[seat] })
	case *logv1.TableEvent_DeadlinesAnswered:
		// The owner's own seats agree in the record of the proposal, which belongs to no seat.
		own := r.Version() == c.version && r.Header().Seat == ""
		switch {
		case c.proposed == nil || e.DeadlinesAnswered.Proposed != c.version:
			c.find(r, "answers proposal %d, which does not wait for an answer", e.DeadlinesAnswered.Proposed)
		case e.DeadlinesAnswered.Seat != r.Header().Seat && !own:
			c.find(r, "answers for %q but was sent by %q", e.DeadlinesAnswered.Seat, r.Header().Seat)
		case !e.DeadlinesAnswered.Agree:
			c.proposed = nil
		default:
			c.asked.agree(e.DeadlinesAnswered.Seat)
			if own {
				c.own = append(c.own, e.DeadlinesAnswered.Seat)
			}
		}
	case *logv1.TableEvent_DeadlinesChanged:
		if c.proposed == nil || len(c.asked.missing) > 0 ||
			!proto.Equal(c.proposed.Deadlines, e.DeadlinesChanged.Deadlines) {
			c.find(r, "changes the deadlines to some that not all have agreed to")
		}
		c.unasked(r)
		c.proposed = nil
	}
}

// unasked notes players whom the owner had put out and who were not asked; older servers asked none of them. It also
// notes several seats for which the owner agreed: the log does not tell whether the owner held them.
func (c *clockAudit) unasked(r *Record) {
	if slices.Sort(c.own); len(c.own) > 1 {
		c.a.find(r.Version(), Notice, CheckClock, "changes the deadlines; the owner agreed for %s: in order only if "+
			"one player held them", strings.Join(c.own, ", "))
	}
	var list []string
	for seat := range c.a.consent.freed {
		if !slices.Contains(c.proposed.GetNeeded(), seat) {
			list = append(list, seat)
		}
	}
	if slices.Sort(list); len(list) > 0 {
		c.a.find(r.Version(), Notice, CheckClock,
			"changes the deadlines without asking the player of %s, whom the owner had put out",
			strings.Join(list, ", "))
	}
}
