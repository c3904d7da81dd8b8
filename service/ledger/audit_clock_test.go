package ledger_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/service/deadline"
	"github.com/warledger/warledger/service/ledger"
)

// timed is a game of two seats with a minute for each command, in which the time of red, who has
// decided nothing, is up.
func timed(t *testing.T, lapse logv1.Lapse) *table {
	t.Helper()
	g := newTable(t, manual)
	g.deadlines = deadline.Normal(&logv1.Deadlines{Allowance: durationpb.New(time.Minute), Lapse: lapse})
	g.begin()
	g.sit("red", "")
	due := g.now() // red's time runs from here
	g.sit("blue", "")
	g.late = 60
	expired := &logv1.TableEvent{Event: &logv1.TableEvent_TimeExpired{
		TimeExpired: &logv1.TimeExpired{Seat: "red", Due: timestamppb.New(due.Add(time.Minute)), Lapse: lapse},
	}}
	switch lapse {
	case logv1.Lapse_LAPSE_FORFEIT:
		g.tableRecord(expired,
			&logv1.TableEvent{Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{Seat: "red", ByClock: true}}})
	case logv1.Lapse_LAPSE_OPEN_SEAT:
		g.tableRecord(expired,
			&logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: &logv1.SeatLeft{Seat: "red", ByClock: true}}})
	default:
		g.tableRecord(expired)
	}
	if lapse == logv1.Lapse_LAPSE_PLAY {
		g.play(1)
	}
	g.release()
	return g
}

// now is the time of the last record.
func (t *table) now() time.Time {
	return epoch.Add(time.Duration(int64(t.tree.Version())+t.late) * time.Second)
}

func isExpiry(e *logv1.TableEvent) bool { return e.GetTimeExpired() != nil }

// change changes what a log says about a time that was up.
func change(t *testing.T, log []parts, f func(x *logv1.TimeExpired)) []parts {
	i, j := find(t, log, isTable(isExpiry))
	recode(t, &log[i].leaves[j], new(logv1.TableEvent), func(e *logv1.TableEvent) { f(e.GetTimeExpired()) })
	return log
}

// TestAuditOfWhoeverNeverPlayed: deadlines that forfeit open the seat of a player who has not played, and of no other.
func TestAuditOfWhoeverNeverPlayed(t *testing.T) {
	t.Parallel()
	for _, played := range []bool{false, true} {
		g := newTable(t, manual)
		g.deadlines = deadline.Normal(&logv1.Deadlines{
			Allowance: durationpb.New(time.Minute), Lapse: logv1.Lapse_LAPSE_FORFEIT,
		})
		g.begin()
		g.sit("red", "")
		g.sit("blue", "")
		g.play(1)
		records := g.opened()
		seat := records[len(records)-1].Header().Seat
		if !played {
			seat = map[string]string{"red": "blue", "blue": "red"}[seat]
		}
		g.tableRecord(
			&logv1.TableEvent{Event: &logv1.TableEvent_TimeExpired{TimeExpired: &logv1.TimeExpired{
				Seat: seat, Due: timestamppb.New(g.now()), Lapse: logv1.Lapse_LAPSE_OPEN_SEAT,
			}}},
			&logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: &logv1.SeatLeft{Seat: seat, ByClock: true}}})
		_, found := g.audit(g.records, ledger.AuditOptions{})
		wrong := slices.ContainsFunc(found, func(f ledger.Finding) bool {
			return f.Severity == ledger.Error &&
				strings.Contains(f.Message, "has LAPSE_OPEN_SEAT follow, the deadlines have LAPSE_FORFEIT")
		})
		if wrong != played {
			t.Errorf("played %v: found %v", played, found)
		}
	}
}

