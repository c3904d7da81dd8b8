package render

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
)

// Game is the game as a viewer may see it.
func Game(m *live.Moment, l *live.Game, v rules.Viewer, lang rules.Lang) *v1.Game {
	g := &v1.Game{
		Name: streams.Games + l.ID, Title: Title(l), Ruleset: "rulesets/" + l.Created.Ruleset,
		Scenario: l.Created.Scenario, ScenarioDigest: l.Digest,
		Options: l.Created.Options, Dice: l.Created.Dice, DiceCommitment: l.Commitment,
		RulesVersion: l.Created.RulesVersion, Version: m.Version(), Head: m.Head(),
		LastHash:   hex.EncodeToString(m.Hash[:]),
		CreateTime: timestamppb.New(l.Time), UpdateTime: timestamppb.New(m.Updated),
		Turn: int32(m.Position.Turn()), WaitingFor: waitingFor(m, l, v), Over: m.Table.Over, Ending: Ending(m, l, lang),
		ForkedFrom: l.Created.ForkedFrom, Imported: m.Meta.Imported, ReadOnly: m.ReadOnly(), JoinPolicy: m.JoinPolicy(),
	}
	for _, seat := range l.About.Seats {
		holder, taken := m.Table.Holders[seat.ID]
		state := &v1.SeatState{
			Id: seat.ID, Holder: holder, Taken: taken, Chain: chainState(m, seat.ID), Guard: m.Guard(l, seat.ID),
			Computer: computerName(m.Table.Computers[seat.ID].ID),
		}
		if at, ok := m.Table.Left[seat.ID]; ok {
			state.LeaveTime = timestamppb.New(at)
		}
		g.Seats = append(g.Seats, state)
	}
	showDice(m, g, l)
	showDeadlines(m, g, l, v)
	if p := m.Table.Offered; p != nil {
		g.PendingSeat = &v1.PendingSeat{Offered: p.Version, Seat: l.About.SeatID(p.Seat),
			Missing: live.SeatIDs(l.About, p.Missing)}
	}
	if p := m.Table.Pending; p != nil {
		g.PendingUndo = &v1.PendingUndo{
			Asked: p.Asked, Seat: l.About.SeatID(p.Seat), Target: p.Target, Missing: live.SeatIDs(l.About, p.Missing),
		}
	}
	return g
}

// waitingFor is whom the game waits for, as far as the viewer may know of what is asked.
func waitingFor(m *live.Moment, l *live.Game, v rules.Viewer) []string {
	if m.Table.Over {
		return nil
	}
	if m.Table.Dice.Asked() != nil {
		return live.SeatIDs(l.About, m.Owing(l.About))
	}
	var known rules.Seats
	for _, d := range m.Asks() {
		if !d.Optional && v.MaySee(d.Audience) {
			known |= rules.SeatsOf(d.Seat)
		}
	}
	return live.SeatIDs(l.About, known)
}

// Ending says how the game ended, by its rules or at the table; nil while it goes on.
func Ending(m *live.Moment, l *live.Game, lang rules.Lang) *boardv1.Ending {
	if !m.Table.Over {
		return nil
	}
	if m.Position.Ending() != nil {
		return m.Position.Board(rules.Spectator, lang).Ending
	}
	if m.Table.Resigned == rules.NoSeat {
		return &boardv1.Ending{Level: "closed", Text: tableText(lang, textClosed, "")}
	}
	e := &boardv1.Ending{Level: "resigned", Text: tableText(lang, textResigned, SeatName(l, m.Table.Resigned, lang))}
	if m.Table.Lapsed {
		e = &boardv1.Ending{Level: "forfeited",
			Text: tableText(lang, textForfeited, SeatName(l, m.Table.Resigned, lang))}
	}
	// With more than two seats it is for the players to say who won with whom.
	if others := l.About.AllSeats() &^ l.About.SideOf(m.Table.Resigned); others.Len() == 1 ||
		m.Lost(l.About, m.Table.Resigned, 0) {
		e.Winners = live.SeatIDs(l.About, others)
	}
	return e
}

// Title is the game's own.
func Title(l *live.Game) string { return live.Shown(l.Created.Title, live.MaxTitle) }

// SeatName is what a seat is called.
func SeatName(l *live.Game, seat rules.Seat, lang rules.Lang) string {
	if int(seat) >= len(l.About.Seats) {
		return ""
	}
	return l.About.Catalogue.Format(lang, rules.Text{Key: l.About.Seats[seat].Key})
}

// LastingSummary is what lists show of the game to anyone, as far as only changes of the table and of
// the metadata change it.
func LastingSummary(l *live.Game, m *live.Moment) *logv1.GameSummary {
	var computers map[string]string
	for seat, c := range m.Table.Computers {
		if computers == nil {
			computers = make(map[string]string)
		}
		computers[seat] = c.ID
	}
	return &logv1.GameSummary{
		Computers: computers,
		Game:      l.ID, Title: Title(l), Ruleset: l.Created.Ruleset, Scenario: l.Created.Scenario,
		Holders: m.Table.Holders, CreateTime: timestamppb.New(l.Time),
		Private: l.Created.GetForkedFrom().GetPrivate(), JoinPolicy: m.JoinPolicy(),
	}
}

