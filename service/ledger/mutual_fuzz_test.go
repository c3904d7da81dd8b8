package ledger_test

import (
	"bytes"
	"testing"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/ledger"
)

// FuzzMutualDice changes a leaf and the header of a record of a game with mutual dice, and makes all hashes fit.
// Nothing may panic, neither in an audit nor where a server folds its log, and no change of what was asked, answered
// or thrown passes.
func FuzzMutualDice(f *testing.F) {
	games := []*throwing{thrown(f, nil), thrown(f, goesOn)}
	f.Add(uint8(0), uint16(5), uint8(1), uint16(3), uint8(1), uint8(0), uint8(0))
	f.Add(uint8(1), uint16(6), uint8(0), uint16(40), uint8(7), uint8(1), uint8(2))
	f.Add(uint8(0), uint16(7), uint8(0), uint16(0), uint8(0), uint8(9), uint8(1))
	f.Fuzz(func(t *testing.T, which uint8, record uint16, leaf uint8, at uint16, xor, asked, source uint8) {
		game := games[int(which)%len(games)]
		mine := *game.table
		mine.tb, mine.salts = t, ledger.NewSalter(game.salt, game.table.game)
		var changed logv1.LeafKind
		forged := mine.forge(func(log []parts) []parts {
			p := &log[int(record)%len(log)]
			l := &p.leaves[int(leaf)%len(p.leaves)]
			if len(l.Data) > 0 && xor != 0 {
				l.Data = bytes.Clone(l.Data)
				l.Data[int(at)%len(l.Data)] ^= xor
				changed = l.Kind
			}
			p.header.Asked += uint64(asked)
			p.header.DiceSource += logv1.DiceSource(source)
			return log
		})
		sum, _ := mine.audit(forged, ledger.AuditOptions{Stride: 1})
		if (asked != 0 || source != 0 || changed == logv1.LeafKind_LEAF_KIND_ROLL) && sum.Errors == 0 {
			t.Errorf("a forged game passes: %+v", sum)
		}
		var state ledger.DiceState
		for i, data := range forged {
			r, err := ledger.Open(data)
			if err != nil {
				return
			}
			if i == 0 {
				created, err := r.Created()
				if err != nil {
					return
				}
				state = ledger.NewDiceState(created, r.Header().Game)
			}
			if state, err = state.Add(r); err != nil {
				return
			}
		}
	})
}