// TestAuditCountsTimeAgain: what the clock did in good order is found to be, and what it is only
// said to have done is not.
func TestAuditCountsTimeAgain(t *testing.T) {
	t.Parallel()
	const notice, open, forfeit, play = logv1.Lapse_LAPSE_NOTICE, logv1.Lapse_LAPSE_OPEN_SEAT,
		logv1.Lapse_LAPSE_FORFEIT, logv1.Lapse_LAPSE_PLAY
	for _, lapse := range []logv1.Lapse{notice, open, forfeit, play} {
		t.Run(lapse.String(), func(t *testing.T) {
			t.Parallel()
			g := timed(t, lapse)
			if _, found := g.audit(g.records, ledger.AuditOptions{}); len(found) > 0 {
				t.Errorf("found %v", found)
			}
		})
	}
	for _, c := range []struct {
		name  string
		lapse logv1.Lapse
		forge func(t *testing.T, log []parts) []parts
		want  string
	}{
		{"too soon", notice, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isTable(isExpiry))
			log[i].header.Time.Seconds -= 30
			return log
		}, "was made before the time of red was up"},
		{"another time", notice, func(t *testing.T, log []parts) []parts {
			return change(t, log, func(x *logv1.TimeExpired) { x.Due.Seconds -= 20 })
		}, "counted again it is not"},
		{"a seat whose time does not run", notice, func(t *testing.T, log []parts) []parts {
			return change(t, log, func(x *logv1.TimeExpired) { x.Seat = "green" })
		}, "says that the time of green was up"},
		{"another lapse", notice, func(t *testing.T, log []parts) []parts {
			return change(t, log, func(x *logv1.TimeExpired) { x.Lapse = forfeit })
		}, "has LAPSE_FORFEIT follow, the deadlines have LAPSE_NOTICE"},
		{"a seat that stays", open, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isTable(isExpiry))
			log[i].leaves = log[i].leaves[:1]
			return log
		}, "does not do to red what its lapse says"},
		{"a seat taken for nothing", open, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isTable(isExpiry))
			log[i].leaves = log[i].leaves[1:]
			return log
		}, "takes a seat for its time, which was not up"},
		{"a game ended for nothing", forfeit, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isTable(isExpiry))
			log[i].leaves = log[i].leaves[1:]
			return log
		}, "takes a seat for its time, which was not up"},
		{"nothing played", play, func(t *testing.T, log []parts) []parts {
			i, _ := find(t, log, isTable(isExpiry))
			log = slices.Delete(log, i+1, i+2)
			for _, after := range log[i+1:] {
				after.header.Parent, after.header.Head = 1, 1
			}
			return log
		}, "is no command of red, which the server was to play for"},
		{"no deadlines", notice, func(t *testing.T, log []parts) []parts {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated), func(c *logv1.GameCreated) { c.Deadlines = nil })
			return log
		}, "in a game without deadlines"},
		{"deadlines that nobody agreed to", notice, func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isTable(isExpiry))
			recode(t, &log[i].leaves[j], new(logv1.TableEvent), func(e *logv1.TableEvent) {
				e.Event = &logv1.TableEvent_DeadlinesChanged{DeadlinesChanged: &logv1.DeadlinesChanged{}}
			})
			return log
		}, "changes the deadlines to some that not all have agreed to"},
		{"an answer to nothing", notice, func(t *testing.T, log []parts) []parts {
			i, j := find(t, log, isTable(isExpiry))
			recode(t, &log[i].leaves[j], new(logv1.TableEvent), func(e *logv1.TableEvent) {
				e.Event = &logv1.TableEvent_DeadlinesAnswered{
					DeadlinesAnswered: &logv1.DeadlinesAnswered{Seat: "red", Proposed: 2, Agree: true},
				}
			})
			return log
		}, "answers proposal 2, which does not wait for an answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := timed(t, c.lapse)
			forged := g.forge(func(log []parts) []parts { return renumbered(c.forge(t, log)) })
			_, found := g.audit(forged, ledger.AuditOptions{})
			for _, f := range found {
				if f.Check == ledger.CheckClock && f.Severity == ledger.Error && strings.Contains(f.Message, c.want) {
					return
				}
			}
			t.Errorf("expected an error with %q, found %v", c.want, found)
		})
	}
}

// TestNoTimeIsCountedInTheDark: once positions or the links that seats owe are unknown, nobody can tell for whom the
// game waits. From there on an audit checks no clock. Before that it does.
func TestNoTimeIsCountedInTheDark(t *testing.T) {
	t.Parallel()
	expired := &logv1.TableEvent{Event: &logv1.TableEvent_TimeExpired{TimeExpired: &logv1.TimeExpired{
		Seat: "red", Due: timestamppb.New(epoch), Lapse: logv1.Lapse_LAPSE_NOTICE,
	}}}
	terms := deadline.Normal(&logv1.Deadlines{
		Allowance: durationpb.New(time.Minute), Lapse: logv1.Lapse_LAPSE_NOTICE,
	})
	for _, c := range []struct {
		name   string
		mutual bool
		// ruin makes positions or links unknown before the time of red is said to be up; nil for neither.
		ruin func(t *testing.T, log []parts)
		want []ledger.Check
	}{
		{"positions are known", false, nil, []ledger.Check{ledger.CheckClock}},
		{"no position", false, func(t *testing.T, log []parts) {
			i, j := find(t, log, isEvent(func(e *toyv1.Event) bool { return e.GetPlanMade() != nil }))
			recode(t, &log[i].leaves[j], new(toyv1.Event), func(e *toyv1.Event) { e.GetPlanMade().Hex = "nowhere" })
		}, []ledger.Check{ledger.CheckAdjudication, ledger.CheckFold}},
		{"no position from the first record on", false, func(t *testing.T, log []parts) {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated), func(c *logv1.GameCreated) { c.Ruleset = "unknown" })
		}, nil},
		{"links are known", true, nil, []ledger.Check{ledger.CheckClock}},
		{"no links", true, func(t *testing.T, log []parts) {
			i, j := find(t, log, isTable(func(e *logv1.TableEvent) bool { return e.GetDiceAnswered() != nil }))
			recode(t, &log[i].leaves[j], new(logv1.TableEvent),
				func(e *logv1.TableEvent) { e.GetDiceAnswered().Link[0]++ })
		}, []ledger.Check{ledger.CheckDice}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var g *table
			if c.mutual {
				dice := newThrowing(t, 64, nil)
				dice.sitWith("red")
				dice.sitWith("blue")
				for dice.asks == 0 && dice.command(inOrder) {
				}
				g = dice.table
			} else {
				g = newTable(t, committed)
				g.begin()
				g.sit("red", "")
				g.sit("blue", "")
				g.play(2) // the plans
			}
			g.tableRecord(expired)
			forged := g.forge(func(log []parts) []parts {
				recode(t, &log[0].leaves[0], new(logv1.GameCreated), func(c *logv1.GameCreated) { c.Deadlines = terms })
				if c.ruin != nil {
					c.ruin(t, log)
				}
				return log
			})
			var got []ledger.Check
			_, found := g.audit(forged, ledger.AuditOptions{})
			for _, f := range found {
				got = append(got, f.Check)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\nfound %v", diff, found)
			}
		})
	}
}

// renumbered has the records of a log follow each other.
func renumbered(log []parts) []parts {
	for i := range log {
		log[i].header.Version = uint64(i + 1)
	}
	return log
}
