package bot

import "testing"

// TestHopeCountsTurnsOnce: what an agreed undo takes back is judged anew, and counts no second time.
func TestHopeCountsTurnsOnce(t *testing.T) {
	t.Parallel()
	type look struct {
		turn   int32
		chance float64
	}
	for name, tt := range map[string]struct {
		looks []look
		want  bool
	}{
		"three turns without hope":            {[]look{{1, 0}, {2, 0}, {3, 0}}, true},
		"two turns":                           {[]look{{1, 0}, {2, 0}}, false},
		"an undo over the end of a turn":      {[]look{{1, 0}, {2, 0}, {1, 0}}, false},
		"the same, and on":                    {[]look{{1, 0}, {2, 0}, {1, 0}, {2, 0}}, false},
		"the same, to a third turn":           {[]look{{1, 0}, {2, 0}, {1, 0}, {2, 0}, {3, 0}}, true},
		"an undo gives hope":                  {[]look{{1, 0}, {2, 0}, {3, 0.5}, {2, 0.5}, {3, 0}, {4, 0}}, false},
		"an undo takes hope":                  {[]look{{1, 0}, {2, 0}, {3, 0.5}, {2, 0}, {3, 0}}, true},
		"hope before the turns taken back":    {[]look{{1, 0.5}, {2, 0}, {3, 0}, {2, 0}, {3, 0}}, false},
		"turns in which it is not its turn":   {[]look{{1, 0}, {3, 0}, {5, 0}}, true},
		"an undo far back":                    {[]look{{4, 0}, {5, 0}, {2, 0}}, false},
		"the third is hopeless at last":       {[]look{{4, 0.5}, {5, 0}, {6, 0}, {7, 0}}, true},
		"hope in the newest turn":             {[]look{{4, 0}, {5, 0}, {6, 0.02}}, false},
		"hope in the middle of three":         {[]look{{4, 0}, {5, 0.02}, {6, 0}}, false},
		"hope in the first of the last three": {[]look{{4, 0.02}, {5, 0}, {6, 0}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var h hope
			var got bool
			for _, l := range tt.looks {
				got = h.add(l.turn, l.chance)
			}
			if got != tt.want {
				t.Errorf("gives up: %t, want %t", got, tt.want)
			}
		})
	}
}
