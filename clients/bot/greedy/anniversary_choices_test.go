package greedy

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/warledger/warledger/clients/bot"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// scene is a position made by hand, with the actions that are open.
type scene struct {
	seat    string
	board   *boardv1.Board
	chart   *boardv1.Map
	actions []*boardv1.Action
}

func (*scene) Ruleset() string                                 { return "anniversary" }
func (s *scene) Seat() string                                  { return s.seat }
func (s *scene) Len() int                                      { return len(s.actions) }
func (s *scene) Action(i int) *boardv1.Action                  { return s.actions[i] }
func (s *scene) Offer(i int) bool                              { return s.actions[i].Offer }
func (s *scene) Board(context.Context) (*boardv1.Board, error) { return s.board, nil }
func (s *scene) Map(context.Context) (*boardv1.Map, error)     { return s.chart, nil }
func offered(kind string) *boardv1.Action {
	return &boardv1.Action{Kind: kind, Command: kind, Offer: true}
}
func unit(w, kind, place string, n int, marks ...string) *boardv1.Piece {
	return &boardv1.Piece{
		Id: place + "/" + w + "/" + kind, Owner: w, Formation: w, Kind: kind, Place: place, Count: int32(n),
		Marks: marks,
	}
}

// set makes a scene on the real map. Owners are "power territory,territory"; actions are commands, whose
// pieces are found from them.
func set(
	t *testing.T, seat, phase string, owners map[string]string, pieces []*boardv1.Piece, commands ...string,
) *scene {
	t.Helper()
	s := &scene{seat: seat, chart: world(t).of,
		board: &boardv1.Board{Clock: &boardv1.Clock{Turn: 1, Phase: phase, Active: seat}, Pieces: pieces}}
	for w, places := range owners {
		for _, place := range strings.Split(places, ",") {
			s.board.Spaces = append(s.board.Spaces, &boardv1.SpaceState{Id: place, Owner: w})
		}
	}
	for _, c := range commands {
		words := strings.Fields(c)
		a := &boardv1.Action{Kind: words[0], Command: c}
		if words[0] == "move" {
			from, _, _ := strings.Cut(words[3], ">")
			a.Pieces = []string{from + "/" + seat + "/" + words[2]}
		}
		if words[0] == "buy" {
			a.Cost = map[string]string{"infantry": "3 IPCs", "tank": "5 IPCs", "fighter": "10 IPCs"}[words[2]]
		}
		s.actions = append(s.actions, a)
	}
	s.actions = append(s.actions, offered("concede"))
	return s
}

// choose has the bot play a scene to its end, action by action, and lists what it did. Moves happen no more than once.
func choose(t *testing.T, s *scene) (done []string) {
	t.Helper()
	g := newGeneral(sober)(1)
	for range 20 {
		c, err := g.Choose(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		a := s.actions[c.Action]
		if a.Offer {
			t.Fatalf("it chose the offer %s", a.Kind)
		}
		command := a.Command
		if c.Notation != "" {
			command = c.Notation
		}
		if done = append(done, command); a.Kind != "move" && a.Kind != "recall" {
			return done
		}
		s.actions = slices.DeleteFunc(s.actions, func(x *boardv1.Action) bool { return x == a })
	}
	t.Fatalf("it does not come to an end: %v", done)
	return nil
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("it chose %q, want %q", got, want)
	}
}

// borders of the scenes.
var borders = map[string]string{"germany": "germany,poland", "soviet-union": "east-poland,russia"}

func TestGreedyAttacksAtGoodOdds(t *testing.T) {
	t.Parallel()
	army := []*boardv1.Piece{unit("germany", "infantry", "poland", 5), unit("germany", "tank", "poland", 3),
		unit("germany", "infantry", "germany", 3)}
	for defenders, least := range map[int]int{0: 1, 1: 2, 20: 0} {
		pieces := append(slices.Clone(army), unit("soviet-union", "infantry", "east-poland", defenders))
		if defenders == 0 {
			pieces = army
		}
		done := choose(t, set(t, "germany", "combat-move", borders, pieces, "move 1 infantry poland>east-poland",
			"move 1 tank poland>east-poland", "end"))
		sent := 0
		for _, c := range done {
			if words := strings.Fields(c); words[0] == "move" {
				n, _ := strconv.Atoi(words[1])
				sent += n
			}
		}
		if sent < least || least == 0 && sent > 0 || done[len(done)-1] != "end" {
			t.Errorf("against %d infantry it chose %q", defenders, done)
		}
		if defenders == 0 && done[0] != "move 1 infantry poland>east-poland" {
			t.Errorf("it takes an empty territory with %q first", done[0])
		}
	}
}

