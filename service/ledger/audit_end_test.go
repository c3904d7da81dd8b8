package ledger_test

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/ledger"
)

func closed() *logv1.TableEvent {
	return &logv1.TableEvent{Event: &logv1.TableEvent_GameClosed{GameClosed: &logv1.GameClosed{}}}
}

func gone(seat string, goesOn bool) *logv1.TableEvent {
	return &logv1.TableEvent{Event: &logv1.TableEvent_Resigned{Resigned: &logv1.Resigned{Seat: seat, GoesOn: goesOn}}}
}

// TestAuditOfEnds: anybody who had the file of a finished game could cut it off where they were winning and put its
// secrets there, or let a game go on that somebody had ended, or play one that nobody had sat down to. No server makes
// such a log, and an audit finds the error.
func TestAuditOfEnds(t *testing.T) {
	t.Parallel()
	seated := func(g *table) { g.sit("red", ""); g.sit("blue", "") }
	for _, c := range []struct {
		name string
		play func(g *table)
		want string // the only finding; empty for none
	}{
		{"by the rules", func(g *table) { seated(g); g.play(1000); g.giveAway() }, ""},
		{"by the owner", func(g *table) { seated(g); g.play(3); g.tableRecord(closed()); g.giveAway() }, ""},
		{"by a player", func(g *table) {
			seated(g)
			g.play(3)
			consenting{g}.by("red", gone("red", false))
			g.giveAway()
		}, ""},
		{"a seat is given up and the game goes on", func(g *table) {
			seated(g)
			g.play(2)
			consenting{g}.by("blue", gone("blue", true))
			g.sit("blue", "")
			g.play(1000)
			g.giveAway()
		}, ""},
		{"cut off", func(g *table) { seated(g); g.play(7); g.giveAway() },
			"error: chain: record 11 releases the secrets of a game that neither its rules nor its players nor its " +
				"owner had ended"},
		{"after a seat was given up", func(g *table) {
			seated(g)
			g.play(2)
			consenting{g}.by("blue", gone("blue", true))
			g.giveAway()
		}, "error: chain: record 7 releases the secrets of a game that neither its rules nor its players nor its " +
			"owner had ended"},
		{"goes on after a player has ended it", func(g *table) {
			seated(g)
			g.play(2)
			consenting{g}.by("blue", gone("blue", false))
			g.play(1000)
			g.giveAway()
		}, "error: chain: record 7 goes on with the game, which record 6 ended"},
		{"goes on after the owner has ended it", func(g *table) {
			seated(g)
			g.play(2)
			g.tableRecord(closed())
			g.play(1000)
			g.giveAway()
		}, "error: chain: record 7 goes on with the game, which record 6 ended"},
		{"given up by another", func(g *table) {
			seated(g)
			g.play(3)
			consenting{g}.by("red", gone("blue", false))
			g.giveAway()
		}, `error: chain: record 7 gives up "blue" but was sent by "red"`},
		{"an unknown seat", func(g *table) { seated(g); g.sit("green", "") },
			`error: consent: record 4 gives away the seat "green", which the game does not have`},
		{"nobody sat down", func(g *table) { g.play(1); g.tableRecord(closed()); g.giveAway() },
			`error: consent: record 2 is by "red", which nobody holds`},
		{"more holidays than agreed", func(g *table) {
			seated(g)
			consenting{g}.by("red", &logv1.TableEvent{Event: &logv1.TableEvent_HolidayTaken{
				HolidayTaken: &logv1.HolidayTaken{Seat: "red", Days: 3,
					Until: timestamppb.New(epoch.Add(72 * time.Hour))}}})
		}, "error: clock: record 4 has red take more days off than the deadlines allow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newTable(t, committed)
			if strings.Contains(c.name, "holidays") {
				g.deadlines = &logv1.Deadlines{Allowance: durationpb.New(time.Hour), HolidayDays: 2,
					Lapse: logv1.Lapse_LAPSE_NOTICE}
			}
			g.begin()
			c.play(g)
			var got []string
			_, found := g.audit(g.records, ledger.AuditOptions{})
			for _, f := range found {
				got = append(got, f.String())
			}
			if all := strings.Join(got, "\n"); all != c.want {
				t.Errorf("found\n%s\nwant\n%s", all, c.want)
			}
		})
	}
}
