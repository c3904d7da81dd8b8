package warledger_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// agreedOf is what is kept of blue's consents.
func agreedOf(t *testing.T, blue *partner) []warledger.Consent {
	t.Helper()
	c, err := blue.wallet.Chain(t.Context(), blue.Name(), "blue")
	if err != nil {
		t.Fatal(err)
	}
	return c.Agreed
}

// moved has both play until blue has made a command without dice as the last one; false if the game ends before.
func moved(t *testing.T, red, blue *partner) bool {
	t.Helper()
	for {
		g, err := red.Get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if g.Over {
			return false
		}
		p := red
		if g.WaitingFor[0] == "blue" {
			p = blue
		}
		actions, err := p.ListLegal(t.Context(), warledger.LegalQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if r := throw(t, p, red, blue, actions[0].Command); p == blue && r.Asked == 0 {
			return true
		}
	}
}

// TestHarmlessUndoIsNoConsent: blue takes back a command of its own, without dice. Then the throws before it are taken
// back in blue's name, one command at a time.
func TestHarmlessUndoIsNoConsent(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	red, blue, one, _ := thrownTwice(t, h.addr)
	for !moved(t, red, blue) {
		red, blue, one, _ = thrownTwice(t, h.addr)
	}
	if _, done, err := blue.Undo(t.Context(), 0, false); err != nil || !done {
		t.Fatal(done, err)
	}
	if kept := agreedOf(t, blue); len(kept) != 0 {
		t.Errorf("a consent is kept for an undo that takes back no throw: %v", kept)
	}
	forged := forger(t, h.addr, "blue", blue)
	for g, err := red.Get(t.Context()); g.GetHead() > one.Parent; g, err = red.Get(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		back(t, red.Game, forged, 0)
	}
	asks(t, of(one, red, blue), one.Notation)
	answered(t, red)
	if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrThrowTakenBack) {
		t.Errorf("got %v", err)
	}
}

// TestConsentToTheFuture: a server shows a game that is further on than it is, and could take back later what is thrown
// until then. The client believes the log alone, and sends nothing.
func TestConsentToTheFuture(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, lie := range map[string]func(g *v1.Game){
		"a later version": func(g *v1.Game) { g.Version += 18 },
		"an older one":    func(g *v1.Game) { g.Version-- },
		"another hash":    func(g *v1.Game) { g.LastHash = "00" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &liar{change: func(reply any) {
				if r, ok := reply.(*v1.GetGameResponse); ok {
					lie(r.Game)
				}
			}}
			red, blue := partners(t, h.addr, l.option())
			for throws(t, red, blue) == nil { // a game may end before
				red, blue = partners(t, h.addr, l.option())
			}
			asked, _, err := red.Undo(t.Context(), 0, true)
			if err != nil {
				t.Fatal(err)
			}
			l.lies.Store(true)
			_, _, err = blue.Answer(t.Context(), asked.PendingUndo, true)
			if !errors.Is(err, warledger.ErrLogInconsistent) {
				t.Errorf("agreeing: %v", err)
			}
			if _, _, err := blue.Undo(t.Context(), 0, true); !errors.Is(err, warledger.ErrLogInconsistent) {
				t.Errorf("asking: %v", err)
			}
			l.lies.Store(false)
			if kept := agreedOf(t, blue); len(kept) != 0 {
				t.Errorf("kept %v", kept)
			}
			g, err := red.Get(t.Context())
			if err != nil || g.Version != asked.Version {
				t.Errorf("something was sent: %v, %v", g, err)
			}
		})
	}
}

