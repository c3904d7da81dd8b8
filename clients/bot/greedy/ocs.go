package greedy

import (
	"context"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"github.com/warledger/warledger/clients/bot"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// staff plays either side of a game of the Operational Combat Series.
//
// It sends what it can to the places that score, as far as supply follows, and keeps those guarded that it holds; it
// barrages and attacks where the odds are good by what it sees on top of the enemy's stacks, pays for that and for the
// fuel of those who need it while its dumps last, keeps a reserve behind the front for the exploitation, and takes back
// what is being surrounded. Its aircraft sweep where they are the better, barrage what is attacked and bring supply
// forward; its ships bombard, and land troops where the enemy is weak.
type staff struct {
	source   *rand.Rand
	chart    **country // of the map, which stays the same all game long
	doctrine *doctrine
	tried    attempts
}

// attempts holds the attacks ordered in a phase. An attack for which no supply was paid is listed again, and without
// this the bot would order it forever.
type attempts struct {
	turn   int
	phase  string
	orders map[string]bool
}

// in are the attempts of a phase.
func (t *attempts) in(turn int, phase string) map[string]bool {
	if t.orders == nil || t.turn != turn || t.phase != phase {
		*t = attempts{turn, phase, map[string]bool{}}
	}
	return t.orders
}

func newStaff(d *doctrine) func(seed uint64) bot.Bot {
	return func(seed uint64) bot.Bot {
		return &staff{source: newStaffSource(seed), chart: new(*country), doctrine: d}
	}
}

func newStaffSource(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6f637373746166)) }

// Fresh begins another game.
func (s *staff) Fresh(seed uint64) bot.Bot {
	return &staff{source: newStaffSource(seed), chart: s.chart, doctrine: s.doctrine}
}

// Rank values all actions.
func (s *staff) Rank(ctx context.Context, v bot.View) ([]float64, error) {
	board, err := v.Board(ctx)
	if err != nil {
		return nil, err
	}
	chart, err := v.Map(ctx)
	if err != nil {
		return nil, err
	}
	if *s.chart == nil || (*s.chart).of != chart {
		*s.chart = chartOf(chart)
	}
	c := newSituation(*s.chart, s.doctrine, v, board)
	c.tried = s.tried.in(c.turn, c.phase)
	return rank(v, c.value), nil
}

// Choose takes the action with the highest value that is no offer.
func (s *staff) Choose(ctx context.Context, v bot.View) (bot.Choice, error) {
	ranks, err := s.Rank(ctx, v)
	if err != nil {
		return bot.Choice{}, err
	}
	choice, err := highest(ranks, s.source)
	if err == nil {
		if a := v.Action(choice.Action); a.Kind == "attack" {
			s.tried.orders[a.Command] = true
		}
	}
	return choice, err
}

// value says how good an action is. What ends a segment is worth 0, so whatever is worth more is done first and what is
// worth less is not done.
func (c *situation) value(a *boardv1.Action) float64 {
	switch a.Kind {
	case "end", "done", "ready":
		return 0
	case "move", "mode", "overrun", "fuel", "fuel-hq", "fuel-formation", "release", "breakout", "leave":
		return c.maneuver(a)
	case "attack", "pay", "stocks", "lead", "terrain", "lose", "retreat", "advance", "barrage":
		return c.fight(a)
	case "refit", "sweep", "air-barrage", "hip-shoot", "airlift", "fly-back", "place-air", "place-ship", "intercept",
		"engage", "take-hit", "jettison", "restore-air", "fly-on", "stand-down":
		return c.air(a)
	case "sail", "ship", "embark", "disembark", "land", "beach-assault", "beach", "naval-barrage", "aim", "lst-port",
		"ashore", "afloat", "merge-craft", "split-craft":
		return c.sea(a)
	}
	return c.supply(a)
}

// supply values what keeps the units going.
func (c *situation) supply(a *boardv1.Action) float64 {
	switch a.Kind {
	case "first", "together":
		if a.Kind == "first" == strings.HasSuffix(a.Command, "yes") {
			return 1
		}
		return 0
	case "arrive":
		return 3*float64(len(a.Pieces)) - c.toFront(last(a.Spaces)) + c.ready(a)
	case "place-supply":
		return 2 + float64(amount(a.Command, tokensIn)) - c.toFront(last(a.Spaces))
	case "place-repl", "place-trucks", "restock", "feed", "provide", "restore", "rebuild", "rebuild-trucks":
		return 1
	case "displace":
		return 2 - c.toBase[c.index(last(a.Spaces))]
	case "suffer", "remove":
		return -c.strength(a.Pieces)
	case "absorb":
		return 0.5
	case "load":
		return c.load(a)
	case "unload":
		return c.unload(a)
	case "waive", "forfeit":
		return -50
	}
	return -20
}

// ready prefers units that arrive near the front to be able to fight, and others to be able to march.
func (c *situation) ready(a *boardv1.Action) float64 {
	far := c.toFront(last(a.Spaces)) > 6
	switch {
	case strings.Contains(a.Command, "reserve"), strings.Contains(a.Command, "strat"):
		return -1
	case far == strings.Contains(a.Command, "face=move"):
		return 0.5
	}
	return 0
}

// load fills transports at dumps that lie behind, and unload empties them where the front is fed.
func (c *situation) load(a *boardv1.Action) float64 {
	p := c.pieces[a.Pieces[0]]
	if p == nil || c.toBase[c.index(p.Place)] <= 1 || amount(a.Command, tokensIn) < 4 {
		return -1
	}
	return 1
}

func (c *situation) unload(a *boardv1.Action) float64 {
	p := c.pieces[a.Pieces[0]]
	if p == nil || c.toBase[c.index(p.Place)] > 1 || amount(a.Command, tokensIn) < 4 {
		return -1
	}
	return 1
}

// Numbers in the notation of commands.
var (
	tokensIn  = regexp.MustCompile(`tokens=(\d+)`)
	countIn   = regexp.MustCompile(`count=(\d+)`)
	retreatIn = regexp.MustCompile(`retreat=(\d+)`)
)

// amount adds up what a pattern finds in a command.
func amount(command string, pattern *regexp.Regexp) (sum int) {
	for _, m := range pattern.FindAllStringSubmatch(command, -1) {
		n, _ := strconv.Atoi(m[1]) // digits only
		sum += n
	}
	return sum
}

// tokensOf reads an amount of supply such as "3 SP 2T".
func tokensOf(text string) (sum int) {
	number := 0
	for _, w := range strings.Fields(text) {
		switch digits, isTokens := strings.CutSuffix(w, "T"); {
		case w == "SP":
			sum += 4 * number
		case isTokens:
			n, _ := strconv.Atoi(digits)
			sum += n
		default:
			number, _ = strconv.Atoi(w)
		}
	}
	return sum
}
