package rulestest_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	toyv1 "github.com/warledger/warledger/proto/warledger/toy/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/rules/rulestest"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

type exec = rules.Exec[*toy.State, *toyv1.Event]

// Each of these breaks one promise of the contract, and the battery must say which.
type (
	listsTwice    struct{ toy.Referee }
	listsIllegal  struct{ toy.Referee }
	listsLess     struct{ toy.Referee }
	listsUnevenly struct {
		toy.Referee
		calls *int
	}
	asksNobody       struct{ toy.Referee }
	refusesSilently  struct{ toy.Referee }
	refusesUnknown   struct{ toy.Referee }
	checksAndChanges struct{ toy.Referee }
	forgetsEvents    struct{ toy.Referee }
	playsUnevenly    struct {
		toy.Referee
		calls *int
	}
	tellsAll        struct{ toy.Referee }
	showsPlans      struct{ toy.Referee }
	viewsPlans      struct{ toy.Referee }
	hintsInRefusals struct{ toy.Referee }
	hidesOwnCommand struct{ toy.Referee }
	revealsByRecord struct{ toy.Referee }
	misencodes      struct{ toy.Referee }
	misreads        struct{ toy.Referee }
	misdescribes    struct{ toy.Referee }
	misnames        struct{ toy.Referee }
	filtersBadly    struct{ toy.Referee }
	writesLess      struct{ toy.Referee }
	babbles         struct{ toy.Referee }
	namesNowhere    struct{ toy.Referee }
	asksInTheDark   struct{ toy.Referee }
	stalls          struct{ toy.Referee }
	rollsUntold     struct {
		toy.Referee
		calls *int
	}
	endsWithQuestions struct{ toy.Referee }
	peeks             struct{ toy.Referee }
	overconfident     struct{ toy.Referee }
	rowsOfPlans       struct{ toy.Referee }
	rowsOfOtherKinds  struct{ toy.Referee }
	rowsElsewhere     struct{ toy.Referee }
)

func (r listsTwice) Legal(p *toy.State, seat rules.Seat, f rules.Filter, yield func(toy.Command) bool) {
	r.Referee.Legal(p, seat, f, func(c toy.Command) bool { return yield(c) && (c.Kind != toy.KindEnd || yield(c)) })
}

func (r listsIllegal) Legal(p *toy.State, seat rules.Seat, f rules.Filter, yield func(toy.Command) bool) {
	r.Referee.Legal(p, seat, f, func(c toy.Command) bool {
		if c.Kind == toy.KindMove {
			c.Hex = (c.Hex + 5) % 9
		}
		return yield(c)
	})
}

func (r listsLess) Legal(p *toy.State, seat rules.Seat, f rules.Filter, yield func(toy.Command) bool) {
	r.Referee.Legal(p, seat, f, func(c toy.Command) bool { return c.Kind == toy.KindScout || yield(c) })
}

func (r listsUnevenly) Legal(p *toy.State, seat rules.Seat, f rules.Filter, yield func(toy.Command) bool) {
	var all []toy.Command
	r.Referee.Legal(p, seat, f, func(c toy.Command) bool { all = append(all, c); return true })
	*r.calls++
	for i := range all {
		if !yield(all[(i+*r.calls)%len(all)]) {
			return
		}
	}
}

func (r asksNobody) Decisions(*toy.State) []rules.Decision { return nil }

func (r refusesSilently) Check(p *toy.State, seat rules.Seat, c toy.Command) *rules.Refusal {
	if refusal := r.Referee.Check(p, seat, c); refusal != nil {
		return &rules.Refusal{Reason: rules.ReasonIllegal}
	}
	return nil
}

func (r refusesUnknown) Check(p *toy.State, seat rules.Seat, c toy.Command) *rules.Refusal {
	refusal := r.Referee.Check(p, seat, c)
	if refusal != nil && refusal.Rule != "" {
		refusal.Rule = "TY 99.9"
	}
	return refusal
}

func (r checksAndChanges) Check(p *toy.State, seat rules.Seat, c toy.Command) *rules.Refusal {
	if c.Kind == toy.KindConcede {
		_ = r.Referee.Evolve(p, event(&toyv1.Event_Scouted{Scouted: &toyv1.Scouted{Seat: "red"}}))
	}
	return r.Referee.Check(p, seat, c)
}

