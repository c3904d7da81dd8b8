package ledger_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/ledger"
)

// owing stands for dice that seats must be asked for.
type owing struct{}

func (owing) Roll(uint8, string) (uint8, error) { return 0, errOwing }

var errOwing = fmt.Errorf("owed")

// throwing is a table with mutual dice, and the chains of its seats.
type throwing struct {
	*table
	state ledger.DiceState
	last  map[string]dice.Link
	drawn int
	terms *logv1.MutualDice
	// mute are seats that do not answer, where the game goes on without.
	mute map[string]bool
	// length of new chains.
	length uint32
	asks   int
}

func newThrowing(tb testing.TB, length uint32, terms *logv1.MutualDice) *throwing {
	tb.Helper()
	t := &throwing{table: newTable(tb, logv1.DiceKind_DICE_KIND_MUTUAL), last: map[string]dice.Link{},
		mute: map[string]bool{}, length: length, terms: terms}
	c := t.created()
	commitment := dice.Commitment(t.secret)
	c.DiceCommitment, c.DiceFormat, c.MutualDice = commitment[:], dice.CountedFormat, terms
	t.state = ledger.NewDiceState(c, t.game)
	g, err := ledger.Setup(t.set, c, t.doc)
	t.must(err)
	src, err := t.state.Source(t.secret)
	t.must(err)
	out, err := g.Start(src)
	t.must(err)
	leaves, err := ledger.Created(t.set.About(), c, out)
	t.must(err)
	h := t.tree.Next(logv1.RecordKind_RECORD_KIND_CREATED)
	h.DiceSource = t.state.SourceKind(len(out.Rolls))
	t.put(h, leaves)
	t.after[1] = g
	return t
}

// put stores a record and updates the state.
func (t *throwing) put(h *logv1.RecordHeader, leaves []ledger.Leaf) {
	t.tb.Helper()
	t.store(h, leaves)
	r, err := ledger.Open(t.records[len(t.records)-1])
	t.must(err)
	t.state, err = t.state.Add(r)
	t.must(err)
}

func (t *throwing) tableBy(seat string, events ...*logv1.TableEvent) {
	t.tb.Helper()
	leaves, err := ledger.Table(events...)
	t.must(err)
	h := t.tree.Next(logv1.RecordKind_RECORD_KIND_TABLE)
	h.Seat = seat
	t.put(h, leaves)
}

// draw makes a seat's next chain.
func (t *throwing) draw(seat string) *logv1.HashChain {
	t.drawn++
	t.last[seat] = sha256.Sum256(fmt.Append(nil, seat, t.drawn))
	anchor := t.last[seat].Back(t.length, t.game, seat)
	return &logv1.HashChain{Anchor: anchor[:], Length: t.length}
}

func (t *throwing) sitWith(seat string) {
	t.tb.Helper()
	t.tableBy("", &logv1.TableEvent{
		Event: &logv1.TableEvent_SeatTaken{SeatTaken: &logv1.SeatTaken{Seat: seat, Holder: "H", Chain: t.draw(seat)}},
	})
}

func (t *throwing) leaves(seat string) {
	t.tb.Helper()
	t.tableBy(seat, &logv1.TableEvent{Event: &logv1.TableEvent_SeatLeft{SeatLeft: &logv1.SeatLeft{Seat: seat}}})
}

func (t *throwing) renews(seat string) {
	t.tb.Helper()
	t.tableBy(seat, &logv1.TableEvent{
		Event: &logv1.TableEvent_ChainRenewed{ChainRenewed: &logv1.ChainRenewed{Seat: seat, Chain: t.draw(seat)}},
	})
}

// answer reveals the link that a seat owes.
func (t *throwing) answer(o *logv1.OwedLink) {
	t.tb.Helper()
	a := &logv1.DiceAnswered{Seat: o.Seat, Asked: t.state.Asked().Version}
	chain, _ := t.state.Chain(o.Seat)
	link := t.last[o.Seat].Back(chain.Length-o.Link, t.game, o.Seat)
	a.Link = link[:]
	if o.Link == chain.Length {
		a.Chain = t.draw(o.Seat)
	}
	t.tableBy(o.Seat, &logv1.TableEvent{Event: &logv1.TableEvent_DiceAnswered{DiceAnswered: a}})
}

