package downfall

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

// A refusal says back what was sent in whole letters, since it could not be sent otherwise: a long name in Japanese,
// and one that a player wrote.
func TestRefusalsHaveWholeLetters(t *testing.T) {
	t.Parallel()
	p := newPosition(olympic(t), 0)
	name := strings.Repeat("軍", 20)
	_, sent := (referee{}).DecodeCommand(p,
		&downfallv1.Command{Kind: &downfallv1.Command_Recover{Recover: &downfallv1.RecoverStep{Unit: name}}},
	)
	_, written := p.parseCommand("recover " + name)
	for how, r := range map[string]interface{ Error() string }{"sent": sent, "written": written} {
		if !utf8.ValidString(r.Error()) {
			t.Errorf("%s: %q", how, r.Error())
		}
	}
	for _, id := range slices.Concat(sent.Pieces, written.Pieces) {
		if !utf8.ValidString(id) {
			t.Errorf("a refusal names %q", id)
		}
	}
	if len(sent.Pieces) != 1 {
		t.Errorf("a refusal names %q, expected what was sent", sent.Pieces)
	}
}