// event sets the only field of an event.
func event(kind any) *toyv1.Event {
	e := &toyv1.Event{}
	switch kind := kind.(type) {
	case *toyv1.Event_Scouted:
		e.Event = kind
	case *toyv1.Event_PlanMade:
		e.Event = kind
	}
	return e
}

// forgetsEvents folds what Play emits, and not what is read from the log: the events that it emits have
// an unknown field more.
func (r forgetsEvents) Evolve(p *toy.State, e *toyv1.Event) error {
	if moved := e.GetMoved(); moved != nil && moved.From == "" {
		return nil
	}
	err := r.Referee.Evolve(p, e)
	if moved := e.GetMoved(); moved != nil {
		moved.From = ""
	}
	return err
}

func (r playsUnevenly) Play(x *exec, seat rules.Seat, c toy.Command) {
	*r.calls++
	r.Referee.Play(x, seat, c)
	if *r.calls%2 == 0 {
		x.Reveal()
	}
}

func (r tellsAll) Play(x *exec, seat rules.Seat, c toy.Command) {
	if c.Kind != toy.KindPlan {
		r.Referee.Play(x, seat, c)
		return
	}
	id := []string{"red", "blue"}[seat]
	x.Emit(event(&toyv1.Event_PlanMade{
		PlanMade: &toyv1.PlanMade{Seat: id, Hex: strings.TrimPrefix(r.FormatCommand(x.Pos, c), "plan ")},
	}))
}

func (r showsPlans) Board(p *toy.State, _ rules.Viewer, lang rules.Lang) *boardv1.Board {
	return r.Referee.Board(p, rules.Auditor, lang)
}

func (r viewsPlans) View(p *toy.State, _ rules.Viewer) proto.Message {
	return r.Referee.View(p, rules.Auditor)
}

// hintsInRefusals says more the further the other seat's plan is.
func (r hintsInRefusals) Check(p *toy.State, seat rules.Seat, c toy.Command) *rules.Refusal {
	refusal := r.Referee.Check(p, seat, c)
	if refusal != nil && seat == toy.Red {
		refusal.Text = rules.Say("told.scout_reported-hex", "hex",
			r.View(p, rules.Auditor).(*toyv1.Position).Seats[toy.Blue].Plan)
	}
	return refusal
}

func (hidesOwnCommand) CommandAudience(_ *toy.State, seat rules.Seat, _ toy.Command) rules.Audience {
	return rules.OnlySeats(1 - seat)
}

// revealsByRecord makes a record longer if the plan is one of those.
func (r revealsByRecord) Play(x *exec, seat rules.Seat, c toy.Command) {
	if c.Kind != toy.KindPlan || c.Hex < 6 {
		r.Referee.Play(x, seat, c)
		return
	}
	r.Referee.Play(x, seat, c)
	x.Emit(event(&toyv1.Event_Scouted{Scouted: &toyv1.Scouted{Seat: "red"}}))
}

func (r misencodes) EncodeCommand(p *toy.State, c toy.Command) proto.Message {
	if c.Kind == toy.KindScout {
		c.Kind = toy.KindEnd
	}
	return r.Referee.EncodeCommand(p, c)
}

func (r misreads) ParseCommand(p *toy.State, text string) (toy.Command, *rules.Refusal) {
	c, refusal := r.Referee.ParseCommand(p, text)
	c.Hex = 0
	return c, refusal
}

func (r misdescribes) Describe(p *toy.State, seat rules.Seat, c toy.Command) rules.Description {
	d := r.Referee.Describe(p, seat, c)
	d.Label.Args = nil
	return d
}

func (misnames) KindOf(toy.Command) string { return "move" }

func (r filtersBadly) Legal(p *toy.State, seat rules.Seat, f rules.Filter, yield func(toy.Command) bool) {
	r.Referee.Legal(p, seat, rules.Filter{Kind: f.Kind}, yield)
}

func (r writesLess) FormatPosition(p *toy.State) string {
	return strings.ReplaceAll(r.Referee.FormatPosition(p), " fought", "")
}

