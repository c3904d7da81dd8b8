package screen

import (
	"testing"

	warledger "github.com/warledger/warledger/clients/go"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// after is a position of one version in which a seat may give some commands.
func after(version uint64, commands ...string) position {
	p := position{game: &v1.Game{Version: version, WaitingFor: []string{"red"}},
		board: &v1.GetBoardResponse{Board: &boardv1.Board{}, Version: version}}
	for i, c := range commands {
		p.actions = append(p.actions, warledger.LegalAction{Action: &boardv1.Action{Command: c}, Version: version,
			Index: i, Total: len(commands)})
	}
	return p
}

// TestTheCursorStaysOnItsLine: when the game moves on under an open list, enter means the line that it was on, or
// nothing.
func TestTheCursorStaysOnItsLine(t *testing.T) {
	t.Parallel()
	m := New(t.Context(), Settings{Seat: "red"})
	m.arrived(after(3, "a", "b", "c"))
	m.choose("All", "", "")
	m.listKey("j")
	m.arrived(after(4, "x", "y", "a", "b"))
	if l := m.list; m.mode != inList || l.actions[l.at].Command != "b" || l.actions[l.at].Version != 4 {
		t.Fatalf("mode %d, the cursor is on %d of %v", m.mode, l.at, l.actions)
	}
	m.arrived(after(5, "a", "x", "c", "y"))
	if m.mode != onMap || m.status == "" {
		t.Fatalf("without its line the list is still open: mode %d, %q", m.mode, m.status)
	}
	m.choose("All", "", "")
	m.mode, m.text.back = inText, inList // as while a preview is read
	m.arrived(after(6, "x"))
	m.textKey("q")
	if m.mode != onMap {
		t.Errorf("after the preview the list of another version is open: mode %d", m.mode)
	}
}
