package service

import (
	"cmp"
	"encoding/hex"
	"slices"

	"google.golang.org/protobuf/types/known/timestamppb"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/streams"
)

// message is the game as a viewer may see it.
func (m *moment) message(l *live, v rules.Viewer, lang rules.Lang) *v1.Game {
	g := &v1.Game{
		Name: streams.Games + l.id, Title: l.title(), Ruleset: "rulesets/" + l.created.Ruleset,
		Scenario: l.created.Scenario, ScenarioDigest: l.digest,
		Options: l.created.Options, Dice: l.created.Dice, DiceCommitment: l.commitment,
		RulesVersion: l.created.RulesVersion, Version: m.version(), Head: m.head(), LastHash: hex.EncodeToString(m.hash[:]),
		CreateTime: timestamppb.New(l.time), UpdateTime: timestamppb.New(m.updated),
		Turn: int32(m.game.Turn()), WaitingFor: m.waitingFor(l, v), Over: m.table.over, Ending: m.ending(l, lang),
		ForkedFrom: l.created.ForkedFrom, Imported: m.meta.Imported, ReadOnly: m.readOnly(), JoinPolicy: m.joinPolicy(),
	}
	for _, seat := range l.about.Seats {
		holder, taken := m.table.holders[seat.ID]
		state := &v1.SeatState{
			Id: seat.ID, Holder: holder, Taken: taken, Chain: m.chainState(seat.ID), Guard: m.guard(l, seat.ID),
		}
		if at, ok := m.table.left[seat.ID]; ok {
			state.LeaveTime = timestamppb.New(at)
		}
		g.Seats = append(g.Seats, state)
	}
	m.showDice(g, l)
	m.showDeadlines(g, l, v)
	if p := m.table.offered; p != nil {
		g.PendingSeat = &v1.PendingSeat{Offered: p.version, Seat: l.about.SeatID(p.seat), Missing: seatIDs(l.about, p.missing)}
	}
	if p := m.table.pending; p != nil {
		g.PendingUndo = &v1.PendingUndo{
			Asked: p.asked, Seat: l.about.SeatID(p.seat), Target: p.target, Missing: seatIDs(l.about, p.missing),
		}
	}
	return g
}

// waitingFor is whom the game waits for, as far as the viewer may know of what is asked.
func (m *moment) waitingFor(l *live, v rules.Viewer) []string {
	if m.table.over {
		return nil
	}
	if m.table.dice.Asked() != nil {
		return seatIDs(l.about, m.owing(l.about))
	}
	var known rules.Seats
	for _, d := range m.asks() {
		if !d.Optional && v.MaySee(d.Audience) {
			known |= rules.SeatsOf(d.Seat)
		}
	}
	return seatIDs(l.about, known)
}

// ending says how the game ended, by its rules or at the table; nil while it goes on.
func (m *moment) ending(l *live, lang rules.Lang) *boardv1.Ending {
	if !m.table.over {
		return nil
	}
	if m.game.Ending() != nil {
		return m.game.Board(rules.Spectator, lang).Ending
	}
	if m.table.resigned == rules.NoSeat {
		return &boardv1.Ending{Level: "closed", Text: tableText(lang, textClosed, "")}
	}
	e := &boardv1.Ending{Level: "resigned", Text: tableText(lang, textResigned, l.seatName(m.table.resigned, lang))}
	if m.table.lapsed {
		e = &boardv1.Ending{Level: "forfeited", Text: tableText(lang, textForfeited, l.seatName(m.table.resigned, lang))}
	}
	// With more than two seats it is for the players to say who won with whom.
	if others := l.about.AllSeats() &^ l.about.SideOf(m.table.resigned); others.Len() == 1 || m.lost(l.about, m.table.resigned, 0) {
		e.Winners = seatIDs(l.about, others)
	}
	return e
}

// title is the game's own.
func (l *live) title() string { return shown(l.created.Title, maxTitle) }

func (l *live) seatName(seat rules.Seat, lang rules.Lang) string {
	if int(seat) >= len(l.about.Seats) {
		return ""
	}
	return l.about.Catalogue.Format(lang, rules.Text{Key: l.about.Seats[seat].Key})
}

// lastingSummary is what lists show of the game, to anyone, as far as only changes of the table and of what is kept beside the log change it.
func (m *moment) lastingSummary(l *live) *logv1.GameSummary {
	return &logv1.GameSummary{
		Game: l.id, Title: l.title(), Ruleset: l.created.Ruleset, Scenario: l.created.Scenario,
		Holders: m.table.holders, CreateTime: timestamppb.New(l.time),
		Private: l.created.GetForkedFrom().GetPrivate(), JoinPolicy: m.joinPolicy(),
	}
}

// passingSummary is the rest.
func (m *moment) passingSummary(l *live) *logv1.GameSummary {
	g := &logv1.GameSummary{
		Version: m.version(), Head: m.head(), UpdateTime: timestamppb.New(m.updated),
		Over: m.table.over, WaitingFor: m.waitingFor(l, rules.Spectator), Turn: int32(m.game.Turn()),
	}
	if e := m.ending(l, rules.English); e != nil {
		g.Result = e.Text
	}
	return g
}

// listed makes a game of what lists show.
func listed(about *rules.About, g *logv1.GameSummary) *v1.Game {
	out := &v1.Game{
		Name: streams.Games + g.Game, Title: shown(g.Title, maxTitle), Ruleset: "rulesets/" + g.Ruleset, Scenario: g.Scenario,
		Version: g.Version, Head: g.Head, CreateTime: g.CreateTime, UpdateTime: g.UpdateTime,
		Over: g.Over, WaitingFor: g.WaitingFor, Turn: g.Turn, JoinPolicy: cmp.Or(g.JoinPolicy, logv1.JoinPolicy_JOIN_POLICY_OPEN),
	}
	if g.Over {
		out.Ending = &boardv1.Ending{Text: shown(g.Result, maxReason)}
	}
	var ids []string
	if about != nil {
		ids = seatIDs(about, about.AllSeats())
	} else { // a ruleset that this server does not have
		for id := range g.Holders {
			ids = append(ids, id)
		}
		slices.Sort(ids)
	}
	for _, id := range ids {
		holder, taken := g.Holders[id]
		out.Seats = append(out.Seats, &v1.SeatState{Id: id, Holder: shown(holder, maxHolder), Taken: taken})
	}
	return out
}
