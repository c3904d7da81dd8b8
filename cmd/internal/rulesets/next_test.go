package rulesets

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// nextSteps is how many commands TestNextIsTheLegalList makes of each ruleset.
const nextSteps = 40

// everything asks for a first page of what a seat may do, with the messages.
var everything = &v1.NextQuery{IncludeCommands: true, PageSize: 400}

// TestNextIsTheLegalList: in a game by chance, the answer to each command has what the other calls say at that version.
// So has the answer to a retry of each other seat's last command.
func TestNextIsTheLegalList(t *testing.T) {
	t.Parallel()
	sets := append(Offered(), toy.Ruleset())
	if testing.Short() { // rules start no goroutines: with the race detector the toy's server shows what there is
		sets = sets[len(sets)-1:]
	}
	for _, set := range sets {
		t.Run(set.About().Name, func(t *testing.T) {
			t.Parallel()
			// The pair's generator and choice of commands; one site is enough.
			p := &pair{t: t, set: set, seed: 11}
			s := newSite(t, set, set.ScenarioDocuments()[0].ID, nil, nil)
			defer s.close()
			went := 0
			for step := range nextSteps {
				waiting := s.game("owner").WaitingFor
				if len(waiting) == 0 {
					break
				}
				seat := waiting[p.below(len(waiting))]
				s.made[seat] = &v1.SubmitCommandRequest{Name: s.name, Seat: seat, CommandId: uuidOf("command",
					uint64(step)), Form: notation(p.pick(s.legal(seat))), Next: everything}
				for _, who := range s.seats() {
					if s.made[who] == nil {
						continue
					}
					out, err := s.games.SubmitCommand(s.as(who), s.made[who])
					s.must(err)
					if who == seat && len(out.Next.Legal.Actions) > 0 {
						went++
					}
					if diff := cmp.Diff(s.nextOf(who), out.Next, protocmp.Transform()); diff != "" {
						t.Fatalf("%s, last %s (-list +next):\n%s", who, s.made[who].GetNotation(), diff)
					}
				}
			}
			if went < nextSteps/10 {
				t.Errorf("the seat could go on after %d commands only", went)
			}
		})
	}
}

// nextOf is what a seat may do, by the calls that say it one at a time.
func (s *site) nextOf(seat string) *v1.NextActions {
	legal, err := s.games.ListLegalActions(s.as(seat), &v1.ListLegalActionsRequest{Name: s.name, Seat: seat,
		IncludeCommands: true, PageSize: 400})
	s.must(err)
	board, err := s.games.GetBoard(s.as(seat), &v1.GetBoardRequest{Name: s.name})
	s.must(err)
	out := &v1.NextActions{Legal: legal}
	for _, p := range board.Board.Prompts {
		if p.Seat == seat {
			out.Prompts = append(out.Prompts, p)
		}
	}
	return out
}
