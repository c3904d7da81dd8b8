package service

import (
	"context"
	"slices"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
)

// mayKnow refuses callers who may not see what the last holder of a free seat saw: the owner, and players whom the
// owner invites. If the owner freed the seat, it refuses everybody, because the owner could come under any name. It
// refuses nobody who is the only person that has ever played: what computers saw hurts no one.
func (v *visit) mayKnow(m *live.Moment, id string) error {
	seat, guard := live.SeatSet(v.About, id), m.Guard(v.Game, id)
	switch {
	case guard == v1.SeatGuard_SEAT_GUARD_UNSPECIFIED, v.caller.former&seat != 0, m.Table.People&^v.caller.own == 0:
		return nil
	case guard == v1.SeatGuard_SEAT_GUARD_OWNER && !v.caller.owner && v.caller.joins&seat == 0:
		return nil
	}
	return guarded(id, guard,
		"the seat %s shows what was hidden from the owner: the caller may take it only if the others agree", id)
}

func guarded(seat string, guard v1.SeatGuard, format string, args ...any) error {
	word := "owner"
	if guard == v1.SeatGuard_SEAT_GUARD_ALL {
		word = "all"
	}
	return fault.New(fault.SeatGuarded, format, args...).With("seat", seat, "guard", word)
}

// needsChain refuses a seat without a chain in a game with mutual dice, and one with a chain in other games.
func (v *visit) needsChain(taken *logv1.SeatTaken) error {
	switch mutual := v.Created.Dice == logv1.DiceKind_DICE_KIND_MUTUAL; {
	case mutual && taken.Chain == nil:
		return chainRequired("the game has mutual dice: taking a seat needs a chain").With("seat", taken.Seat)
	case !mutual && taken.Chain != nil:
		return chainUnexpected("the game has no mutual dice").With("seat", taken.Seat)
	}
	return nil
}

// mayJoin refuses who is not invited to a free seat where the owner wants to say who takes it.
func (v *visit) mayJoin(m *live.Moment, id string) error {
	seat := live.SeatSet(v.About, id)
	// otherwise one player could take and give up seat after seat until the side has lost
	if m.Table.GivenUp&seat != 0 {
		return v.mayFollow(m, id)
	}
	policy := m.JoinPolicy()
	open := policy == logv1.JoinPolicy_JOIN_POLICY_OPEN ||
		policy == logv1.JoinPolicy_JOIN_POLICY_FIRST_COME && m.Table.Sat&seat == 0
	if open || v.caller.owner || v.caller.joins&seat != 0 {
		return nil
	}
	return fault.New(fault.InvitationRequired,
		"the owner of the game says who may take the seat %s: an invitation is needed", id).With("seat", id)
}

// mayFollow refuses callers who may not take a seat that was given up: it falls to its side, and the owner may invite.
func (v *visit) mayFollow(m *live.Moment, id string) error {
	seat, _ := v.About.SeatByID(id)
	allies := v.About.SideOf(seat) & v.caller.acts
	if allies != 0 || v.caller.owner || v.caller.joins.Has(seat) {
		return nil
	}
	return fault.New(fault.InvitationRequired, "%s was given up and falls to its side: only a holder of another seat "+
		"of the side, the owner, or a player whom the owner invites may take it", id).With("seat", id)
}

// sittingRoom refuses to seat a caller who has sat down as often as one may since somebody played. Otherwise a
// stranger could take a free seat and leave it, again and again, and fill the log of a game that is not theirs.
func sittingRoom(v *visit, m *live.Moment, from string) error {
	if from == "" || v.caller.owner || v.Sittings.Count(m, from) < asidesAtOnce {
		return nil
	}
	return fault.New(fault.TooManyAsides, "seats of this game were taken from %s %d times since somebody played",
		from, asidesAtOnce).With("limit", asidesAtOnce).Quota("seats taken by one caller")
}

// players are the seats of each player, in the order of seats, once a seat is taken: who gives the same name is the
// same player. A name is all that the table knows of people; nothing is known of whoever gives none. Computers are not
// counted: the rulebooks speak of people, and each seat of a computer is played by itself.
func players(t *live.Table, about *rules.About, taken *logv1.SeatTaken) []rules.Seats {
	var names []string
	var players []rules.Seats
	for i, seat := range about.Seats {
		name := t.Holders[seat.ID]
		_, computer := t.Computers[seat.ID]
		if seat.ID == taken.Seat {
			name, computer = taken.Holder, taken.Computer != ""
		}
		if computer {
			continue
		}
		if name == "" {
			continue
		}
		at := slices.Index(names, name)
		if at < 0 {
			at, names, players = len(names), append(names, name), append(players, 0)
		}
		players[at] |= rules.SeatsOf(rules.Seat(i))
	}
	return players
}

// quits has what waits for consent go on without a player who leaves a seat and never played, so that no passer-by ends
// it. It returns what follows if that player was the last to be asked: deadlines that change with the seat being left,
// and the records of an undo. What somebody asked who played, or whom the owner puts out, ends.
func (s *Service) quits(
	ctx context.Context, l *live.Game, m *live.Moment, left *logv1.SeatLeft,
) (events []*logv1.TableEvent, more []live.Draft, err error) {
	seat, t := live.SeatSet(l.About, left.Seat), &m.Table
	if left.ByOwner || !t.Questions() || m.Played(l.About, seat) {
		return nil, nil, nil
	}
	left.QuitsQuestions = true
	if p := t.Proposed; p != nil && p.Missing == seat {
		events = append(events, deadlinesChanged(p.Deadlines))
	}
	if p := t.Pending; p != nil && p.Missing == seat && !t.EndsUndo(p, seat) {
		more, err = s.agreedUndo(ctx, l, m, p)
	}
	return events, more, err
}

// askable are the seats that somebody holds and the caller does not.
func askable(m *live.Moment, about *rules.About, c caller) (seats rules.Seats) {
	for i, seat := range about.Seats {
		if _, held := m.Table.Holders[seat.ID]; held && !c.acts.Has(rules.Seat(i)) {
			seats |= rules.SeatsOf(rules.Seat(i))
		}
	}
	return seats
}
