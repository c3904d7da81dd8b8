package discord

import (
	"strings"
	"testing"
)

// TestOffersAskAgain: lists and completions have no offer; one that is chosen or typed is sent after a second button
// alone.
func TestOffersAskAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	red, _ := s.players()
	if found := red.completes("move", "command=concede"); len(found) > 0 {
		t.Errorf("proposed: %v", found)
	}
	menu := red.slash("move").message
	for _, o := range menuOf(menu).Options {
		if strings.Contains(o.Label+o.Description, "oncede") || strings.Contains(o.Label+o.Description, "draw") {
			t.Errorf("on the list: %v", o)
		}
	}
	version := s.game().GetVersion()
	offers := red.press(menu, "asides|red").message
	asked := red.choose(offers, digest("concede")).message
	if !strings.Contains(asked.Content, "may end the game") || s.game().GetVersion() != version {
		t.Fatalf("asked %q at version %d, want one more question at %d", asked.Content, s.game().GetVersion(), version)
	}
	red.press(asked, "top|red")
	asked = red.slash("move", "command=Concede").message
	if !strings.Contains(asked.Content, "may end the game") || s.game().GetVersion() != version {
		t.Fatalf("asked %q at version %d, want one more question at %d", asked.Content, s.game().GetVersion(), version)
	}
	red.press(asked, "sure|red")
	if g := s.game(); !g.GetOver() {
		t.Errorf("after the second button the game goes on: %v", g)
	}
}
