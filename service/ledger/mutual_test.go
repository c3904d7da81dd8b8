package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// TestMutualDiceAreSound draws runs of the protocol: commands, answers in any order, silence, chains that end or are
// renewed, seats that are left and taken, undo and redo. Everything made by the rules is sound, also for a reader who
// begins at any point of it.
func TestMutualDiceAreSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		terms := &logv1.MutualDice{OnSilence: logv1.Silence_SILENCE_WAIT}
		if rapid.Bool().Draw(rt, "goes on") {
			terms = goesOn
		}
		g := newThrowing(t, rapid.Uint32Range(1, 6).Draw(rt, "length"), terms)
		held := map[string]bool{}
		for range rapid.IntRange(5, 60).Draw(rt, "steps") {
			seat := rapid.SampledFrom([]string{"red", "blue"}).Draw(rt, "seat")
			switch rapid.IntRange(0, 11).Draw(rt, "step") {
			case 0:
				if held[seat] {
					g.leaves(seat)
				} else {
					g.sitWith(seat)
				}
				held[seat] = !held[seat]
			case 1:
				if held[seat] {
					g.renews(seat)
				}
			case 2:
				if to := g.tree.UndoTarget(); to != 0 && held["red"] {
					g.move(to)
					g.follow()
				}
			case 3:
				if to := g.tree.RedoTarget(); to != 0 && held["red"] && g.tree.Precedes(g.tree.Head(), to) {
					g.move(to)
					g.follow()
				}
			case 4:
				g.mute[seat] = terms == goesOn && rapid.Bool().Draw(rt, "mute")
			default:
				order := inOrder
				if rapid.Bool().Draw(rt, "backwards") {
					order = backwards
				}
				if seat, _, ok := g.choose(g.after[g.tree.Head()]); ok && held[g.set.About().SeatID(seat)] {
					g.command(order) // a command that is refused leaves all as it is
				}
			}
		}
		g.end()
		sum, found := g.audit(g.records, ledger.AuditOptions{})
		for _, f := range found {
			if f.Severity == ledger.Error {
				rt.Fatalf("found %v", f)
			}
		}
		if dropped := slices.DeleteFunc(slices.Clone(sum.Unchecked), func(s string) bool {
			return strings.Contains(s, "no seat but the one that threw them had a part") ||
				strings.Contains(s, "only its player knows whether")
		}); len(dropped) > 0 {
			rt.Fatalf("not checked: %q", dropped)
		}
	})
}

// thrown is a whole game with mutual dice and a renewed chain; in a game that goes on, one seat once does not answer.
func thrown(tb testing.TB, terms *logv1.MutualDice) *throwing {
	tb.Helper()
	g := newThrowing(tb, 3, terms)
	g.sitWith("red")
	g.sitWith("blue")
	g.renews("blue")
	for n := 0; g.command(backwards) && n < 60; n++ {
		g.mute["red"] = terms == goesOn && n%2 == 0
	}
	g.end()
	return g
}

// TestAuditListsRenewals: whoever has a seat's token may renew its chain before each roll and answer in its player's
// name. The log is sound, so the audit lists what only the player can tell. A chain that comes again is a notice, and a
// seat that is taken while it is held an error.
func TestAuditListsRenewals(t *testing.T) {
	t.Parallel()
	g := newThrowing(t, 64, nil)
	g.sitWith("red")
	g.sitWith("blue")
	for range 12 {
		g.renews("blue")
	}
	chain := g.draw("blue")
	for range 2 {
		g.tableBy("blue", &logv1.TableEvent{
			Event: &logv1.TableEvent_ChainRenewed{ChainRenewed: &logv1.ChainRenewed{Seat: "blue", Chain: chain}},
		})
	}
	g.renews("red")
	g.sitWith("red")
	g.end()
	sum, found := g.audit(g.records, ledger.AuditOptions{})
	want := []string{
		"1 dice: no seat but the one that threw them had a part in them, so they prove no more than committed dice",
		"dice: the chain of blue was renewed in records 4 5 6 7 8 9 10 11 and 6 more; only its player knows " +
			"whether by a program of theirs",
		"dice: the chain of red was renewed in record 18; only its player knows whether by a program of theirs",
	}
	if !slices.Equal(sum.Unchecked, want) {
		t.Errorf("unchecked %q", sum.Unchecked)
	}
	var all []string
	for _, f := range found {
		all = append(all, f.String())
	}
	want = []string{
		"notice: dice: record 17 commits blue to a chain that it had before, so others may know its links",
		"error: consent: record 19 gives away the seat red, which is held",
	}
	if !slices.Equal(all, want) {
		t.Errorf("found %q", all)
	}
}

