package discord

import "testing"

// TestOtherRulesets plays a little of games that are larger than Outpost: what is shown must stay
// within what Discord takes.
func TestOtherRulesets(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("their pictures take long with the race detector")
	}
	for scenario, ruleset := range map[string]string{"olympic": "downfall", "1941": "anniversary"} {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			u := s.user("alice", "601")
			u.says("The game begins", "create", "ruleset="+ruleset, "scenario="+scenario)
			for _, seat := range s.game().GetSeats() {
				u.says("You sit at", "join", "seat="+seat.GetId())
			}
			seed := 5
			for range 12 {
				on := u.slash("move", "seat="+s.game().GetWaitingFor()[0]).message
				u.act(on, func(n int) int { seed = (seed*75 + 74) % 65537; return seed % max(1, n-2) })
			}
			if found := u.completes("move", "seat="+s.game().GetWaitingFor()[0], "command="); len(found) == 0 {
				t.Error("nothing is proposed")
			}
			g := s.game()
			s.told(g.GetVersion())
			s.once(g.GetVersion())
			s.narrated()
		})
	}
}
