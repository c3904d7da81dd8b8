package scenario

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"M1 2L3,4":           "1,2 3,4",
		"M1 2 3 4 5 6z":      "1,2 3,4 5,6",
		"m1 2 3 4-1-1z":      "1,2 4,6 3,5",
		"M1 2h3v4H0V1Zm2 2z": "1,2 4,2 4,6 0,6 0,1|3,4",
		" \n":                "",
	} {
		p := pen{text: text, width: 9, height: 9, left: 9}
		if err := p.draw(); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		var rings []string
		for _, r := range p.rings {
			var points []string
			for _, q := range r.GetPoints() {
				points = append(points, string(rune('0'+int(q.GetX())))+","+string(rune('0'+int(q.GetY()))))
			}
			rings = append(rings, strings.Join(points, " "))
		}
		if diff := cmp.Diff(want, strings.Join(rings, "|")); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	p := pen{text: "M1 1 2 2 3 3", width: 9, height: 9, left: 2}
	if err := p.draw(); err == nil || !strings.Contains(err.Error(), "more than 200000 points") {
		t.Errorf("too many points: %v", err)
	}
}