// TestAuditListsThrowsTakenBack: whoever has a seat's token may agree in its player's name that a throw is taken back.
// The log is sound, so the audit lists by seat what only the player can tell.
func TestAuditListsThrowsTakenBack(t *testing.T) {
	t.Parallel()
	g := newThrowing(t, 64, nil)
	g.sitWith("red")
	g.sitWith("blue")
	var want []string
	for len(want) == 0 {
		if before := g.tree.Version(); !g.command(inOrder) {
			t.Fatal("the game ended before dice fell")
		} else if g.tree.Version() == before+1 {
			continue // no dice
		}
		g.move(g.tree.UndoTarget())
		g.follow()
		for _, seat := range []string{"blue", "red"} {
			want = append(want, fmt.Sprintf("dice: throws that %s had a part in were taken back in record %d; only "+
				"its player knows whether they asked or agreed", seat, g.tree.Version()))
		}
	}
	sum, _ := g.audit(g.records, ledger.AuditOptions{})
	got := slices.DeleteFunc(sum.Unchecked, func(s string) bool { return !strings.Contains(s, "taken back") })
	if !slices.Equal(got, want) {
		t.Errorf("unchecked %q, want %q", got, want)
	}
}

// TestAuditFindsForgedMutualDice forges each part of the protocol and makes all hashes fit.
func TestAuditFindsForgedMutualDice(t *testing.T) {
	t.Parallel()
	game, silent := thrown(t, nil), thrown(t, goesOn)
	for _, g := range []*throwing{game, silent} {
		sum, found := g.audit(g.records, ledger.AuditOptions{})
		if len(found) > 0 || sum.Rolls == 0 || g.asks < 3 {
			t.Fatalf("an honest game of %d asks: %v, %v", g.asks, sum, found)
		}
	}
	const ask, table = logv1.RecordKind_RECORD_KIND_ASK, logv1.RecordKind_RECORD_KIND_TABLE
	type forgery = func(t *testing.T, log []parts) []parts
	event := func(has func(*logv1.TableEvent) bool, change func(*logv1.TableEvent)) forgery {
		return func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isTable(has))
			recode(t, &log[i].leaves[j], new(logv1.TableEvent), change)
			return log
		}
	}
	header := func(is func(*logv1.RecordHeader) bool, change func(*logv1.RecordHeader)) forgery {
		return func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, func(h *logv1.RecordHeader, _ *ledger.Leaf) bool { return is(h) })
			change(log[i].header)
			return log
		}
	}
	answered := func(e *logv1.TableEvent) bool { return e.GetDiceAnswered() != nil }
	asked := func(e *logv1.TableEvent) bool { return e.GetDiceAsked() != nil }
	gone := func(e *logv1.TableEvent) bool { return e.GetDiceGoneOn() != nil }
	outcome := func(h *logv1.RecordHeader) bool { return h.Asked != 0 }
	isAsk := func(h *logv1.RecordHeader) bool { return h.Kind == ask }
	drop := func(has func(*logv1.TableEvent) bool) forgery {
		return func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isTable(has))
			return shifted(slices.Delete(log, i, i+1), uint64(i+1), -1)
		}
	}
	insert :=
		func(is func(*logv1.RecordHeader) bool, after int, kind logv1.RecordKind, events ...*logv1.TableEvent) forgery {
			return func(t *testing.T, log []parts) []parts {
				i, _ := find(t, log, func(h *logv1.RecordHeader, _ *ledger.Leaf) bool { return is(h) })
				leaves, err := ledger.Table(events...)
				if err != nil {
					t.Fatal(err)
				}
				h := proto.CloneOf(log[i].header)
				h.Kind, h.Version, h.Head, h.CommandId, h.Asked, h.DiceSource = kind, uint64(i+after+1), h.Parent,
					"inserted", 0, 0
				log = shifted(log, uint64(i+after), 1)
				return slices.Insert(log, i+after, parts{h, leaves})
			}
		}
	for _, c := range []struct {
		name  string
		game  *throwing
		forge forgery
		want  string
	}{
		{"another link", game, event(answered, func(e *logv1.TableEvent) { e.GetDiceAnswered().Link[0] ^= 1 }),
			"the hash of what it sent is not link"},
		{"half a link", game, event(answered, func(e *logv1.TableEvent) {
			e.GetDiceAnswered().Link = e.GetDiceAnswered().Link[:16]
		}), "a link of 16 bytes"},
		{"an answer for another", game, event(answered, func(e *logv1.TableEvent) {
			if a := e.GetDiceAnswered(); a.Seat == "red" {
				a.Seat = "blue"
			} else {
				a.Seat = "red"
			}
		}), "but was sent by"},
		{"an answer to another record", game,
			event(answered, func(e *logv1.TableEvent) { e.GetDiceAnswered().Asked-- }), "which owes it nothing"},
		{"a new chain with any link", game, event(answered, func(e *logv1.TableEvent) {
			e.GetDiceAnswered().Chain = &logv1.HashChain{Anchor: make([]byte, 32), Length: 3}
		}), "one comes with the last link of a chain"},
		{"no new chain with the last link", game, event(func(e *logv1.TableEvent) bool {
			return e.GetDiceAnswered().GetChain() != nil
		},
			func(e *logv1.TableEvent) { e.GetDiceAnswered().Chain = nil }), "one comes with the last link of a chain"},
		{"another anchor", game, event(func(e *logv1.TableEvent) bool { return e.GetSeatTaken().GetSeat() == "red" },
			func(e *logv1.TableEvent) { e.GetSeatTaken().Chain.Anchor[5] ^= 4 }),
			"the hash of what it sent is not link"},
		{"another anchor later", game, event(func(e *logv1.TableEvent) bool { return e.GetChainRenewed() != nil },
			func(e *logv1.TableEvent) { e.GetChainRenewed().Chain.Anchor[5] ^= 4 }),
			"the hash of what it sent is not link"},
		{"a chain too long", game, event(func(e *logv1.TableEvent) bool { return e.GetSeatTaken() != nil },
			func(e *logv1.TableEvent) { e.GetSeatTaken().Chain.Length = 1 << 20 }), "that cannot be"},
		{"a seat is not asked", game, event(asked, func(e *logv1.TableEvent) {
			e.GetDiceAsked().Owed = e.GetDiceAsked().Owed[:1]
		}), "asks for link 1 of blue, expected"},
		{"a link is asked twice", game, event(asked, func(e *logv1.TableEvent) { e.GetDiceAsked().Owed[0].Link++ }),
			"asks for link 2 of blue"},
		{"the command is another", game, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(ask))
			log[i].leaves[0].Data = append(slices.Clone(log[i].leaves[0].Data), 0x7a, 0)
			return log
		}, "is not the command that record"},
		{"the command is of another schema", game, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(ask))
			log[i].leaves[0].Schema++
			return log
		}, "is not the command that record"},
		{"the command has another id", game, event(asked, func(e *logv1.TableEvent) {
			e.GetDiceAsked().CommandId = "other"
		}), "is not the command that record"},
		{"the command is another seat's", game, header(isAsk, func(h *logv1.RecordHeader) {
			if h.Seat == "red" {
				h.Seat = "blue"
			} else {
				h.Seat = "red"
			}
		}), "is not the command that record"},
		{"the command names no ask", game, header(outcome, func(h *logv1.RecordHeader) { h.Asked = 0 }),
			"is not the command that record"},
		{"the dice are said to be the server's", game,
			header(outcome, func(h *logv1.RecordHeader) { h.DiceSource = logv1.DiceSource_DICE_SOURCE_COMMITTED }),
			"says that its dice are DICE_SOURCE_COMMITTED, expected DICE_SOURCE_MUTUAL"},
		{"the set-up is said to be mutual", game, header(func(h *logv1.RecordHeader) bool { return h.Version == 1 },
			func(h *logv1.RecordHeader) { h.DiceSource = logv1.DiceSource_DICE_SOURCE_MUTUAL }),
			"expected DICE_SOURCE_COMMITTED"},
		{"a better die", game, func(t *testing.T, log []parts) []parts {
			i, j := find(t, log,
				func(h *logv1.RecordHeader, l *ledger.Leaf) bool { return h.Asked != 0 && isRoll(h, l) })
			recode(t, &log[i].leaves[j], new(logv1.Roll), func(r *logv1.Roll) { r.Value = r.Value%r.Sides + 1 })
			return log
		}, "that does not follow from the secret"},
		{"an answer is left out", game, drop(answered), "while record"},
		{"nobody was asked", game, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(ask))
			for log[i].header.Asked == 0 {
				log = shifted(slices.Delete(log, i, i+1), uint64(i+1), -1)
			}
			log[i].header.Asked, log[i].header.DiceSource = 0, logv1.DiceSource_DICE_SOURCE_COMMITTED
			return log
		}, "has dice that no seat was asked for"},
		{"it asks twice", game, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(ask))
			log = shifted(slices.Clone(log), uint64(i+1), 1)
			h := proto.CloneOf(log[i].header)
			h.Version++
			return slices.Insert(log, i+1, parts{h, log[i].leaves})
		}, "asks for dice while record"},
		{"a seat that owes is freed", game, insert(isAsk, 1, table,
			&logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: &logv1.SeatLeft{Seat: "red"}}}),
			"frees the seat red, which owes a link"},
		{"a chain is renewed meanwhile", game, insert(isAsk, 1, table,
			&logv1.TableEvent{Event: &logv1.TableEvent_ChainRenewed{ChainRenewed: &logv1.ChainRenewed{
				Seat: "red", Chain: &logv1.HashChain{Anchor: make([]byte, 32), Length: 3}}}}),
			"renews the chain of red while record"},
		{"it goes on where it waits", game,
			insert(isAsk, 1, table, &logv1.TableEvent{Event: &logv1.TableEvent_DiceGoneOn{DiceGoneOn: &logv1.DiceGoneOn{
				Missing: []string{"blue", "red"}}}}), "goes on without answers, although the game waits"},
		{"something comes between the last answer and the command", game,
			insert(outcome, 0, table, &logv1.TableEvent{Event: &logv1.TableEvent_UndoAsked{UndoAsked: &logv1.UndoAsked{
				Seat: "red", Target: 1}}}), "expected the command that record"},
		{"other names are missing", silent, event(gone, func(e *logv1.TableEvent) {
			e.GetDiceGoneOn().Missing = []string{"blue"}
		}), `links of ["blue"] are missing; it is those of ["red"]`},
		{"it goes on with another record", silent, event(gone, func(e *logv1.TableEvent) { e.GetDiceGoneOn().Asked++ }),
			"which waits for no dice"},
		{"it goes on too soon", silent, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isTable(gone))
			for _, p := range log[i:] {
				p.header.Time.Seconds -= 60
			}
			return log
		}, "goes on before the time for answers"},
		{"silence is not told", silent, drop(gone), "while record"},
		{"a time for answers is agreed later", silent, func(t *testing.T, log []parts) []parts {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated),
				func(c *logv1.GameCreated) { c.MutualDice.AnswerTime = nil })
			return log
		}, "has a time for answers although"},
		{"the format is the first", game, func(t *testing.T, log []parts) []parts {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated), func(c *logv1.GameCreated) { c.DiceFormat = 0 })
			return log
		}, "says that the dice are of the unknown format 0"},
		{"the dice are said to be committed", game, func(t *testing.T, log []parts) []parts {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated),
				func(c *logv1.GameCreated) { c.Dice = logv1.DiceKind_DICE_KIND_COMMITTED })
			return log
		}, "mutual dice"},
		{"a record is older than the one before", game,
			func(t *testing.T, log []parts) []parts { log[4].header.Time.Seconds -= 24 * 60 * 60; return log },
			"time: record 5 was made"},
		{"a command asked for without a command", game, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(ask))
			log[i].leaves = log[i].leaves[1:]
			return log
		}, "a command comes first"},
		{"it asks in a record of the table", game, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(ask))
			log[i].header.Kind, log[i].leaves = table, log[i].leaves[1:]
			return log
		}, "asks for dice without a command"},
		{"what is asked is hidden", game, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isKind(ask))
			log[i].leaves[1].Audience = rules.OnlySeats(0)
			return log
		}, "that everyone may see"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			mine := *c.game.table // a salter is one test's own
			mine.tb, mine.salts = t, ledger.NewSalter(mine.salt, mine.game)
			records := mine.forge(func(log []parts) []parts { return c.forge(t, log) })
			_, found := mine.audit(records, ledger.AuditOptions{})
			var all []string
			for _, f := range found {
				all = append(all, f.String())
			}
			if text := strings.Join(all, "\n"); !strings.Contains(text, c.want) || !strings.Contains(text, "error: ") {
				t.Errorf("found\n%s\nwant %q", text, c.want)
			}
		})
	}
}