// command makes a command, and asks for its dice if seats owe any; order says who answers when.
func (t *throwing) command(order func([]*logv1.OwedLink) []*logv1.OwedLink) bool {
	t.tb.Helper()
	g := t.after[t.tree.Head()]
	seat, c, ok := t.choose(g)
	if !ok {
		return false
	}
	about := t.set.About()
	message, audience, id := g.EncodeCommand(c), g.CommandAudience(seat, c), fmt.Sprintf("command-%d", len(t.records))
	src, err := t.state.Source(t.secret)
	t.must(err)
	var from dice.Source = src
	if t.state.Owe() != nil {
		from = owing{}
	}
	next, out, err := g.Play(seat, c, from)
	asked := uint64(0)
	if err != nil {
		t.asks++
		leaves, err := ledger.Ask(about, message, audience, &logv1.DiceAsked{CommandId: id, Owed: t.state.Owe()})
		t.must(err)
		h := t.tree.Next(logv1.RecordKind_RECORD_KIND_ASK)
		h.Seat = about.SeatID(seat)
		t.put(h, leaves)
		asked = h.Version
		for _, o := range order(t.state.Asked().Owed) {
			if !t.mute[o.Seat] {
				t.answer(o)
			}
		}
		if a := t.state.Asked(); !a.Ready() {
			t.late += int64(t.terms.AnswerTime.AsDuration().Seconds())
			t.tableBy("", &logv1.TableEvent{Event: &logv1.TableEvent_DiceGoneOn{
				DiceGoneOn: &logv1.DiceGoneOn{Asked: a.Version, Missing: a.Missing()},
			}})
		}
		if src, err = t.state.Source(t.secret); err == nil {
			next, out, err = g.Play(seat, c, src)
		}
		t.must(err)
	}
	leaves, err := ledger.FromOutcome(about, message, audience, out)
	t.must(err)
	h := t.tree.Next(logv1.RecordKind_RECORD_KIND_COMMAND)
	h.Seat, h.CommandId, h.Revealed, h.Asked, h.DiceSource = about.SeatID(seat), id, out.Revealed, asked,
		t.state.SourceKind(len(out.Rolls))
	t.put(h, leaves)
	t.after[h.Version] = next
	return true
}

func inOrder(o []*logv1.OwedLink) []*logv1.OwedLink { return o }

func backwards(o []*logv1.OwedLink) []*logv1.OwedLink {
	o = slices.Clone(o)
	slices.Reverse(o)
	return o
}

func (t *throwing) end() {
	t.tb.Helper()
	if g := t.after[t.tree.Head()]; g == nil || g.Ending() == nil {
		t.tableBy("", &logv1.TableEvent{Event: &logv1.TableEvent_GameClosed{GameClosed: &logv1.GameClosed{}}})
	}
	t.tableBy("", &logv1.TableEvent{Event: &logv1.TableEvent_SecretsReleased{
		SecretsReleased: &logv1.SecretsReleased{DiceSecret: t.secret[:], SaltSecret: t.salt[:]},
	}})
}

var goesOn = &logv1.MutualDice{OnSilence: logv1.Silence_SILENCE_GO_ON, AnswerTime: durationpb.New(60e9)}

// follow updates the state with a record that the table stored.
func (t *throwing) follow() {
	t.tb.Helper()
	r, err := ledger.Open(t.records[len(t.records)-1])
	t.must(err)
	t.state, err = t.state.Add(r)
	t.must(err)
}

// shifted shifts the versions of the records after one, and all references to them.
func shifted(log []parts, behind uint64, by int) []parts {
	shift := func(v *uint64) {
		if *v > behind {
			*v = uint64(int(*v) + by)
		}
	}
	for _, p := range log {
		for _, v := range []*uint64{&p.header.Version, &p.header.Parent, &p.header.Head, &p.header.Asked} {
			shift(v)
		}
		for i := range p.leaves {
			l := &p.leaves[i]
			e, moved := new(logv1.TableEvent), new(logv1.HeadMoved)
			switch {
			case l.Is(e) && l.Decode(e) == nil && (e.GetDiceAnswered() != nil || e.GetDiceGoneOn() != nil):
				if a := e.GetDiceAnswered(); a != nil {
					shift(&a.Asked)
				} else {
					shift(&e.GetDiceGoneOn().Asked)
				}
				*l = remade(l, e)
			case l.Is(moved) && l.Decode(moved) == nil:
				shift(&moved.From)
				shift(&moved.To)
				*l = remade(l, moved)
			}
		}
	}
	return log
}

func remade(l *ledger.Leaf, m proto.Message) ledger.Leaf {
	made, err := ledger.NewLeaf(l.Kind, l.Audience, l.Schema, m)
	if err != nil {
		panic(err)
	}
	return made
}
