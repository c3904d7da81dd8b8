package rulestest

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// match is a game that is played and looked at.
type match struct {
	cfg     Config
	set     rules.Ruleset
	about   *rules.About
	sc      rules.Scenario
	options rules.Options
	rnd     *dice.Seeded // choices of the test; the dice of the game are others
	stats   Stats

	game    rules.Game
	folded  rules.Game // the same position by folding encoded events alone
	log     []entry
	history []string
	known   []tried // commands that were listed at earlier decisions
	ground  ground
	read    string // the last position as somebody knows it that was read and written again
}

// entry is what is stored of a record.
type entry struct {
	events [][]byte
	hash   [32]byte // of the position after it
}

// tried is a command with who was offered it.
type tried struct {
	seat rules.Seat
	c    rules.Command
	text string
}

func (t tried) kind() string { return kindOf(t.text) }

// kindOf is the kind of a command: the first word of its notation.
func kindOf(text string) string {
	kind, _, _ := strings.Cut(text, " ")
	return kind
}

// failure is what a check panics with; CheckGame makes an error of it.
type failure string

func (m *match) failf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// CheckGame plays one random game to its end and says what the ruleset does that the contract does not allow; nil if
// nothing was found. The same seed plays the same game.
//
// Of every command it checks that folding its encoded events gives the live position, and that the game goes on or is
// over. Of every sampled decision: lists are complete, stable, free of doubles and consistent with Check and Play;
// illegal commands are refused in words and change nothing; commands and positions survive their encodings; copies are
// equal and independent; the same dice give the same bytes; chances sum to 1; the board names nothing that is not on
// the map; texts have words in every language. When a secret comes up, the game is forked into two that differ in
// nothing else, and both must look the same to everyone whom it is kept from, until the rules reveal it.
func CheckGame(
	set rules.Ruleset, sc rules.Scenario, options rules.Options, seed uint64, cfg Config,
) (stats Stats, err error) {
	m := &match{cfg: cfg.withDefaults(), set: set, about: set.About(), sc: sc, options: options,
		rnd: dice.NewSeeded(seed)}
	m.stats.Played = map[string]int{}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = errors.New(string(r) + m.context(sc, options, seed))
		default:
			err = fmt.Errorf("panic: %v%s\n%s", r, m.context(sc, options, seed), debug.Stack())
		}
		stats = m.stats
	}()
	m.survey()
	m.begin()
	for m.game.Ending() == nil {
		m.turn()
	}
	m.end()
	return
}

// context is what someone needs to look into a failure.
func (m *match) context(sc rules.Scenario, options rules.Options, seed uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nin scenario %s, options %s, seed %d, after %d commands:\n",
		sc.ScenarioID(), optionText(options.Map()), seed, len(m.history))
	tail := m.history[max(0, len(m.history)-20):]
	for _, line := range tail {
		b.WriteString("  " + line + "\n")
	}
	if m.game != nil {
		b.WriteString("at\n" + m.game.Notation())
	}
	return b.String()
}

func (m *match) begin() {
	m.game, m.folded = m.set.New(m.sc, m.options), m.set.New(m.sc, m.options)
	out, err := m.game.Start(dice.NewSeeded(m.rnd.Next()))
	if err != nil {
		m.failf("Start: %v", err)
	}
	m.record(out)
	m.checkCopies()
}

// turn looks at a decision, chooses a command and plays it.
func (m *match) turn() {
	if len(m.history) >= m.cfg.Commands {
		m.failf("the game did not end within %d commands", m.cfg.Commands)
	}
	if m.game.Waiting() == 0 {
		m.failf("the game stalls: it is not over, and waits for nobody")
	}
	if m.rnd.Below(uint32(m.cfg.Sample)) == 0 {
		m.examine()
	}
	chosen := m.choose(m.game)
	before, src := m.game, m.rnd.Next()
	next, out, err := before.Play(chosen.seat, chosen.c, dice.NewSeeded(src))
	if err != nil {
		m.failf("%s was listed for %s, and refused: %v", chosen.text, m.about.SeatID(chosen.seat), err)
	}
	m.checkOwnSight(before, chosen)
	m.forkSecrets(before, chosen, out, src)
	m.game = next
	m.history = append(m.history, m.about.SeatID(chosen.seat)+": "+chosen.text)
	m.stats.Commands++
	m.stats.Played[chosen.kind()]++
	m.record(out)
}

