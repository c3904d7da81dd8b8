package kit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// A line has a key, a glyph and a colour as far as they are there, and a legend has their words and shapes.
func TestLegend(t *testing.T) {
	t.Parallel()
	catalogue := rules.MustCatalogue("key\ten\tja\nmark.bare\tbare\t裸\nmark.hit\thit\t命中\nmark.sea\tsea\t海\n")
	looks := Looks(`
		bare
		hit ✕
		sea #9cc4d9 #
	`)
	want := []Look{{"bare", "", ""}, {"hit", "", "✕"}, {"sea", "#9cc4d9", "#"}}
	if diff := cmp.Diff(want, looks); diff != "" {
		t.Errorf("(-want +read)\n%s", diff)
	}
	got := Legend(catalogue, rules.Japanese, "mark", looks, map[string]string{"hit": "M0"})
	legend := []*boardv1.Legend{
		{Key: "bare", Name: "裸"}, {Key: "hit", Name: "命中", Glyph: "✕", Shape: "M0"},
		{Key: "sea", Name: "海", Color: "#9cc4d9", Glyph: "#"},
	}
	if diff := cmp.Diff(legend, got, protocmp.Transform()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
