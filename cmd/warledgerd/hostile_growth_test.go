package main

import "testing"

// TestGrowthIsSeen judges what was measured in ten hostile minutes on a busy machine. In the last of them the server
// had a fault of old: calls that were refused at the door kept their contexts, some 15 MiB a minute. [TestHostile]
// must notice that, and must not take the ups and downs of the others for it.
func TestGrowthIsSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		mib   [][2]float64 // in use, and of that games
		grows bool
	}{
		{"at load 40", [][2]float64{
			{122, 15}, {126, 15}, {117, 15}, {116, 15}, {168, 16}, {148, 16}, {164, 16}, {168, 17}, {156, 19},
			{132, 19}, {219, 21}, {153, 21}, {162, 25}, {161, 25}, {180, 30}, {195, 30}, {155, 30}, {199, 31},
			{205, 33}, {143, 33},
		}, false},
		{"at load 30", [][2]float64{
			{147, 14}, {132, 14}, {126, 15}, {140, 15}, {145, 19}, {150, 19}, {152, 20}, {136, 19}, {151, 20},
			{151, 20}, {193, 21}, {153, 21}, {192, 22}, {176, 23}, {154, 23}, {186, 24}, {186, 25}, {161, 25},
			{127, 25}, {172, 25},
		}, false},
		{"with the fault", [][2]float64{
			{138, 14}, {175, 15}, {166, 15}, {166, 15}, {182, 15}, {240, 17}, {201, 17}, {157, 19}, {198, 19},
			{188, 19}, {157, 20}, {175, 20}, {193, 21}, {298, 26}, {268, 26}, {169, 27}, {229, 27}, {273, 28},
			{283, 29}, {242, 29},
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var samples []sample
			for _, m := range c.mib {
				samples = append(samples, sample{used: m[0] * (1 << 20), live: m[1] * (1 << 20)})
			}
			if wrong := growth(t, samples); (len(wrong) > 0) != c.grows {
				t.Errorf("found %q, want growth: %t", wrong, c.grows)
			}
		})
	}
}