// PassingSummary is the rest.
func PassingSummary(l *live.Game, m *live.Moment) *logv1.GameSummary {
	g := &logv1.GameSummary{
		Version: m.Version(), Head: m.Head(), UpdateTime: timestamppb.New(m.Updated),
		Over: m.Table.Over, WaitingFor: waitingFor(m, l, rules.Spectator), Turn: int32(m.Position.Turn()),
	}
	if e := Ending(m, l, rules.English); e != nil {
		g.Result = e.Text
	}
	return g
}

// Listed makes a game of what lists show.
func Listed(about *rules.About, g *logv1.GameSummary) *v1.Game {
	out := &v1.Game{
		Name: streams.Games + g.Game, Title: live.Shown(g.Title, live.MaxTitle), Ruleset: "rulesets/" + g.Ruleset,
		Scenario: g.Scenario,
		Version:  g.Version, Head: g.Head, CreateTime: g.CreateTime, UpdateTime: g.UpdateTime,
		Over: g.Over, WaitingFor: g.WaitingFor, Turn: g.Turn, JoinPolicy: cmp.Or(g.JoinPolicy,
			logv1.JoinPolicy_JOIN_POLICY_OPEN),
	}
	if g.Over {
		out.Ending = &boardv1.Ending{Text: live.Shown(g.Result, live.MaxReason)}
	}
	var ids []string
	if about != nil {
		ids = live.SeatIDs(about, about.AllSeats())
	} else { // a ruleset that this server does not have
		for id := range g.Holders {
			ids = append(ids, id)
		}
		slices.Sort(ids)
	}
	for _, id := range ids {
		holder, taken := g.Holders[id]
		out.Seats = append(out.Seats, &v1.SeatState{Id: id, Holder: live.Shown(holder, live.MaxHolder), Taken: taken,
			Computer: computerName(g.Computers[id])})
	}
	return out
}

// computerName is the resource name of a computer; empty for none.
func computerName(id string) string {
	if id == "" {
		return ""
	}
	return streams.Computers + live.Shown(id, live.MaxHolder)
}

// showDeadlines adds to a game what a viewer may know of deadlines.
func showDeadlines(m *live.Moment, g *v1.Game, l *live.Game, v rules.Viewer) {
	if p := m.Table.Proposed; p != nil {
		g.PendingDeadlines = &v1.PendingDeadlines{Proposed: p.Version, Deadlines: p.Deadlines,
			Missing: live.SeatIDs(l.About, p.Missing)}
	}
	g.Deadlines = m.Table.Deadlines
	known := make(map[string]bool)
	for _, id := range g.WaitingFor {
		known[id] = true
	}
	for _, c := range m.Clocks.GetSeats() {
		out := &v1.SeatClock{Seat: c.Seat, HolidaysLeft: c.HolidaysLeft}
		if c.HolidayUntil.AsTime().After(m.Updated) {
			out.HolidayUntil = c.HolidayUntil
		}
		if known[c.Seat] {
			out.DueTime, out.Expired = c.DueTime, c.Expired
		}
		if v.All || v.Seats&live.SeatSet(l.About, c.Seat) != 0 {
			out.AllowanceLeft, out.BankLeft = durationpb.New(time.Duration(c.AllowanceLeft)),
				durationpb.New(time.Duration(c.BankLeft))
		}
		g.Clocks = append(g.Clocks, out)
	}
}

// chainState is the state of a seat's chain; nil without one.
func chainState(m *live.Moment, seat string) *v1.ChainState {
	c, ok := m.Table.Dice.Chain(seat)
	if !ok {
		return nil
	}
	return &v1.ChainState{Anchor: bytes.Clone(c.Anchor[:]), Length: c.Length, Next: c.Next}
}

// showDice adds to a game the settings of its dice and what is asked for.
func showDice(m *live.Moment, g *v1.Game, l *live.Game) {
	g.DiceFormat, g.MutualDice = l.Created.DiceFormat, l.Created.MutualDice
	if a := m.Table.Dice.Asked(); a != nil {
		g.PendingDice = &v1.PendingDice{
			Asked: a.Version, Seat: a.Seat, CommandId: a.CommandID, Owed: a.Owed, Missing: a.Missing(),
			GoOnTime: m.GoOnTime(l),
		}
	}
}

// seatNames lists the names of seats.
func seatNames(l *live.Game, ids []string, lang rules.Lang) string {
	var names []string
	for _, id := range ids {
		seat, _ := l.About.SeatByID(id)
		names = append(names, SeatName(l, seat, lang))
	}
	return strings.Join(names, ", ")
}
