package ledger_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// forkOf makes a fork of the line to a version of a game, as the service does.
func forkOf(t *table, version uint64) *table {
	t.tb.Helper()
	origin := t.opened()
	line := t.tree.LineTo(version)
	f := newTable(t.tb, t.kind)
	f.game, f.named = "g-8", "f" // the copies keep the ids of their commands
	f.salts = ledger.NewSalter(f.salt, f.game)
	created, hash := f.created(), origin[version-1].Hash()
	created.Title = "What if"
	created.ForkedFrom = &logv1.ForkedFrom{
		Game: t.game, Version: version, Hash: hash[:], Records: uint64(len(line)),
	}
	for _, v := range line {
		leaves, err := ledger.Forked(created, origin[v-1])
		t.must(err)
		from := origin[v-1].Header()
		h := f.tree.Next(from.Kind)
		h.Seat, h.CommandId, h.Revealed, h.Aside = from.Seat, from.CommandId, from.Revealed, from.Aside
		f.store(h, leaves)
	}
	f.after[f.tree.Head()] = t.after[version]
	return f
}

// compared audits the records of a fork beside those of its origin.
func compared(tb testing.TB, fork, origin [][]byte) (same uint64, found string) {
	tb.Helper()
	var all []string
	same, err := ledger.AuditFork(tb.Context(), source(fork), source(origin),
		func(f ledger.Finding) { all = append(all, f.String()) })
	if err != nil {
		tb.Fatal(err)
	}
	return same, strings.Join(all, "\n")
}

// TestAForkIsComparedWhateverItsSourceDoes: a source may use its memory again for the next record.
func TestAForkIsComparedWhateverItsSourceDoes(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	line := game.tree.Line()
	f := forkOf(game, line[4])
	again := func() iterSeq {
		return func(yield func([]byte, error) bool) {
			var memory []byte
			for _, r := range f.records {
				for i := range memory {
					memory[i] = 0xff
				}
				memory = append(memory[:0], r...)
				if !yield(memory, nil) {
					return
				}
			}
		}
	}
	same, err := ledger.AuditFork(t.Context(), again, source(game.records), func(f ledger.Finding) { t.Error(f) })
	if err != nil || same != 5 {
		t.Errorf("%d records are the same, %v", same, err)
	}
}

// TestAForkIsSound: a fork of a line passes an audit of its own and beside its origin, whether the line has one record,
// lies behind undos or reaches the end, and whatever is played or taken back after the fork.
func TestAForkIsSound(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	line := game.tree.Line()
	for _, n := range []int{1, 5, len(line)} {
		f := forkOf(game, line[n-1])
		f.sit("red", "")
		f.sit("blue", "")
		if f.play(2) == 2 {
			f.move(f.tree.UndoTarget())
			f.move(f.tree.UndoTarget()) // as far as the fork
		}
		if same, found := compared(t, f.records, game.records); same != uint64(n) || found != "" {
			t.Errorf("%d of %d copies are the same, found %q", same, n, found)
		}
		if sum, found := f.audit(f.records, ledger.AuditOptions{}); sum.Errors > 0 {
			t.Errorf("a fork of %d records: %v", n, found)
		}
	}
}

