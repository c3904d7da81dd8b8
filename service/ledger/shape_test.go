package ledger_test

import (
	"strconv"
	"strings"
	"testing"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/ledger"
)

// TestRollsThatNoDieCanShow: a recorded roll has two to a hundred sides and a value among them.
func TestRollsThatNoDieCanShow(t *testing.T) {
	t.Parallel()
	game := whole(t, manual)
	for _, c := range []struct {
		sides, value uint32
		sound        bool
	}{
		{1, 1, false}, {2, 1, true}, {2, 2, true}, {100, 100, true}, {101, 5, false}, {6, 0, false}, {6, 1, true},
		{6, 7, false},
	} {
		records := game.forge(func(log []parts) []parts {
			i, j := find(t, log, isRoll)
			recode(t, &log[i].leaves[j], new(logv1.Roll), func(r *logv1.Roll) { r.Sides, r.Value = c.sides, c.value })
			return log
		})
		_, found := game.audit(records, ledger.AuditOptions{})
		shown := true
		for _, f := range found {
			shown = shown && !strings.Contains(f.String(), "that no die can show")
		}
		if shown != c.sound {
			t.Errorf("%d of %d sides: found %v", c.value, c.sides, found)
		}
	}
}

// TestARecordThatAsksForDiceHasOneDiceAsked: nothing else, and not twice.
func TestARecordThatAsksForDiceHasOneDiceAsked(t *testing.T) {
	t.Parallel()
	game := thrown(t, nil)
	for name, change := range map[string]func(p *parts){
		"another event": func(p *parts) {
			recode(t, &p.leaves[1], new(logv1.TableEvent), func(e *logv1.TableEvent) {
				e.Event = &logv1.TableEvent_UndoAsked{UndoAsked: &logv1.UndoAsked{Seat: "red", Target: 1}}
			})
		},
		"twice":          func(p *parts) { p.leaves = append(p.leaves, p.leaves[1]) },
		"only a command": func(p *parts) { p.leaves = p.leaves[:1] },
	} {
		records := game.forge(func(log []parts) []parts {
			i, _ := find(t, log, isKind(logv1.RecordKind_RECORD_KIND_ASK))
			change(&log[i])
			return log
		})
		_, found := game.audit(records, ledger.AuditOptions{})
		if len(found) == 0 || !strings.Contains(found[0].String(), "expected a command and one DiceAsked") {
			t.Errorf("%s: found %v", name, found)
		}
	}
}

// TestDiceStateReadsOneDiceAsked: a client that follows the dice takes nothing else for a question either.
func TestDiceStateReadsOneDiceAsked(t *testing.T) {
	t.Parallel()
	game := thrown(t, nil)
	for name, change := range map[string]func(p *parts){
		"twice": func(p *parts) { p.leaves = append(p.leaves, p.leaves[1]) },
		"another event": func(p *parts) {
			recode(t, &p.leaves[1], new(logv1.TableEvent), func(e *logv1.TableEvent) {
				e.Event = &logv1.TableEvent_UndoAsked{UndoAsked: &logv1.UndoAsked{Seat: "red", Target: 1}}
			})
		},
		"no command": func(p *parts) { p.leaves = p.leaves[1:] },
	} {
		records := game.forge(func(log []parts) []parts {
			i, _ := find(t, log, isKind(logv1.RecordKind_RECORD_KIND_ASK))
			change(&log[i])
			return log[:i+1]
		})
		created, err := game.opened()[0].Created()
		if err != nil {
			t.Fatal(err)
		}
		s := ledger.NewDiceState(created, game.game)
		for _, data := range records {
			r, opened := ledger.Open(data)
			if opened != nil {
				t.Fatal(opened)
			}
			if s, err = s.Add(r); err != nil {
				break
			}
		}
		if err == nil || !strings.Contains(err.Error(), "has no valid DiceAsked") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOtherDiceHaveNoPartsOfMutualDice: in a game with committed dice no record names a source of dice or what they
// were asked by.
func TestOtherDiceHaveNoPartsOfMutualDice(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	for name, change := range map[string]func(p *parts){
		"a source": func(p *parts) { p.header.DiceSource = logv1.DiceSource_DICE_SOURCE_COMMITTED },
		"an ask":   func(p *parts) { p.header.Asked = 2 },
	} {
		records := game.forge(func(log []parts) []parts {
			i, _ := find(t, log, isKind(logv1.RecordKind_RECORD_KIND_COMMAND))
			change(&log[i])
			return log
		})
		_, found := game.audit(records, ledger.AuditOptions{})
		const want = "has parts of mutual dice, but the game has other dice"
		if len(found) == 0 || !strings.Contains(found[0].String(), want) {
			t.Errorf("%s: found %v", name, found)
		}
	}
}

// TestDiceOfOneSeatAloneAreCounted: a roll proves no more than the server's word if only the seat that threw it had a
// part in it.
func TestDiceOfOneSeatAloneAreCounted(t *testing.T) {
	t.Parallel()
	g := newThrowing(t, 64, nil)
	g.sitWith("red")
	for n := 0; g.command(inOrder) && n < 60; n++ {
	}
	g.end()
	alone, others := 0, 0
	for _, r := range g.opened() {
		for range r.Rolls() {
			if r.Header().Asked == 0 || r.Header().Seat == "red" {
				alone++
			} else {
				others++
			}
		}
	}
	sum, found := g.audit(g.records, ledger.AuditOptions{})
	says := strings.Join(sum.Unchecked, "\n")
	want := strconv.Itoa(alone) + " dice: no seat but the one that threw them had a part in them"
	// Blue has no chain, and so no seat either: that is the only finding.
	const empty = `error: consent: record 4 is by "blue", which nobody holds`
	if len(found) != 1 || found[0].String() != empty || alone < 2 || others == 0 || alone == others ||
		!strings.HasPrefix(says, want) {
		t.Errorf("%d alone and %d others: %q, found %v", alone, others, says, found)
	}
}

// TestChainsOfSeats: a seat has a chain while it is held, and tells that it was renewed until the next command.
func TestChainsOfSeats(t *testing.T) {
	t.Parallel()
	g := newThrowing(t, 1, nil) // the shortest chain
	is := func(when, seat string, chain, renewed bool) {
		t.Helper()
		c, ok := g.state.Chain(seat)
		if ok != chain || (c.Length == 1) != chain || g.state.Renewed(seat) != renewed {
			t.Errorf("%s: %s has a chain %v of %d, renewed %v", when, seat, ok, c.Length, g.state.Renewed(seat))
		}
	}
	is("before anybody sits", "red", false, false)
	g.sitWith("red")
	is("seated", "red", true, false)
	is("seated", "blue", false, false)
	g.renews("red")
	is("renewed", "red", true, true)
	is("renewed", "blue", false, false)
	is("renewed", "zero", false, false)
	g.command(inOrder)
	is("after a command", "red", true, false)
	g.leaves("red")
	is("free", "red", false, false)
}
