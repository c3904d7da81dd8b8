package lab

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
)

// Config says what a table plays.
type Config struct {
	// Ruleset, Scenario and Options of every game.
	Ruleset  rules.Ruleset
	Scenario rules.Scenario
	Options  rules.Options
	// Games that are played at once.
	Games int
	// Seed of all dice.
	Seed uint64
	// Workers play at the same time. They make no difference to the games.
	Workers int
	// Limit of decisions after which a game is cut off; 0 for none.
	Limit int
	// Offers are among the actions if it is set.
	Offers bool
}

// End is how a game stands.
type End uint8

// The ends.
const (
	// Running: the game goes on, or was not begun.
	Running End = iota
	// Over: the game has ended by its rules.
	Over
	// CutOff: the game has reached the limit of decisions.
	CutOff
)

// Table plays games at once. It is not safe for use by several goroutines.
type Table struct {
	cfg   Config
	games []match
	begun bool
}

// match is one game of a table.
type match struct {
	game      rules.Game
	src       *dice.Seeded
	out       rules.Outcome
	list      rules.Listing
	seat      rules.Seat // that decides; NoSeat if the game does not go on
	end       End
	ending    *rules.Ending
	rewarded  bool // the end came with the latest step
	decisions int
	episode   uint64
}

// NewTable makes a table on which no game has begun.
func NewTable(cfg Config) *Table { return &Table{cfg: cfg, games: make([]match, cfg.Games)} }

// mix makes one seed of several numbers.
func mix(seed, game, episode uint64) uint64 {
	s := dice.NewSeeded(seed)
	s = dice.NewSeeded(s.Next() ^ game)
	return dice.NewSeeded(s.Next() ^ episode).Next()
}

// Reset begins games anew, all of them if none is named. A seed may be given for each.
func (t *Table) Reset(games []int, seeds []uint64) error {
	if len(games) == 0 {
		games = make([]int, len(t.games))
		for i := range games {
			games[i] = i
		}
	}
	if len(seeds) > 0 && len(seeds) != len(games) {
		return outOfRange(-1, "%d seeds for %d games", len(seeds), len(games))
	}
	seen := make([]bool, len(t.games))
	for _, g := range games {
		if g < 0 || g >= len(t.games) || seen[g] {
			return outOfRange(g, "there is no game %d of %d, or it is named twice", g, len(t.games))
		}
		seen[g] = true
	}
	if !t.begun && len(games) != len(t.games) {
		return &Refused{NotReady, -1, "the first reset begins all games"}
	}
	t.begun = true
	t.settle()
	return t.each(len(games), func(i int) error {
		g, m := games[i], &t.games[games[i]]
		seed := mix(t.cfg.Seed, uint64(g), m.episode)
		if len(seeds) > 0 {
			seed = seeds[i]
		}
		return t.begin(m, seed)
	})
}

// begin begins a game.
func (t *Table) begin(m *match, seed uint64) error {
	*m = match{game: t.cfg.Ruleset.New(t.cfg.Scenario, t.cfg.Options), src: dice.NewSeeded(seed), list: m.list,
		episode: m.episode + 1}
	if _, err := m.game.Start(m.src); err != nil {
		return err
	}
	return t.next(m)
}

// settle forgets what the latest step rewarded.
func (t *Table) settle() {
	for i := range t.games {
		t.games[i].rewarded = false
	}
}

// Step makes a decision in each game: the action of that index, or none for -1. Games that are over take only -1,
// unless restart begins them anew. If any index is refused nothing happens.
func (t *Table) Step(actions []int32, restart bool) error {
	if !t.begun {
		return &Refused{NotReady, -1, "no game was begun: reset first"}
	}
	if len(actions) != len(t.games) {
		return outOfRange(-1, "%d actions for %d games", len(actions), len(t.games))
	}
	for i, a := range actions {
		m := &t.games[i]
		switch n := m.len(); {
		case restart && m.end != Running:
		case a < -1, a >= 0 && int(a) >= n:
			return outOfRange(i, "action %d of %d in game %d", a, n, i)
		}
	}
	t.settle()
	return t.each(len(actions), func(i int) error {
		m := &t.games[i]
		switch a := actions[i]; {
		case restart && m.end != Running:
			return t.begin(m, mix(t.cfg.Seed, uint64(i), m.episode))
		case a >= 0:
			return t.play(m, int(a))
		}
		return nil
	})
}

// play makes a decision and goes on to the next one.
func (t *Table) play(m *match, action int) error {
	c := m.list.At(action)
	m.out.Reset()
	if err := m.game.Apply(m.seat, c, m.src, &m.out); err != nil {
		return fmt.Errorf("lab: %s was listed, and refused: %w", m.game.FormatCommand(c), err)
	}
	m.decisions++
	return t.next(m)
}

// next finds who decides, and lists what that seat may do.
func (t *Table) next(m *match) error {
	m.seat = rules.NoSeat
	if m.ending = m.game.Ending(); m.ending != nil {
		m.end, m.rewarded = Over, true
		return nil
	}
	if t.cfg.Limit > 0 && m.decisions >= t.cfg.Limit {
		m.end = CutOff
		return nil
	}
	for seat := range m.game.Waiting().Each {
		m.seat = seat
		break
	}
	if m.seat == rules.NoSeat {
		return errors.New("lab: the game waits for nobody and is not over")
	}
	if t.cfg.Offers {
		m.list = m.game.List(m.seat, rules.Filter{}, m.list)
	} else {
		m.list = m.game.Answers(m.seat, m.list)
	}
	if m.list.Len() == 0 {
		return fmt.Errorf("lab: %s must decide and has nothing to choose from:\n%s",
			t.cfg.Ruleset.About().SeatID(m.seat), m.game.Notation())
	}
	return nil
}

// len is the number of actions of the seat that decides.
func (m *match) len() int {
	if m.seat == rules.NoSeat || m.list == nil {
		return 0
	}
	return m.list.Len()
}

// reward is what a seat was rewarded with by the latest step.
func (m *match) reward(seat rules.Seat) float32 {
	switch {
	case !m.rewarded || m.ending.Winners == 0:
		return 0
	case m.ending.Winners.Has(seat):
		return 1
	}
	return -1
}

// each does something for the numbers below n, on several processors. It returns the error of the lowest number.
func (t *Table) each(n int, do func(int) error) error {
	workers := min(t.cfg.Workers, n)
	if workers <= 1 {
		for i := range n {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = do(i)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Games is the number of games.
func (t *Table) Games() int { return len(t.games) }

// Seat is the seat that decides in a game; NoSeat if the game does not go on.
func (t *Table) Seat(game int) rules.Seat {
	if t.games[game].game == nil {
		return rules.NoSeat
	}
	return t.games[game].seat
}

// Len is the number of actions of that seat.
func (t *Table) Len(game int) int { return t.games[game].len() }

// End says how a game stands.
func (t *Table) End(game int) End { return t.games[game].end }
