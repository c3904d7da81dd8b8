package ledger_test

import (
	"slices"
	"strings"
	"testing"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// says plays a command of a seat as an aside, which may repeat one that an undo took back, and returns its version.
func (t consenting) says(seat rules.Seat, text string, carries uint64) uint64 {
	t.tb.Helper()
	g := t.after[t.tree.Head()]
	c, err := g.ParseCommand(text)
	t.must(err)
	next, out, err := g.Play(seat, c, t.dice())
	t.must(err)
	leaves, err := ledger.FromOutcome(t.set.About(), g.EncodeCommand(c), g.CommandAudience(seat, c), out)
	t.must(err)
	h := t.tree.Next(logv1.RecordKind_RECORD_KIND_COMMAND)
	h.Seat, h.Aside, h.Carries = t.set.About().SeatID(seat), true, carries
	t.store(h, leaves)
	t.after[h.Version] = next
	return h.Version
}

// TestAsidesAreSaidAgainAfterAnUndo: an undo takes the offers of other seats back too. They are made again right after
// it, in their order and as they were. What is missing is a notice, what should not be there an error.
func TestAsidesAreSaidAgainAfterAnUndo(t *testing.T) {
	t.Parallel()
	const (
		missing = "notice: consent: record N takes back aside N of blue, which is not repeated"
		untaken = "error: consent: record N repeats aside N, which no undo before it took back"
		another = "error: consent: record N repeats aside N with other contents, or for another seat"
	)
	changed := func(t *table, change func(p *parts)) func([]parts) []parts {
		return func(log []parts) []parts { change(&log[len(log)-1]); return log }
	}
	for _, c := range []struct {
		name string
		say  func(t consenting, seat rules.Seat, aside uint64)
		// forge changes the last record.
		forge func(p *parts)
		want  []string
	}{
		{"made again", func(t consenting, seat rules.Seat, v uint64) { t.says(seat, "draw", v) }, nil, nil},
		{"not made again, and nothing after it", func(consenting, rules.Seat, uint64) {}, nil, []string{missing}},
		{"not made again", func(t consenting, _ rules.Seat, _ uint64) { t.play(1) }, nil, []string{missing}},
		{"made again too late",
			func(t consenting, seat rules.Seat, v uint64) { t.play(1); t.says(seat, "draw", v) }, nil,
			[]string{missing, untaken}},
		{"another made again", func(t consenting, seat rules.Seat, v uint64) { t.says(seat, "draw", v-1) }, nil,
			[]string{missing, untaken}},
		{"made again by another seat", func(t consenting, seat rules.Seat, v uint64) { t.says(seat, "draw", v) },
			func(p *parts) { p.header.Seat = "red" },
			[]string{another}},
		{"made again as another offer", func(t consenting, seat rules.Seat, v uint64) { t.says(seat, "draw", v) },
			func(p *parts) {
				p.leaves[0].Data = append([]byte{0xfa, 0x7f, 1, 7}, p.leaves[0].Data...)
			}, []string{another}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := consenting{newTable(t, committed)}
			g.begin()
			g.sits("red", "Ann")
			g.sits("blue", "Ann") // so that no undo needs consent
			for g.tree.Depth(g.tree.Head()) < 2 || g.after[g.tree.Head()].Waiting().Has(1) {
				if g.play(1) == 0 {
					t.Fatal("blue is always asked")
				}
			}
			aside := g.says(1, "draw", 0)
			g.move(g.tree.Parent(g.tree.Parent(aside)))
			c.say(g, 1, aside)
			records := g.records
			if c.forge != nil {
				records = g.forge(changed(g.table, c.forge))
			}
			_, found := g.audit(records, ledger.AuditOptions{})
			var all []string
			for _, f := range found {
				if f.Check == ledger.CheckConsent {
					all = append(all, numbers.ReplaceAllString(f.String(), "N"))
				}
			}
			ok := len(all) == len(c.want)
			for i := range c.want {
				ok = ok && strings.HasPrefix(all[i], c.want[i])
			}
			if !ok {
				t.Errorf("found %q, want %q", all, c.want)
			}
		})
	}
}