func (r writesLess) ParsePosition(sc rules.Scenario, text string) (*toy.State, error) {
	return r.Referee.ParsePosition(sc, text)
}

func (babbles) Narrate(rules.Scenario, *toyv1.Event) rules.Text { return rules.Say("told.nothing") }

func (r namesNowhere) Board(p *toy.State, v rules.Viewer, lang rules.Lang) *boardv1.Board {
	b := r.Referee.Board(p, v, lang)
	b.Pieces[0].Place = "9999"
	return b
}

func (r asksInTheDark) Decisions(p *toy.State) []rules.Decision {
	list := r.Referee.Decisions(p)
	for i := range list {
		list[i].Audience = rules.OnlySeats(1 - list[i].Seat)
	}
	return list
}

func (r stalls) Step(x *exec) bool { return r.Turn(x.Pos) < 2 && r.Referee.Step(x) }

func (r rollsUntold) Play(x *exec, seat rules.Seat, c toy.Command) {
	if *r.calls++; c.Kind != toy.KindPlan && *r.calls%3 == 0 {
		x.Roll(6, "whim")
	}
	r.Referee.Play(x, seat, c)
}

// Known keeps what is hidden, and says that nothing is.
func (peeks) Known(p *toy.State, _ rules.Viewer) (*toy.State, []rules.Text) { return p.Clone(), nil }

// Forecast counts on more than one outcome.
func (r overconfident) Forecast(p *toy.State, seat rules.Seat, c toy.Command, s rules.Study) ([]rules.Forecast, error) {
	list, err := r.Referee.Forecast(p, seat, c, s)
	for i := range list {
		list[i].Outcomes = append(list[i].Outcomes, list[i].Outcomes[0])
	}
	return list, err
}

func (r endsWithQuestions) Waiting(p *toy.State) rules.Seats {
	if r.Ending(p) != nil {
		return rules.SeatsOf(toy.Red)
	}
	return r.Referee.Waiting(p)
}

func adapt(ref rules.Referee[*toy.State, toy.Command, *toyv1.Event]) rules.Ruleset {
	return rules.Adapt(ref)
}

func TestBatteryFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  rules.Ruleset
		says string
	}{
		"a command listed twice":       {adapt(listsTwice{}), "is listed twice"},
		"an illegal command listed":    {adapt(listsIllegal{}), "listed"},
		"a legal command not listed":   {adapt(listsLess{}), "accepted, but not listed"},
		"an unstable list":             {adapt(listsUnevenly{calls: new(int)}), "of the second list"},
		"a seat that is not asked":     {adapt(asksNobody{}), "waits for seats"},
		"a refusal without a rule":     {adapt(refusesSilently{}), "without a rule"},
		"a refusal by an unknown rule": {adapt(refusesUnknown{}), "TY 99.9"},
		"a check that changes":         {adapt(checksAndChanges{}), "changed the position"},
		"an event that does not fold":  {adapt(forgetsEvents{}), "another position than playing did"},
		"an outcome that varies":       {adapt(playsUnevenly{calls: new(int)}), "another outcome"},
		"an event for everyone":        {adapt(tellsAll{}), "a leak"},
		"a board for everyone":         {adapt(showsPlans{}), "a leak"},
		"a view for everyone":          {adapt(viewsPlans{}), "a leak"},
		"a refusal that gives a hint":  {adapt(hintsInRefusals{}), "a leak"},
		"a command hidden from itself": {adapt(hidesOwnCommand{}), "may not see its own command"},
		"a record that is longer":      {adapt(revealsByRecord{}), "a leak"},
		"a command misencoded":         {adapt(misencodes{}), "comes back from its message"},
		"a command misread":            {adapt(misreads{}), "comes back from its notation"},
		"a kind of another name":       {adapt(misnames{}), "the first word of its notation is its kind"},
		"a label with holes":           {adapt(misdescribes{}), "a place that was not filled"},
		"a filter that is passed over": {adapt(filtersBadly{}), "does not fit"},
		"a position not written whole": {adapt(writesLess{}), "written and read gives other answers"},
		"an unknown message":           {adapt(babbles{}), "a key that the catalogue does not know"},
		"a piece off the map":          {adapt(namesNowhere{}), "which is not on the map"},
		"a question hidden":            {adapt(asksInTheDark{}), "hidden from its own seat"},
		"a game that stalls":           {adapt(stalls{}), "the game stalls"},
		"dice that vary":               {adapt(rollsUntold{calls: new(int)}), "the same dice"},
		"a preview that peeks":         {adapt(peeks{}), "a leak"},
		"chances above 1":              {adapt(overconfident{}), "the chances of the forecast attack"},
		"an end that asks":             {adapt(endsWithQuestions{}), "still waits for seats"},
		"a row that tells a plan":      {adapt(rowsOfPlans{}), "a leak"},
		"a row of another kind":        {adapt(rowsOfOtherKinds{}), "has the kind"},
		"a row that leads elsewhere":   {adapt(rowsElsewhere{}), "its description to"},
		"planes that tell a plan":      {peeping{toy.Ruleset()}, "a leak"},
		"a shared copy":                {sharing{toy.Ruleset()}, "clone"},
		"a fork that never comes":      {adapt(toy.Referee{}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := rulestest.Config{Sample: 2}
			if name == "dice that vary" {
				cfg.Forks = -1 // whoever compares two games finds it too, but knows no better name for it
			}
			err := firstFinding(t, c.set, cfg)
			switch {
			case c.says == "" && err != nil:
				t.Fatalf("nothing is broken, but: %v", err)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Fatalf("got %v, expected a finding with %q", err, c.says)
			}
		})
	}
}