// TestAuditHoldsAForkAgainstItsOrigin changes copies, or what the fork tells about its origin, and makes
// all hashes fit.
func TestAuditHoldsAForkAgainstItsOrigin(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	line := game.tree.Line()
	const at = 4 // the copy of a command, by index
	created := func(change func(*logv1.GameCreated)) func(*testing.T, []parts) []parts {
		return func(t *testing.T, log []parts) []parts {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated), change)
			return log
		}
	}
	from := func(change func(*logv1.ForkedFrom)) func(*testing.T, []parts) []parts {
		return created(func(c *logv1.GameCreated) { change(c.ForkedFrom) })
	}
	header := func(change func(*logv1.RecordHeader)) func(*testing.T, []parts) []parts {
		return func(_ *testing.T, log []parts) []parts { change(log[at].header); return log }
	}
	const other, named = "seat, command id or kind are others", "as its origin"
	for _, c := range []struct {
		name  string
		forge func(t *testing.T, log []parts) []parts
		same  uint64
		want  string // empty if it is the fork's own affair
	}{
		{"a copy of another seat", header(func(h *logv1.RecordHeader) { h.Seat += "x" }), 7, other},
		{"a copy with another command id", header(func(h *logv1.RecordHeader) { h.CommandId += "x" }), 7, other},
		{"a copy that reveals", header(func(h *logv1.RecordHeader) { h.Revealed = !h.Revealed }), 7, other},
		{"a copy that is an aside", header(func(h *logv1.RecordHeader) { h.Aside = true }), 7, other},
		{"a copy without its last leaf", func(_ *testing.T, log []parts) []parts {
			log[at].leaves = log[at].leaves[:len(log[at].leaves)-1]
			return log
		}, 7, "it has "},
		{"a copy whose leaf others may see", func(_ *testing.T, log []parts) []parts {
			log[at].leaves[1].Audience = rules.OnlySeats(1)
			return log
		}, 7, "leaf 1 is of another kind or audience"},
		{"a copy with another event", func(_ *testing.T, log []parts) []parts {
			log[at].leaves[1].Data = append([]byte{0x7a, 0}, log[at].leaves[1].Data...)
			return log
		}, 7, "leaf 1 is another"},
		{"a copy of another type", func(_ *testing.T, log []parts) []parts {
			log[at].leaves[1].Type += "x"
			return log
		}, 7, "leaf 1 is another"},
		{"a copy of another schema", func(_ *testing.T, log []parts) []parts {
			log[at].leaves[1].Schema++
			return log
		}, 7, "leaf 1 is another"},
		{"the first copy with another roll", func(t *testing.T, log []parts) []parts {
			recode(t, &log[0].leaves[1], new(logv1.Roll), func(r *logv1.Roll) { r.Reason += "x" })
			return log
		}, 7, "leaf 1 is another"},
		{"another scenario", created(func(c *logv1.GameCreated) { c.Scenario += "x" }), 7, "a game of something else"},
		{"other options", created(func(c *logv1.GameCreated) { c.Options["length"] = "x" }), 7,
			"a game of something else"},
		{"another title and other commitments", created(func(c *logv1.GameCreated) {
			c.Title, c.DiceCommitment[0] = "Again", c.DiceCommitment[0]^1
		}), 8, ""},
		{"another hash of the origin", from(func(f *logv1.ForkedFrom) { f.Hash[0] ^= 1 }), 8, "names hash"},
		{"another game as its origin", from(func(f *logv1.ForkedFrom) { f.Game = "g-9" }), 0, named},
		{"a line of another length", from(func(f *logv1.ForkedFrom) { f.Records-- }), 0, named},
		{"an older version", from(func(f *logv1.ForkedFrom) { f.Version = line[6] }), 0, named},
		{"an unknown version", from(func(f *logv1.ForkedFrom) { f.Version = 9999 }), 0, named},
		{"fewer records than were copied", func(_ *testing.T, log []parts) []parts { return log[:len(log)-1] }, 0,
			named},
		{"no origin", created(func(c *logv1.GameCreated) { c.ForkedFrom = nil }), 0, named},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			mine := *game
			mine.tb = t
			fork := forkOf(&mine, line[7])
			same, found := compared(t, fork.forge(func(log []parts) []parts { return c.forge(t, log) }), game.records)
			if same != c.same || !strings.Contains(found, c.want) || (c.want == "") != (found == "") ||
				strings.Contains(found, "\n") {
				t.Errorf("%d are the same, found %q, want %d and %q", same, found, c.same, c.want)
			}
		})
	}
}

