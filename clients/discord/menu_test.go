package discord

import (
	"slices"
	"strings"
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// TestMenusGoByWhatWasShown: an option and a long completion stand for their command, not for a place. Lists of one
// version are sorted for their reader, and another server may sort differently.
func TestMenusGoByWhatWasShown(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("stack ", 20) + "0304"
	list := []warledger.LegalAction{
		{Action: &boardv1.Action{Command: "end"}, Version: 12},
		{Action: &boardv1.Action{Command: long}, Version: 12, Index: 1},
	}
	version, mark, ok := reference("=12:" + digest(long))
	if !ok || version != 12 {
		t.Fatalf("a completion reads as version %d, %t", version, ok)
	}
	if _, _, ok := reference("=12"); ok {
		t.Error("half a completion is read")
	}
	for range 2 {
		if i := meant(list, version, mark); i < 0 || list[i].GetCommand() != long {
			t.Errorf("in %v it means %d", list, i)
		}
		slices.Reverse(list)
	}
	if i := meant(list, 11, mark); i >= 0 {
		t.Errorf("it means %d in the list of another version", i)
	}
	if i := meant(list, 12, "0"); i >= 0 {
		t.Errorf("the place 0 means %d", i)
	}
}

// TestAMenuOfAnotherOrder: what is chosen in a menu is done, and a value that no menu has shown does nothing.
func TestAMenuOfAnotherOrder(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	red, _ := s.players()
	menu := red.slash("move").message
	options := menuOf(menu).Options
	version := s.game().GetVersion()
	for _, forged := range []string{"0", "1", "-1", "", "x"} {
		if got := red.choose(menu, forged).message.Content; strings.Contains(got, "Done") {
			t.Errorf("the value %q does something: %q", forged, got)
		}
	}
	if now := s.game().GetVersion(); now != version {
		t.Fatalf("the game is at version %d, want %d", now, version)
	}
	last := options[len(options)-1]
	if got := red.choose(menu, last.Value).message.Content; !strings.Contains(got, last.Description) {
		t.Errorf("%q does %q", last.Description, got)
	}
}
