package ledger_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/ledger"
)

// trio is a ruleset with one more seat, of an onlooker who is never on turn.
type trio struct{ rules.Ruleset }

func (r trio) About() *rules.About {
	about := *r.Ruleset.About()
	about.Seats = append(slices.Clone(about.Seats), rules.SeatInfo{ID: "green", Key: about.Seats[0].Key})
	return &about
}

// consenting is a game whose seats take things back.
type consenting struct{ *table }

// rolled plays until a command of red throws dice, and returns its version.
func (t consenting) rolled() (version uint64) {
	t.tb.Helper()
	for version == 0 && t.play(1) == 1 {
		records := t.opened()
		last := records[len(records)-1]
		for range last.Rolls() {
			if last.Header().Seat == "red" {
				version = last.Version()
			}
		}
	}
	if version == 0 {
		t.tb.Fatal("the game has no dice")
	}
	return version
}

func (t consenting) by(seat string, events ...*logv1.TableEvent) uint64 {
	t.tb.Helper()
	leaves, err := ledger.Table(events...)
	t.must(err)
	h := t.tree.Next(logv1.RecordKind_RECORD_KIND_TABLE)
	h.Seat = seat
	t.store(h, leaves)
	return h.Version
}

func (t consenting) sits(seat, holder string) {
	t.by("",
		&logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: &logv1.SeatTaken{Seat: seat, Holder: holder}}})
}

// joins has somebody sit down whom the open questions ask too, and quits has somebody leave whom they ask no more.
func (t consenting) joins(seat, holder string) {
	taken := &logv1.SeatTaken{Seat: seat, Holder: holder, JoinsQuestions: true}
	t.by("", &logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: taken}})
}

// comes has somebody sit down whom the open questions ask once that player has made a command.
func (t consenting) comes(seat, holder string) {
	taken := &logv1.SeatTaken{Seat: seat, Holder: holder, JoinsQuestions: true, JoinsOncePlayed: true}
	t.by("", &logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: taken}})
}

func (t consenting) quits(seat string, byOwner bool, more ...*logv1.TableEvent) {
	left := &logv1.SeatLeft{Seat: seat, ByOwner: byOwner, QuitsQuestions: true}
	t.by("", append([]*logv1.TableEvent{{Event: &logv1.TableEvent_SeatLeft{SeatLeft: left}}}, more...)...)
}

func (t consenting) leaves(seat string, byOwner bool) {
	t.by("",
		&logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: &logv1.SeatLeft{Seat: seat, ByOwner: byOwner}}})
}

// gives has a computer sit down, and takesBack has it go.
func (t consenting) gives(seat string) {
	taken := &logv1.SeatTaken{Seat: seat, Holder: "Thumb", Computer: "thumb"}
	t.by("", &logv1.TableEvent{Event: &logv1.TableEvent_SeatTaken{SeatTaken: taken}})
}

func (t consenting) takesBack(seat string) {
	left := &logv1.SeatLeft{Seat: seat, TakenBack: true}
	t.by("", &logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: left}})
}

func (t consenting) asks(seat string, needed ...string) uint64 {
	target := t.tree.Parent(t.tree.Head())
	return t.by("red", &logv1.TableEvent{
		Event: &logv1.TableEvent_UndoAsked{UndoAsked: &logv1.UndoAsked{Seat: seat, Target: target, Needed: needed}},
	})
}

func (t consenting) answers(seat string, asked uint64) {
	t.by(seat, &logv1.TableEvent{
		Event: &logv1.TableEvent_UndoAnswered{UndoAnswered: &logv1.UndoAnswered{Seat: seat, Asked: asked, Agree: true}},
	})
}

func (t consenting) offers(seat string, needed ...string) uint64 {
	offered := &logv1.SeatOffered{Seat: seat, Needed: needed}
	return t.by("", &logv1.TableEvent{Event: &logv1.TableEvent_SeatOffered{SeatOffered: offered}})
}

func (t consenting) agrees(seat string, offered uint64) {
	answered := &logv1.SeatAnswered{Seat: seat, Offered: offered, Agree: true}
	t.by(seat, &logv1.TableEvent{Event: &logv1.TableEvent_SeatAnswered{SeatAnswered: answered}})
}

// undoes takes the last command back: alone, or as if all had agreed.
func (t consenting) undoes(alone bool) {
	t.tb.Helper()
	target := t.tree.Parent(t.tree.Head())
	if alone {
		t.move(target)
		return
	}
	leaves, err := ledger.Moved(t.tree.Head(), target)
	t.must(err)
	h := t.tree.NextMove(target)
	h.Game, h.Time, h.Seat = t.game, timestamppb.New(t.now().Add(time.Second)), "red"
	s, err := ledger.Seal(t.prev, h, leaves, t.salts)
	t.must(err)
	t.must(t.tree.Add(h))
	t.prev, t.records = s.Hash, append(t.records, s.Data)
}

