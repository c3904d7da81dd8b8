package kit

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// felt is a position of this test; its commands are those of grammar.
type felt int

var spoken = Grammar[felt, *Phrase, order]{
	About: &rules.About{Name: "cards", CommandType: &downfallv1.Command{}},
	Kinds: grammar.Kinds, Kind: grammar.Kind, Make: grammar.Make,
	Phrase: func(_ felt, x Phrase) *Phrase { return &x },
}

func (felt) Grammar() *Grammar[felt, *Phrase, order] { return &spoken }

// A referee that embeds Speaks takes commands into messages and out of them, and refuses those of others.
func TestSpeaks(t *testing.T) {
	t.Parallel()
	var s Speaks[felt, *Phrase, order]
	use := order{Kind: 1, N: 3}
	want := &downfallv1.Command{Kind: &downfallv1.Command_Bombs{Bombs: &downfallv1.DeclareBombs{Count: 3}}}
	m := s.EncodeCommand(0, use)
	if !proto.Equal(m, want) {
		t.Errorf("encoded as %v", m)
	}
	if back, r := s.DecodeCommand(0, want); r != nil || back != use {
		t.Errorf("decoded as %v, %v", back, r)
	}
	if _, r := s.DecodeCommand(0, &boardv1.Map{}); r == nil ||
		!strings.Contains(r.Error(), "a *boardv1.Map is not a command of cards") {
		t.Errorf("a map is read with the refusal %v", r)
	}
	for c, kind := range map[order]string{use: "use", {Kind: 2}: "end", {}: "", {Kind: 9}: ""} {
		if got := s.KindOf(c); got != kind {
			t.Errorf("the kind of %v is %q, expected %q", c, got, kind)
		}
	}
	if got := s.FormatCommand(0, use); got != "use 3" {
		t.Errorf("written as %q", got)
	}
}

// A map is drawn once in each language, and English stands for those that have none.
func TestDrawnByLanguage(t *testing.T) {
	t.Parallel()
	tensors := &rules.Tensors{}
	d := Draw(func(lang rules.Lang) *boardv1.Map { return &boardv1.Map{Digest: string(lang)} }, tensors)
	for lang, want := range map[rules.Lang]rules.Lang{
		rules.English: rules.English, rules.Japanese: rules.Japanese, "zxx": rules.English,
	} {
		if m := d.BoardMap(lang); m.GetDigest() != string(want) || m != d.BoardMap(want) {
			t.Errorf("the map in %s is that in %s", lang, m.GetDigest())
		}
	}
	if d.Tensors() != tensors {
		t.Error("the numbers are others")
	}
}