// TestHiddenAsidesAreNotCompared: a viewer who sees an aside in one of two places only cannot tell whether it was
// repeated as it was, and an audit of the viewer's file does not guess.
func TestHiddenAsidesAreNotCompared(t *testing.T) {
	t.Parallel()
	for _, hidden := range []string{"the aside", "its repetition", "both"} {
		g := consenting{newTable(t, committed)}
		g.begin()
		g.sits("red", "Ann")
		g.sits("blue", "Ann")
		for g.tree.Depth(g.tree.Head()) < 2 || g.after[g.tree.Head()].Waiting().Has(1) {
			if g.play(1) == 0 {
				t.Fatal("blue is always asked")
			}
		}
		aside := g.says(1, "draw", 0)
		g.move(g.tree.Parent(g.tree.Parent(aside)))
		again := g.says(1, "draw", aside)
		forged := g.forge(func(log []parts) []parts {
			if hidden != "its repetition" {
				log[aside-1].leaves[0].Audience = rules.OnlySeats(1)
			}
			if hidden != "the aside" {
				log[again-1].leaves[0].Audience = rules.OnlySeats(1)
			}
			return log
		})
		for i, data := range forged {
			r, err := ledger.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			forged[i] = r.Redact(rules.SeatViewer(0)).Data()
		}
		_, found := g.audit(forged, ledger.AuditOptions{})
		for _, f := range found {
			if f.Check == ledger.CheckConsent {
				t.Errorf("%s is hidden: found %v", hidden, f)
			}
		}
	}
}

// TestWhatIsNoAside: an aside is an offer or an order of a seat that the game does not wait for, and throws no dice. A
// record that only calls itself one could be passed over by an undo that nobody agreed to, and is an error.
func TestWhatIsNoAside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		waits   bool // the game waits for the seat
		command string
		forge   func(t *testing.T, log []parts)
		want    bool // it is found
	}{
		{"an offer", false, "draw", nil, false},
		{"an offer of a seat that the game waits for", true, "draw", nil, true},
		{"an offer with dice", false, "draw", func(t *testing.T, log []parts) {
			i, j := find(t, log, isRoll)
			last := &log[len(log)-1]
			last.leaves = append(last.leaves, log[i].leaves[j])
		}, true},
		{"an offer of an unknown seat", false, "draw",
			func(_ *testing.T, log []parts) { log[len(log)-1].header.Seat = "green" }, true},
		{"no offer", false, "draw", func(t *testing.T, log []parts) {
			recode(t, &log[len(log)-1].leaves[0], new(toyv1.Command),
				func(c *toyv1.Command) { c.Command = &toyv1.Command_Lose{Lose: &toyv1.Lose{}} })
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := consenting{newTable(t, manual)}
			g.begin()
			g.sits("red", "Ann")
			g.sits("blue", "Bob")
			for g.after[g.tree.Head()].Waiting().Has(1) != c.waits || g.after[g.tree.Head()].Turn() == 0 {
				if g.play(1) == 0 {
					t.Fatal("blue is always asked, or never")
				}
			}
			g.says(1, c.command, 0)
			forged := g.forge(func(log []parts) []parts {
				if c.forge != nil {
					c.forge(t, log)
				}
				return log
			})
			_, found := g.audit(forged, ledger.AuditOptions{})
			got := slices.ContainsFunc(found, func(f ledger.Finding) bool {
				return f.Check == ledger.CheckConsent && f.Severity == ledger.Error && f.Version == g.tree.Version() &&
					f.Message == "is not an aside, as it claims: undoing what came before it needed consent"
			})
			if got != c.want || !c.want && len(found) > 0 {
				t.Errorf("found %v", found)
			}
		})
	}
}

// TestOnlyAnotherSeatsMovesNeedConsent: a move that throws nothing and reveals nothing may be taken back by its own
// seat alone, and by no other.
func TestOnlyAnotherSeatsMovesNeedConsent(t *testing.T) {
	t.Parallel()
	for seat, want := range map[string]string{
		"red": "", "blue": "notice: consent: record N takes back record N (another seat's) without consent",
	} {
		g := consenting{newTable(t, committed)}
		g.begin()
		g.sits("red", "Ann")
		g.sits("blue", "Bob")
		for plain := false; !plain; {
			if g.play(1) == 0 {
				t.Fatalf("no plain move of %s", seat)
			}
			records := g.opened()
			last := records[len(records)-1]
			plain = last.Header().Seat == seat && !last.Header().Revealed
			for range last.Rolls() {
				plain = false
			}
		}
		g.undoes(true) // by red
		_, found := g.audit(g.records, ledger.AuditOptions{})
		got := ""
		for _, f := range found {
			got += numbers.ReplaceAllString(f.String(), "N")
		}
		if (want == "") != (got == "") || !strings.HasPrefix(got, want) {
			t.Errorf("red takes back a move of %s: found %q, want %q", seat, got, want)
		}
	}
}