// firstFinding plays games until something is found, or enough of them.
func firstFinding(t *testing.T, set rules.Ruleset, cfg rulestest.Config) error {
	t.Helper()
	options, err := set.About().NewOptions(map[string]string{"pursuit": "true"})
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range set.ScenarioDocuments() {
		sc, faults := set.LoadScenario(doc.Data)
		if faults != nil {
			t.Fatal(faults)
		}
		for seed := range uint64(6) {
			if _, err := rulestest.CheckGame(set, sc, options, seed, cfg); err != nil {
				return err
			}
		}
	}
	return nil
}

// sharing is a ruleset whose clones are no clones.
type sharing struct{ rules.Ruleset }

func (s sharing) New(sc rules.Scenario, o rules.Options) rules.Game {
	return shared{s.Ruleset.New(sc, o)}
}

type shared struct{ rules.Game }

func (s shared) Clone() rules.Game { return s }

func (r rowsOfPlans) Row(p *toy.State, seat rules.Seat, c toy.Command, row []int16) {
	r.Referee.Row(p, seat, c, row)
	row[rules.RowOwn] = int16(sha256.Sum256([]byte(r.FormatPosition(p)))[0])
}

func (r rowsOfOtherKinds) Row(p *toy.State, seat rules.Seat, c toy.Command, row []int16) {
	r.Referee.Row(p, seat, c, row)
	row[rules.RowKind]++
}

func (r rowsElsewhere) Row(p *toy.State, seat rules.Seat, c toy.Command, row []int16) {
	if r.Referee.Row(p, seat, c, row); c.Kind == toy.KindMove {
		row[rules.RowTo] = row[rules.RowFrom]
	}
}

// peeping is a ruleset whose observations depend on the whole position.
type peeping struct{ rules.Ruleset }

func (s peeping) New(sc rules.Scenario, o rules.Options) rules.Game {
	return peeped{s.Ruleset.New(sc, o)}
}

type peeped struct{ rules.Game }

func (s peeped) Clone() rules.Game { return peeped{s.Game.Clone()} }

func (s peeped) Play(seat rules.Seat, c rules.Command, src dice.Source) (rules.Game, *rules.Outcome, error) {
	next, out, err := s.Game.Play(seat, c, src)
	if err != nil {
		return nil, nil, err
	}
	return peeped{next}, out, nil
}

func (s peeped) Observe(seat rules.Seat, planes, scalars []int16) {
	s.Game.Observe(seat, planes, scalars)
	hash := s.Game.Hash()
	planes[0] = int16(hash[0])
}