// TestAnsweringTheQuestionThatIsShown: red asks to take both throws back, and the server shows blue another question.
// Blue's client compares what was shown with the log, and does not agree to what blue was not asked.
func TestAnsweringTheQuestionThatIsShown(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, lie := range map[string]func(shown *v1.PendingUndo, two *v1.Record){
		"one throw":    func(shown *v1.PendingUndo, two *v1.Record) { shown.Target = two.Parent },
		"more":         func(shown *v1.PendingUndo, _ *v1.Record) { shown.Target = 1 },
		"of another":   func(shown *v1.PendingUndo, _ *v1.Record) { shown.Seat = "blue" },
		"in a command": func(shown *v1.PendingUndo, two *v1.Record) { shown.Asked = two.Version },
	} {
		for times, lasting := range map[string]bool{"once": false, "always": true} {
			t.Run(name+", "+times, func(t *testing.T) {
				t.Parallel()
				var l *liar
				var two *v1.Record
				l = &liar{change: func(reply any) {
					if r, ok := reply.(*v1.GetGameResponse); ok && r.Game.PendingUndo != nil {
						lie(r.Game.PendingUndo, two)
						l.lies.Store(lasting)
					}
				}}
				red, blue, one, two2 := thrownTwice(t, h.addr, l.option())
				two = two2
				if _, _, err := red.Undo(t.Context(), one.Parent, true); err != nil {
					t.Fatal(err)
				}
				l.lies.Store(true)
				g, err := blue.Get(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				_, done, err := blue.Answer(t.Context(), g.PendingUndo, true)
				refused := errors.Is(err, warledger.ErrLogInconsistent) ||
					g.PendingUndo.Asked == two.Version && errors.Is(err, warledger.ErrUndoNotAsked)
				if done || !refused || len(agreedOf(t, blue)) != 0 {
					t.Errorf("shown %v: %v, %v, kept %v", g.PendingUndo, done, err, agreedOf(t, blue))
				}
				l.lies.Store(false)
				if g, err = red.Get(t.Context()); err != nil || len(g.GetPendingUndo().GetMissing()) != 1 {
					t.Errorf("something was sent: %v, %v", g.GetPendingUndo(), err)
				}
			})
		}
	}
}

// taken is a log of blue's throw, and of what follows it.
func taken(t *testing.T, kept *warledger.Chain, after ...*logv1.RecordHeader) error {
	t.Helper()
	asked := []*logv1.TableEvent{{Event: &logv1.TableEvent_DiceAsked{DiceAsked: &logv1.DiceAsked{
		Owed: []*logv1.OwedLink{{Seat: "blue", Link: 1}},
	}}}}
	question := []*logv1.TableEvent{{Event: &logv1.TableEvent_UndoAsked{UndoAsked: &logv1.UndoAsked{
		Seat: "red", Target: 1, Needed: []string{"blue"},
	}}}}
	refusal := []*logv1.TableEvent{{Event: &logv1.TableEvent_UndoAnswered{UndoAnswered: &logv1.UndoAnswered{
		Seat: "blue", Asked: 4,
	}}}}
	u := warledger.NewUndos("games/g", "blue", kept)
	for _, r := range append([]*logv1.RecordHeader{
		{Version: 1, Kind: logv1.RecordKind_RECORD_KIND_CREATED, Head: 1},
		{Version: 2, Kind: logv1.RecordKind_RECORD_KIND_ASK, Parent: 1, Head: 1},
		{Version: 3, Kind: logv1.RecordKind_RECORD_KIND_COMMAND, Parent: 1, Head: 3, Asked: 2},
	}, after...) {
		var events []*logv1.TableEvent
		switch {
		case r.Version == 2:
			events = asked
		case r.Seat == "asks":
			events = question
		case r.Seat == "refuses":
			events = refusal
		}
		if err := u.Add(r, []byte{byte(r.Version)}, events); err != nil {
			return err
		}
	}
	return nil
}

// TestConsentsFitOneUndo looks at what each kind of consent allows.
func TestConsentsFitOneUndo(t *testing.T) {
	t.Parallel()
	table := func(version uint64, what, id string) *logv1.RecordHeader {
		return &logv1.RecordHeader{Version: version, Kind: logv1.RecordKind_RECORD_KIND_TABLE, Parent: 3, Head: 3,
			Seat: what, CommandId: id}
	}
	undo := func(version uint64, id string) *logv1.RecordHeader {
		return &logv1.RecordHeader{Version: version, Kind: logv1.RecordKind_RECORD_KIND_UNDO, Parent: 3, Head: 1,
			CommandId: id}
	}
	redo := func(version uint64) *logv1.RecordHeader {
		return &logv1.RecordHeader{Version: version, Kind: logv1.RecordKind_RECORD_KIND_REDO, Parent: 1, Head: 3}
	}
	agreed := warledger.Consent{Version: 4, Hash: "04", Target: 1}
	wished := warledger.Consent{Version: 3, Hash: "03", Target: 1, Request: "r"}
	accepted := warledger.Consent{Version: 4, Hash: "04", Target: 1, Undo: 4}
	older := warledger.Consent{Version: 3, Target: 1}
	log := func(r ...*logv1.RecordHeader) []*logv1.RecordHeader { return r }
	for name, c := range map[string]struct {
		agreed warledger.Consent
		log    []*logv1.RecordHeader
		alarm  bool
	}{
		"none":                       {warledger.Consent{}, log(undo(4, "")), true},
		"agreed":                     {agreed, log(table(4, "asks", "q"), undo(5, "")), false},
		"agreed, with talk between":  {agreed, log(table(4, "asks", "q"), table(5, "", ""), undo(6, "")), false},
		"agreed to another question": {agreed, log(table(4, "asks", "q"), table(5, "asks", "p"), undo(6, "")), true},
		"agreed, and done alone":     {agreed, log(table(4, "asks", "q"), undo(5, "x")), true},
		"agreed to no question":      {agreed, log(table(4, "", ""), undo(5, "")), true},
		"agreed, and it was refused": {agreed, log(table(4, "asks", "q"), table(5, "refuses", ""), undo(6, "")), true},
		"agreed to another log": {
			warledger.Consent{Version: 4, Hash: "05", Target: 1}, log(table(4, "asks", "q"), undo(5, "")), true,
		},
		"agreed to another target": {
			warledger.Consent{Version: 4, Hash: "04", Target: 2}, log(table(4, "asks", "q"), undo(5, "")), true,
		},
		"wished":                   {wished, log(table(4, "asks", "r"), undo(5, "")), false},
		"wished, and nobody asked": {wished, log(undo(4, "r")), false},
		"wished, another request":  {wished, log(table(4, "asks", "q"), undo(5, "")), true},
		"wished, another alone":    {wished, log(undo(4, "q")), true},
		"wished and used again":    {wished, log(undo(4, "r"), redo(5), undo(6, "r")), true},
		"wished before the throw": {
			warledger.Consent{Version: 2, Hash: "02", Target: 1, Request: "r"}, log(undo(4, "r")), true,
		},
		"served for another": {
			warledger.Consent{Version: 3, Hash: "03", Target: 1, Request: "r", Undo: 9}, log(undo(4, "r")), true,
		},
		"accepted":                    {accepted, log(undo(4, "")), false},
		"accepted once":               {accepted, log(undo(4, ""), redo(5), undo(6, "")), true},
		"of an older program":         {older, log(table(4, "asks", "q"), undo(5, "")), false},
		"of an older program, twice":  {older, log(undo(4, "x"), redo(5), undo(6, "y")), true},
		"of an older one, for undo 0": {warledger.Consent{Version: 3}, log(undo(4, "x")), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := taken(t, &warledger.Chain{Agreed: []warledger.Consent{c.agreed}}, c.log...)
			if errors.Is(err, warledger.ErrThrowTakenBack) != c.alarm || !c.alarm && err != nil {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestThrowsAreNoAsides: a changed server calls the throw an aside, which nobody's consent is needed for.
func TestThrowsAreNoAsides(t *testing.T) {
	t.Parallel()
	u := warledger.NewUndos("games/g", "blue", &warledger.Chain{})
	err := u.Add(&logv1.RecordHeader{
		Version: 3, Kind: logv1.RecordKind_RECORD_KIND_COMMAND, Parent: 1, Head: 3, Asked: 2, Aside: true,
	}, nil, nil)
	if !errors.Is(err, warledger.ErrLogInconsistent) {
		t.Errorf("got %v", err)
	}
}

// TestOlderProgramsKeptConsents: what an older program kept is still read.
func TestOlderProgramsKeptConsents(t *testing.T) {
	t.Parallel()
	var c warledger.Chain
	err := json.Unmarshal([]byte(`{"last":"","length":1,"next":1,"version":9,"hash":"","since":2,
		"agreed":[{"version":7},{"version":8,"target":3}]}`), &c)
	want := []warledger.Consent{{Version: 7}, {Version: 8, Target: 3}}
	if err != nil || cmp.Diff(want, c.Agreed) != "" {
		t.Errorf("got %v, %v", c.Agreed, err)
	}
}

// TestWhoeverLeftHasNoSay: blue leaves, and red takes the throw back alone, as it may. Blue sits down again and plays.
func TestWhoeverLeftHasNoSay(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, failed := range map[string]bool{"at once": false, "after a request that was lost": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			red, blue, one, two := thrownTwice(t, h.addr)
			if _, err := blue.Leave(t.Context(), "blue"); err != nil {
				t.Fatal(err)
			}
			back(t, red.Game, nil, two.Parent)
			if failed {
				if _, err := blue.CommitChain(t.Context(), "blue"); !errors.Is(err, warledger.ErrTokenRevoked) {
					t.Fatal(err)
				}
				seen := blue.WithTokens(nil)
				if _, err := seen.CommitChain(t.Context(), "blue"); err != nil {
					t.Fatal(err)
				}
				back(t, red.Game, nil, one.Parent)
				two = one
			}
			sitsAgain(t, blue)
			throw(t, of(two, red, blue), red, blue, two.Notation)
			back(t, red.Game, forger(t, h.addr, "blue", blue), two.Parent)
			asks(t, of(two, red, blue), two.Notation)
			answered(t, red)
			if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrThrowTakenBack) {
				t.Errorf("after blue sat down again: %v", err)
			}
		})
	}
}

func sitsAgain(t *testing.T, blue *partner) {
	t.Helper()
	resp, err := blue.Take(t.Context(), "blue", "blue", nil)
	if err != nil {
		t.Fatal(err)
	}
	old, err := blue.wallet.Tokens(t.Context(), blue.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range old {
		blue.wallet.Remove(blue.Name(), token)
	}
	blue.wallet.Add(blue.Name(), resp.SeatToken)
}

// TestWhoeverWasPutOutHasASay: the owner puts blue out, and the throw is taken back in blue's name. Blue's client takes
// the seat again once blue has accepted that, with the seat's old token.
func TestWhoeverWasPutOutHasASay(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	owner, red, blue := hosted(t, h.addr)
	thrown := throws(t, red, blue)
	for thrown == nil { // a game may end before
		owner, red, blue = hosted(t, h.addr)
		thrown = throws(t, red, blue)
	}
	if _, err := owner.Leave(t.Context(), "blue"); err != nil {
		t.Fatal(err)
	}
	undo := back(t, red.Game, forger(t, h.addr, "blue", blue), thrown.Parent)
	if _, err := blue.Take(t.Context(), "blue", "blue", nil); !errors.Is(err, warledger.ErrThrowTakenBack) {
		t.Errorf("taking the seat: %v", err)
	}
	if err := blue.AcceptUndo(t.Context(), undo); err != nil {
		t.Fatal(err)
	}
	sitsAgain(t, blue)
	throw(t, of(thrown, red, blue), red, blue, thrown.Notation)
}

// TestWhoeverWasPutOutAgrees: the owner puts blue out, and blue agrees to an undo with the seat's old token.
func TestWhoeverWasPutOutAgrees(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	owner, red, blue := hosted(t, h.addr)
	thrown := throws(t, red, blue)
	for thrown == nil { // a game may end before
		owner, red, blue = hosted(t, h.addr)
		thrown = throws(t, red, blue)
	}
	if _, err := owner.Leave(t.Context(), "blue"); err != nil {
		t.Fatal(err)
	}
	back(t, red.Game, blue.Game, thrown.Parent)
	sitsAgain(t, blue)
	throw(t, of(thrown, red, blue), red, blue, thrown.Notation)
}
