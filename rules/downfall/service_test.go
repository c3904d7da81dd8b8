package downfall

import (
	"testing"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules/downfall/internal/flower"
	"github.com/warledger/warledger/rules/rulestest"
)

const serviceAward = downfallv1.AwardKind_AWARD_KIND_SERVICE_COMMAND

// serving is turn 20 with 6/ASCO in the box.
func serving(t testing.TB, phase Phase, edits ...func(*flower.Flower)) *table {
	g := onFlower(t, phase, edits...).box(Holding, "ASCO")
	g.p.turn = 20
	return g
}

func TestServiceEntry(t *testing.T) {
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.8-a", "DF 8.8-S1", "DF 8.8-S2", "DF 7.T-14", "DF 6.5-6")
	for _, c := range []struct {
		turn uint8
		cp   int8
		ban  bool
		rule string
	}{
		{19, 6, false, "DF 8.8-a"}, {20, 3, false, "DF 7.4-d"}, {20, 4, true, "DF 6.5-6"}, {20, 4, false, ""},
		{30, 4, false, ""},
	} {
		g := serving(t, USActions).put("C", "I/25")
		g.p.turn, g.p.cp, g.p.ban = c.turn, c.cp, c.ban
		if c.rule != "" {
			g.refused(c.rule, "enter ASCO C")
			if g.legal("enter ASCO C") {
				t.Errorf("%+v: listed", c)
			}
			continue
		}
		g.do("enter ASCO C")
		g.want("ASCO", "C", "cp", 0)
	}
}

func TestServicePlacement(t *testing.T) { // E-77
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 8.8-b", "DF 8.8-f", "DF 8.8-S4", "DF 11.7-a", "DF 7.T-14", "DF 8.8-a")
	ground := func(f *flower.Flower) {
		f.Ground("rough", "N1")
		f.Ground("town", "N2")
		f.Sea("N4", "K4")
	}
	g := serving(t, USActions, ground).put("C", "I/25", "I/33", "R/6").put("N5", "BH-I")
	g.because("DF 8.8-b", "refuse.terrain", "enter ASCO N1")
	g.because("DF 8.8-b", "refuse.terrain", "enter ASCO N2")
	g.because("DF 8.8-b", "refuse.control", "enter ASCO K6")
	g.because("DF 8.8-b", "refuse.beachhead-in-hex", "enter ASCO N5")
	g.because("DF 8.8-f", "refuse.stack", "enter ASCO C")
	free := g.p.Clone()
	g.do("enter ASCO N6")
	g.want("ASCO", "N6", "cp", 2).states("ASCO", "LINE")

	t.Run("next to a Japanese unit", func(t *testing.T) {
		g := &table{t: t, p: free, sc: g.sc}
		g.put("K4", "J1")
		if !g.p.controls(US, g.hex("N4")) {
			t.Fatal("the sea hexside should keep Japanese ZOC out of N4")
		}
		g.because("DF 8.8-b", "refuse.japan-near", "enter ASCO N4")
		g.put("N3", "R/7") // its own hex is under control in Japanese ZOC
		g.put("E2", "J2")
		g.because("DF 8.8-b", "refuse.japan-near", "enter ASCO N3")
		g.put("K6", "J3")
		g.because("DF 8.8-b", "refuse.control", "enter ASCO N6") // contested ZOC
	})
	t.Run("corps artillery takes none of the three places", func(t *testing.T) {
		g := serving(t, USActions).put("C", "I/25", "I/33", "I/art")
		g.do("enter ASCO C")
		g.want("ASCO", "C")
		g.put("N1", "R/6")
		g.refused("DF 10.4", "move R/6 C")
	})
}

func TestServiceCutOff(t *testing.T) { // E-78
	t.Parallel()
	award := func(f *flower.Flower) { f.Award("service", "DF 4.6", serviceAward, 20, 30); f.Coast("limousine", "K4") }
	g := serving(t, SupplyCheck, award).put("K4", "ASCO")
	g.p.turn, g.p.vp, g.p.earned = 24, 5, 1
	rulestest.Proves(t, downfall, "DF 4.6", "DF 8.8-S6", "DF 8.8-e", "DF 9.5-c", "DF 9.8")
	g.check("K4")
	g.want("ASCO", "removed", "vp", 4, "cp", 5)
	rulestest.Proves(t, downfall, "DF 8.8-S7", "DF 8.9-a")
	g.refused("DF 8.8-S7", "enter ASCO N6")
	g.refused("DF 8.9-a", "rebuild ASCO")
	g.turnOver()
	g.want("vp", 4) // one point in all, and no second award
}

func TestServiceOverrun(t *testing.T) { // E-79
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 12.6-b", "DF 4.6", "DF 4.12", "DF 8.5-S6")
	g := onFlower(t, JapanActions).put("N1", "ASCO", "BH-I").put("K1", "J1")
	g.do("move J1 N1")
	g.want("ASCO", "removed", "BH-I", "removed", "J1", "N1:2", "vp", 3, "cp", 5)
}

func TestServiceScoresInItsTurnOfEntry(t *testing.T) { // E-80
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 4.6")
	g := serving(t, USActions, func(f *flower.Flower) { f.Award("service", "DF 4.6", serviceAward, 20, 30) }).
		put("C", "I/25").
		put("N1", "BH-I")
	g.p.turn = 24
	unplaced := g.p.Clone()
	g.do("enter ASCO C")
	g.want("vp", 6)
	g.turnOver()
	g.want("turn", 25, "vp", 7)
	g.usTurn("-").turnOver()
	g.want("turn", 26, "vp", 7, "ASCO", "C")
	g.p = unplaced
	g.turnOver()
	g.want("vp", 6)
}