var numbers = regexp.MustCompile("[0-9]+")

// playedFor are the cases in which the table plays for blue while nobody holds it, to come to a roll.
var playedFor = map[string]bool{"a seat that nobody holds": true, "the owner puts one out before the roll": true,
	"one left before the roll": true, "one sat down after the roll and left": true}

// TestAuditAsksForEveryConsent: an undo follows from consent only if all who had a say were asked and agreed just
// before it. What no server has ever written is an error. Where the log cannot tell, or an older server asked
// fewer, it is a notice.
func TestAuditAsksForEveryConsent(t *testing.T) {
	t.Parallel()
	both := func(t consenting) { t.sits("red", "Ann"); t.sits("blue", "Bob"); t.rolled() }
	for _, c := range []struct {
		name string
		play func(t consenting)
		// want begins the first finding; empty for none.
		want string
	}{
		{"all agreed", func(t consenting) { both(t); t.answers("blue", t.asks("red", "blue")); t.undoes(false) }, ""},
		{"one player alone",
			func(t consenting) { t.sits("red", "Ann"); t.sits("blue", "Ann"); t.rolled(); t.undoes(true) }, ""},
		{"nobody was asked", func(t consenting) { both(t); t.asks("red"); t.undoes(false) },
			"error: consent: record N asks for consent, but asks nobody"},
		{"only the asker", func(t consenting) { both(t); t.answers("red", t.asks("red", "red")); t.undoes(false) },
			"error: consent: record N has red ask itself for consent"},
		{"a seat that nobody holds", func(t consenting) {
			t.sits("red", "Ann")
			t.sits("blue", "Bob")
			t.play(2)
			t.leaves("blue", false)
			t.rolled()
			t.answers("blue", t.asks("red", "blue"))
			t.undoes(false)
		},
			`error: consent: record N asks "blue" for consent, which nobody holds or was put out of`},
		{"asked by another", func(t consenting) { both(t); t.answers("blue", t.asks("blue", "red")) },
			`error: consent: record N asks for "blue" but was sent by "red"`},
		{"an answer of one who was not asked", func(t consenting) {
			both(t)
			asked := t.asks("red", "blue")
			t.answers("red", asked)
			t.answers("blue", asked)
			t.undoes(false)
		}, `error: consent: record N answers undo M for "red", which does not wait for that answer`},
		{"not right after the last answer", func(t consenting) {
			both(t)
			t.answers("blue", t.asks("red", "blue"))
			t.by("red", &logv1.TableEvent{Event: &logv1.TableEvent_DeadlinesProposed{
				DeadlinesProposed: &logv1.DeadlinesProposed{Needed: []string{"red", "blue"}},
			}})
			t.undoes(false)
		}, "error: consent: record N takes back as if all had agreed, but the record before it is not the last answer"},
		{"a held seat is taken again", func(t consenting) { both(t); t.sits("blue", "Eve") },
			"error: consent: record N gives away the seat blue, which is held"},

		{"a seat that is free becomes free",
			func(t consenting) { both(t); t.leaves("blue", true); t.leaves("blue", false) },
			"error: consent: record N frees the seat blue, which nobody holds"},
		{"a seat that is free quits what was asked", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			t.asks("red", "blue")
			t.quits("blue", false)
			t.undoes(false)
		}, "error: consent: record N frees the seat blue, which nobody holds"},
		{"a person's seat is taken back", func(t consenting) {
			both(t)
			t.takesBack("blue")
		}, "error: consent: record N takes the seat blue back from a person as from a computer"},
		{"a computer's seat is taken back", func(t consenting) {
			t.sits("red", "Ann")
			t.gives("blue")
			t.takesBack("blue")
			t.gives("blue")
		}, ""},
		{"the owner puts one out and takes back alone",
			func(t consenting) { both(t); t.leaves("blue", true); t.undoes(true) },
			"notice: consent: record N takes back record M (dice) without consent: the owner had put the player " +
				"of blue out, who was not asked"},
		{"the owner puts one out before the roll", func(t consenting) {
			t.sits("red", "Ann")
			t.sits("blue", "Bob")
			t.play(2)
			t.leaves("blue", true)
			t.rolled()
			t.undoes(true)
		}, "notice: consent: record N takes back record M (dice) without consent: the owner had put the player " +
			"of blue out, who was not asked"},
		{"who was put out agrees", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			t.answers("blue", t.asks("red", "blue"))
			t.undoes(false)
		}, ""},
		{"the owner takes the seat itself",
			func(t consenting) { both(t); t.leaves("blue", true); t.sits("blue", "Ann"); t.undoes(true) },
			"notice: consent: record N takes back record M (dice) without consent: the owner had put the player of " +
				"blue out before it was taken in record K"},
		{"the owner's friend takes the seat, agrees, and leaves", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			t.sits("blue", "Eve")
			t.leaves("blue", false)
			t.undoes(true)
		}, "notice: consent: record N takes back record M (dice) without consent: the owner had put the player of " +
			"blue out before it was taken in record K"},
		{"the offer of the seat does not ask who was put out", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			t.agrees("red", t.offers("blue", "red"))
			t.sits("blue", "Eve")
			t.answers("blue", t.asks("red", "blue"))
			t.undoes(false)
		}, "notice: consent: record N takes back record M (dice) without consent: the owner had put the player of " +
			"blue out before it was taken in record K"},
		{"who was put out agrees to the offer of the seat", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			offered := t.offers("blue", "red", "blue")
			t.agrees("red", offered)
			t.agrees("blue", offered)
			t.sits("blue", "Eve")
			t.answers("blue", t.asks("red", "blue"))
			t.undoes(false)
		}, ""},
		{"a roll from after the seat was taken anew", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			t.sits("blue", "Ann")
			t.rolled()
			t.undoes(true)
		}, ""},
		{"one left", func(t consenting) { both(t); t.leaves("blue", false); t.undoes(true) },
			"notice: consent: record N takes back record M (dice) without consent: blue " +
				"was held then, and its player " +
				"left in record K without a say"},
		{"one left before the roll", func(t consenting) {
			t.sits("red", "Ann")
			t.sits("blue", "Bob")
			t.play(2)
			t.leaves("blue", false)
			t.rolled()
			t.undoes(true)
		}, ""},
		{"one left, and another sat down and left", func(t consenting) {
			both(t)
			t.leaves("blue", false)
			t.sits("blue", "Eve")
			t.leaves("blue", false)
			t.undoes(true)
		}, "notice: consent: record N takes back record M (dice) without consent: blue was held then, and its player " +
			"left in record K without a say"},
		{"one left, and two sat down and left", func(t consenting) {
			both(t)
			for range 2 {
				t.leaves("blue", false)
				t.sits("blue", "Bob")
			}
			t.leaves("blue", false)
			t.undoes(true)
		}, "notice: consent: record N takes back record M (dice) without consent: blue was held then, and its player " +
			"left in record K without a say"},
		{"one left, and another sat down and agreed", func(t consenting) {
			both(t)
			t.leaves("blue", false)
			t.sits("blue", "Eve")
			t.answers("blue", t.asks("red", "blue"))
			t.undoes(false)
		}, "notice: consent: record N takes back record M (dice) without consent: blue was held then, and its player " +
			"left in record K without a say"},
		{"one left, and another was put out and agreed", func(t consenting) {
			both(t)
			t.leaves("blue", false)
			t.sits("blue", "Eve")
			t.leaves("blue", true)
			t.answers("blue", t.asks("red", "blue"))
			t.undoes(false)
		}, "notice: consent: record N takes back record M (dice) without consent: blue was held then, and its player " +
			"left in record K without a say"},
		{"one sat down after the roll and left", func(t consenting) {
			t.sits("red", "Ann")
			t.sits("blue", "Bob")
			t.play(2)
			t.leaves("blue", false)
			t.rolled()
			t.sits("blue", "Eve")
			t.leaves("blue", false)
			t.undoes(true)
		}, ""},
		{"one sits down while others are asked, and agrees", func(t consenting) {
			both(t)
			asked := t.asks("red", "blue")
			t.joins("green", "Eve")
			t.answers("green", asked)
			t.answers("blue", asked)
			t.undoes(false)
		}, ""},
		{"one sits down while others are asked, and does not agree", func(t consenting) {
			both(t)
			asked := t.asks("red", "blue")
			t.joins("green", "Eve")
			t.answers("blue", asked)
			t.undoes(false)
		}, "error: consent: record N takes back as if all had agreed, but waited for green"},
		{"a newcomer is not asked", func(t consenting) {
			both(t)
			asked := t.asks("red", "blue")
			t.comes("green", "Eve")
			t.answers("blue", asked)
			t.undoes(false)
		}, ""},
		{"a newcomer agrees unasked", func(t consenting) {
			both(t)
			asked := t.asks("red", "blue")
			t.comes("green", "Eve")
			t.answers("green", asked)
		}, `error: consent: record N answers undo M for "green", which does not wait for that answer`},
		{"a newcomer in the seat of one who left", func(t consenting) {
			t.sits("green", "Sue")
			both(t)
			t.leaves("green", false)
			asked := t.asks("red", "blue")
			t.comes("green", "Eve")
			t.answers("blue", asked)
			t.undoes(false)
		}, "notice: consent: record N takes back record M (dice) without consent: green was held then, and its " +
			"player left in record K without a say"},
		{"a newcomer in the seat of one who was put out and is asked", func(t consenting) {
			t.sits("green", "Sue")
			both(t)
			t.leaves("green", true)
			asked := t.asks("red", "blue", "green")
			t.comes("green", "Eve")
			t.answers("blue", asked)
		}, "error: consent: record N answers undo M, which does not wait for an answer"},
		{"one sits down and leaves while others are asked", func(t consenting) {
			both(t)
			asked := t.asks("red", "blue")
			t.joins("green", "Eve")
			t.answers("blue", asked)
			t.quits("green", false)
			t.undoes(false)
		}, ""},
		{"one who sat down as on an older server", func(t consenting) {
			both(t)
			asked := t.asks("red", "blue")
			t.sits("green", "Eve")
			t.answers("blue", asked)
		}, "error: consent: record N answers undo M, which does not wait for an answer"},
		{"one who left as on an older server", func(t consenting) {
			both(t)
			t.sits("green", "Eve")
			asked := t.asks("red", "blue", "green")
			t.leaves("green", false)
			t.answers("blue", asked)
		}, "error: consent: record N answers undo M, which does not wait for an answer"},
		{"one who has played is not asked any more", func(t consenting) {
			both(t)
			t.asks("red", "blue")
			t.quits("red", false)
		}, "error: consent: record N has what was asked go on without red, which had a say"},
		{"one who is put out is not asked any more", func(t consenting) {
			both(t)
			t.sits("green", "Eve")
			t.asks("red", "blue", "green")
			t.quits("green", true)
		}, "error: consent: record N has what was asked go on without green, which had a say"},
		{"one sits down for whoever was put out and is asked", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			asked := t.asks("red", "blue")
			t.joins("blue", "Eve")
			t.answers("blue", asked)
		}, "error: consent: record N answers undo M, which does not wait for an answer"},
		{"one who sat down for a player who was put out leaves", func(t consenting) {
			both(t)
			t.leaves("blue", true)
			t.sits("blue", "Eve")
			t.asks("red", "blue")
			t.quits("blue", false)
			t.undoes(false)
		}, "error: consent: record N takes back as if all had agreed, but waited for nothing that was asked"},
		{"the last to be asked about an offer leaves", func(t consenting) {
			both(t)
			t.leaves("red", false)
			t.sits("green", "Eve")
			offered := t.offers("red", "blue", "green")
			t.agrees("blue", offered)
			t.quits("green", false)
			t.agrees("blue", offered)
		}, `error: consent: record N answers offer M for "blue", which does not wait for that answer`},
		{"one sits down on the seat that is offered", func(t consenting) {
			both(t)
			t.leaves("red", false)
			offered := t.offers("red", "blue")
			t.joins("red", "Ann")
			t.agrees("blue", offered)
		}, `error: consent: record N answers offer M for "blue", which does not wait for that answer`},
		{"others hold seats", func(t consenting) { both(t); t.undoes(true) },
			"notice: consent: record N takes back record M (dice) without consent: in order only if the " +
				"player of red played blue too"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := consenting{newTable(t, logv1.DiceKind_DICE_KIND_COMMITTED)}
			g.set = trio{g.set}
			g.begin()
			c.play(g)
			var got []string
			_, found := g.audit(g.records, ledger.AuditOptions{})
			empty := false
			for _, f := range found {
				line := numbers.ReplaceAllString(f.String(), "#")
				if line == `error: consent: record # is by "blue", which nobody holds` {
					empty = true
					continue
				}
				got = append(got, line)
			}
			if empty != playedFor[c.name] {
				t.Errorf("blue played while nobody held it: found %t", empty)
			}
			want := strings.NewReplacer("record N", "record #", "record M", "record #", "record K", "record #",
				"undo M", "undo #", "offer M", "offer #").Replace(c.want)
			if all := strings.Join(got, "\n"); want == "" && all != "" || !strings.HasPrefix(all, want) {
				t.Errorf("found\n%s\nwant\n%s", all, want)
			}
		})
	}
}
