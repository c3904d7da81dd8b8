package ocs

import "github.com/warledger/warledger/rules"

// What an opponent may know of what happens (OCS 4.9): commands and events name units, and most units are hidden. So a command and the event that carries it
// out are for the seat that owns the units; what the opponent sees of it is told beside it in a public event without changes.

// commandAudience is who may see the command itself in the log: the seat that gave it, unless its kind names nothing that is hidden.
func (p *Position) commandAudience(seat rules.Seat, c *Command) rules.Audience {
	switch c.Kind {
	case KindEnd, KindOrder, KindAgree, KindConcede:
		return rules.Everyone
	}
	return rules.OnlySeats(seat)
}

// tell emits an event that everyone may see, names of units and all: what happens to units that are open anyway, and what is nobody's secret.
func tell(x *exec, e *event) { x.Emit(e) }

// tellTo emits an event that only a seat may see.
func tellTo(x *exec, seat rules.Seat, e *event) { x.EmitTo(rules.OnlySeats(seat), e) }