func TestGreedyTakesBackWhatCannotStay(t *testing.T) {
	t.Parallel()
	pieces := []*boardv1.Piece{unit("germany", "infantry", "poland", 2), unit("germany", "infantry", "germany", 3)}
	s := set(t, "germany", "combat-move", borders, pieces, "move 1 infantry poland>east-poland", "recall 0")
	g := newGeneral(sober)(1)
	var done []string
	for range 2 {
		c, err := g.Choose(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, s.actions[c.Action].Command)
	}
	s.actions = append(s.actions, &boardv1.Action{Kind: "end", Command: "end"})
	c, err := g.Choose(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	same(t, append(done, s.actions[c.Action].Command), "move 1 infantry poland>east-poland", "recall 0", "end")
}

func TestGreedyDefendsItsCapital(t *testing.T) {
	t.Parallel()
	menaced := map[string]string{"germany": "germany,northwestern-europe", "soviet-union": "poland",
		"united-kingdom": "france"}
	pieces := []*boardv1.Piece{
		unit("germany", "infantry", "germany", 4), unit("soviet-union", "infantry", "poland", 6), unit("soviet-union",
			"tank", "poland", 4),
		unit("germany", "infantry", "northwestern-europe", 2),
		{Id: "germany/industrial-complex", Kind: "industrial-complex", Place: "germany", Count: 1,
			Numbers: []*boardv1.Number{{Key: "capacity", Value: "10"}}},
	}
	same(t,
		choose(t, set(t, "germany", "combat-move", menaced, pieces, "move 1 infantry germany>france", "end")), "end")
	same(t,
		choose(t, set(t, "germany", "noncombat-move", menaced, pieces, "move 1 infantry germany>northwestern-europe",
			"move 1 infantry northwestern-europe>germany", "end")),
		"move 2 infantry northwestern-europe>germany", "end")
	s := set(t, "germany", "purchase", menaced, pieces, "buy 1 infantry", "buy 1 tank", "buy 1 fighter", "end")
	s.board.Tracks = []*boardv1.Track{{Id: "germany-ipcs", Value: 18}}
	same(t, choose(t, s), "buy 6 infantry")
}

// inBattle sets a combat of Germany in East Poland.
func inBattle(t *testing.T, attackers, defenders []*boardv1.Piece, commands ...string) *scene {
	t.Helper()
	s := set(t, "germany", "combat", borders, append(slices.Clone(attackers), defenders...), commands...)
	p := &boardv1.Procedure{Kind: "battle", Spaces: []string{"east-poland"}}
	for _, x := range attackers {
		p.Attackers = append(p.Attackers, x.Id)
	}
	for _, x := range defenders {
		p.Defenders = append(p.Defenders, x.Id)
	}
	s.board.Procedures = []*boardv1.Procedure{p}
	return s
}

func TestGreedyPressesOnOrRetreats(t *testing.T) {
	t.Parallel()
	many := []*boardv1.Piece{unit("germany", "tank", "east-poland", 5)}
	few := []*boardv1.Piece{unit("germany", "tank", "east-poland", 1)}
	strong := []*boardv1.Piece{unit("soviet-union", "infantry", "east-poland", 6)}
	weak := []*boardv1.Piece{unit("soviet-union", "infantry", "east-poland", 1)}
	same(t, choose(t, inBattle(t, many, weak, "press", "retreat poland")), "press")
	same(t, choose(t, inBattle(t, few, strong, "press", "retreat poland")), "retreat poland")
}

func TestGreedyLosesTheCheapestFirst(t *testing.T) {
	t.Parallel()
	foe := []*boardv1.Piece{unit("soviet-union", "infantry", "east-poland", 1)}
	own := []*boardv1.Piece{unit("germany", "infantry", "east-poland", 2), unit("germany", "tank", "east-poland", 1)}
	same(t, choose(t, inBattle(t, own, foe, "lose 1 tank", "lose 1 infantry")), "lose 1 infantry")
	ship := []*boardv1.Piece{unit("germany", "battleship", "sz-5", 1), unit("germany", "destroyer", "sz-5", 1)}
	same(t, choose(t, inBattle(t, ship, foe, "lose 1 destroyer", "lose 1 battleship-hull")), "lose 1 battleship-hull")
	last := []*boardv1.Piece{unit("germany", "infantry", "russia", 1), unit("germany", "fighter", "russia", 1)}
	s := inBattle(t, last, foe, "lose 1 infantry", "lose 1 fighter")
	s.board.Procedures[0].Spaces = []string{"russia"} // rich enough to give a fighter for
	same(t, choose(t, s), "lose 1 fighter")
}

var _ bot.View = (*scene)(nil)