// checkOwnSight: a seat sees its own commands.
func (m *match) checkOwnSight(g rules.Game, t tried) {
	audience := g.CommandAudience(t.seat, t.c)
	m.checkAudience(audience, "command "+t.text)
	if !rules.SeatViewer(t.seat).MaySee(audience) {
		m.failf("%s may not see its own command %s", m.about.SeatID(t.seat), t.text)
	}
}

// choose takes one of the commands that answer the game's questions.
func (m *match) choose(g rules.Game) tried {
	waiting := g.Waiting()
	n := int(m.rnd.Below(uint32(waiting.Len())))
	var seat rules.Seat
	for s := range waiting.Each {
		if n == 0 {
			seat = s
			break
		}
		n--
	}
	list := g.List(seat, rules.Filter{}, nil)
	m.stats.Widest = max(m.stats.Widest, list.Len())
	if m.cfg.Pick != nil {
		return m.offered(g, seat, list.At(m.cfg.Pick(g, seat, list, m.rnd.Below)))
	}
	// A few blind tries before the whole list is written out: most commands are no offers.
	for range 8 {
		if list.Len() == 0 {
			break
		}
		if t := m.offered(g, seat, list.At(int(m.rnd.Below(uint32(list.Len()))))); !m.isOffer(t.kind()) {
			return t
		}
	}
	var answers []tried
	for i := range list.Len() {
		if t := m.offered(g, seat, list.At(i)); !m.isOffer(t.kind()) {
			answers = append(answers, t)
		}
	}
	if len(answers) == 0 {
		m.failf("the game stalls: it waits for %s, who has no command but offers", m.about.SeatID(seat))
	}
	return answers[m.rnd.Below(uint32(len(answers)))]
}

func (m *match) offered(g rules.Game, seat rules.Seat, c rules.Command) tried {
	return tried{seat: seat, c: c, text: g.FormatCommand(c)}
}

func (m *match) isOffer(kind string) bool {
	k, ok := m.about.Command(kind)
	if !ok {
		m.failf("%q is no kind of command of the ruleset", kind)
	}
	return k.Offer
}

// record folds the encoded events of an outcome and compares the positions.
func (m *match) record(out *rules.Outcome) {
	e := entry{}
	m.checkOutcome(out)
	for _, ev := range out.Events {
		data := encode(ev.Event)
		e.events = append(e.events, data)
		if err := m.folded.Fold(data); err != nil {
			m.failf("the event %s cannot be folded: %v", MessageText(ev.Event), err)
		}
		m.checkNarration(ev.Event, data)
	}
	live, folded := m.game.Notation(), m.folded.Notation()
	if live != folded {
		m.failf("folding the events gives another position than playing did:\n%s", lineDiff(live, folded))
	}
	e.hash = m.game.Hash()
	if e.hash != m.folded.Hash() {
		m.failf("positions of the same notation have different hashes")
	}
	m.log = append(m.log, e)
}

// end checks that the game is over, and that the log leads to every position on the way.
func (m *match) end() {
	m.checkEnding()
	m.checkShowing()
	stop := int(m.rnd.Below(uint32(len(m.log))))
	again := m.set.New(m.sc, m.options)
	for i, e := range m.log {
		for _, data := range e.events {
			if err := again.Fold(data); err != nil {
				m.failf("record %d of the log cannot be folded again: %v", i, err)
			}
		}
		if (i == stop || i == len(m.log)-1) && again.Hash() != e.hash {
			m.failf("folding the log up to record %d gives another position than the game had:\n%s",
				i, again.Notation())
		}
	}
}
