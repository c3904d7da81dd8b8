package downfall

import (
	"testing"

	"github.com/warledger/warledger/rules/rulestest"
)

func TestCompleteJapaneseAttack(t *testing.T) { // E-30
	t.Parallel()
	rulestest.Proves(t, downfall, "DF 13.2", "DF 13.2-1", "DF 13.2-2", "DF 13.2-3", "DF 13.2-4", "DF 13.2-5", "DF 13.2-6", "DF 13.2-7",
		"DF 13.4", "DF 13.4-1", "DF 13.4-2", "DF 13.4-3", "DF 13.4-4", "DF 13.6-a")
	fought := func(t *testing.T) *table {
		g := onFlower(t, JapanActions).put("N1", "J1", "J2").put("C", "I/25", "I/art")
		g.p.air, g.p.navalReady = 0, 0
		g.do("attack N1 C J1 J2")
		g.want("cp", 4)
		g.do("shot I/25 J1", 5)
		g.want("J1", "N1:1")
		g.do("shot I/25 J1", 6)
		g.want("J1", "N1:1")
		g.do("shot I/art J1", 6)
		g.want("J1", "eliminated")
		g.refused("DF 13.6-a", "shot J2 I/art", 4)
		g.do("shot J2 I/25", 4)
		g.want("I/25", "C:1")
		g.do("shot J2 I/25", 1)
		return g
	}
	t.Run("retreat", func(t *testing.T) {
		g := fought(t)
		g.do("retreat I/25")
		g.want("I/25", "C:1", "I/art", "C:1")
		g.do("withdraw N4")
		g.want("I/25", "N4:1", "I/art", "N4:1")
		g.do("advance J2")
		g.want("J2", "C:2", "vp", 6)
	})
	t.Run("stay", func(t *testing.T) {
		g := fought(t)
		g.do("stay")
		g.want("I/25", "eliminated", "I/art", "C:1", "J2", "N1:2")
		if g.asked() != Japan || g.p.fight.on {
			t.Error("an advance is offered although the artillery holds the hex")
		}
	})
}