// TestAskRedacts: a command that others may not see is hidden in the record that asks for its dice just as in its own,
// and both keep their hashes.
func TestAskRedacts(t *testing.T) {
	t.Parallel()
	g := newThrowing(t, 9, nil)
	g.sitWith("red")
	g.sitWith("blue")
	about := g.set.About()
	leaves, err := ledger.Ask(about, g.set.NewCommand(), rules.OnlySeats(0),
		&logv1.DiceAsked{CommandId: "c", Owed: g.state.Owe()})
	g.must(err)
	h := g.tree.Next(logv1.RecordKind_RECORD_KIND_ASK)
	h.Seat = "red"
	g.put(h, leaves)
	g.answer(g.state.Asked().Owed[0])
	whole, err := ledger.Open(g.records[len(g.records)-2])
	g.must(err)
	for viewer, hidden := range map[rules.Viewer]int{rules.Spectator: 1, {Seats: rules.SeatsOf(1)}: 1,
		{Seats: rules.SeatsOf(0)}: 0} {
		r := whole.Redact(viewer)
		again, err := ledger.Open(r.Data())
		g.must(err)
		events, err := again.TableEvents()
		if err != nil || r.Hidden() != hidden || r.Command().Redacted != (hidden > 0) || len(events) != 1 ||
			again.Hash() != whole.Hash() {
			t.Errorf("%v sees %d leaves less, %v, %v", viewer, r.Hidden(), events, err)
		}
	}
}