// TestAForkSaysWhatItCopies: the first record of a fork names an origin that can be, the copies are commands, and no
// undo goes back behind the fork unless it is a private line.
func TestAForkSaysWhatItCopies(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	version := game.tree.Line()[5]
	for _, c := range []struct {
		name   string
		change func(*logv1.ForkedFrom)
		// private is true if one player takes all seats.
		private bool
		undo    bool // behind the fork
		want    string
	}{
		{"as it was made", func(*logv1.ForkedFrom) {}, false, false, ""},
		{"no records", func(f *logv1.ForkedFrom) { f.Records = 0 }, false, false,
			"record 1 is of a fork whose origin cannot be"},
		{"fewer versions than records", func(f *logv1.ForkedFrom) { f.Version = f.Records - 1 }, false, false,
			"record 1 is of a fork whose origin cannot be"},
		{"as many versions as records", func(f *logv1.ForkedFrom) { f.Version = f.Records }, false, false, ""},
		{"the fork itself", func(f *logv1.ForkedFrom) { f.Game = "g-8" }, false, false,
			"record 1 is of a fork whose origin cannot be"},
		{"half a hash", func(f *logv1.ForkedFrom) { f.Hash = f.Hash[:16] }, false, false,
			"record 1 is of a fork whose origin cannot be"},
		{"more copies than commands", func(f *logv1.ForkedFrom) { f.Records++; f.Version++ }, false, false,
			"record 7 is a RECORD_KIND_TABLE among the 7 records that are copies"},
		{"an undo behind the fork", func(*logv1.ForkedFrom) {}, false, true,
			"moves the head back to 5, before the fork at 6"},
		{"an undo behind the fork of a private line", func(f *logv1.ForkedFrom) { f.Private = true }, true, true, ""},
		{"a private line that another plays", func(f *logv1.ForkedFrom) { f.Private = true }, false, true,
			"record 7 does not give all seats to the one player for whom the line was made"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			mine := *game
			mine.tb = t
			fork := forkOf(&mine, version)
			if !c.private {
				fork.sit("red", "")
			} else {
				fork.tableRecord(
					&logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: &logv1.SeatTaken{Seat: "red"}}},
					&logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: &logv1.SeatTaken{Seat: "blue"}}})
			}
			if c.undo {
				fork.move(fork.tree.UndoTarget())
			}
			records := fork.forge(func(log []parts) []parts {
				recode(t, &log[0].leaves[0], new(logv1.GameCreated),
					func(g *logv1.GameCreated) { c.change(g.ForkedFrom) })
				return log
			})
			sum, found := fork.audit(records, ledger.AuditOptions{})
			var all strings.Builder
			for _, f := range found {
				all.WriteString(f.String() + "\n")
			}
			if !strings.Contains(all.String(), c.want) || (c.want == "") != (sum.Errors == 0) {
				t.Errorf("found %q, want %q", all.String(), c.want)
			}
		})
	}
}

// TestAPrivateLineTakesAllSeats: one player without a name takes all seats at once. With a seat left, others could sit
// down, and their consent would be needed.
func TestAPrivateLineTakesAllSeats(t *testing.T) {
	t.Parallel()
	game := whole(t, committed)
	for _, c := range []struct {
		seats []string
		whose string
		want  bool // it is found
	}{
		{[]string{"red", "blue"}, "", false}, {[]string{"red"}, "", true}, {[]string{"blue"}, "", true},
		{[]string{"red", "blue"}, "Ann", true},
	} {
		mine := *game
		fork := forkOf(&mine, game.tree.Line()[5])
		var events []*logv1.TableEvent
		for _, seat := range c.seats {
			taken := &logv1.SeatTaken{Seat: seat, Holder: c.whose}
			events = append(events, &logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: taken}})
		}
		fork.tableRecord(events...)
		records := fork.forge(func(log []parts) []parts {
			recode(t, &log[0].leaves[0], new(logv1.GameCreated),
				func(g *logv1.GameCreated) { g.ForkedFrom.Private = true })
			return log
		})
		_, found := fork.audit(records, ledger.AuditOptions{})
		got := slices.ContainsFunc(found, func(f ledger.Finding) bool {
			return f.Message == "does not give all seats to the one player for whom the line was made"
		})
		if got != c.want {
			t.Errorf("%q sits down at %v: found %v", c.whose, c.seats, found)
		}
	}
}

// TestAPrivateLineHasNoFloor: only a fork for others keeps what came before it from being taken back.
func TestAPrivateLineHasNoFloor(t *testing.T) {
	t.Parallel()
	fork := &logv1.GameCreated{ForkedFrom: &logv1.ForkedFrom{Records: 6}}
	private := proto.CloneOf(fork)
	private.ForkedFrom.Private = true
	for want, c := range map[uint64][]*logv1.GameCreated{6: {fork}, 0: {private, {}}} {
		for _, created := range c {
			if got := ledger.ForkFloor(created); got != want {
				t.Errorf("%v: the floor is %d, want %d", created, got, want)
			}
		}
	}
}
