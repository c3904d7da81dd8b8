package downfall

import downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"

// Procedures are data. Two can be under way, one inside the other: a consecutive attack that is declared or
// carried out, and a combat. Both are part of the position, so that it can be cloned, compared and written
// down at any decision.

// declaration is a consecutive attack (DF 7.8).
type declaration struct {
	on       bool
	declared bool // complete and paid
	seat     uint8
	target   Hex
	count    uint8 // of entries
	begun    uint8 // of them
	air      uint8 // committed air markers not assigned yet
	naval    uint32
	from     [maxEntries]Hex
	units    [maxEntries]UnitSet
}

// Stage is a step of a combat, by the numbers of the contract.
type Stage uint8

// The stages. A US attack passes Bombard, JapanFire, Break, Settle, USFire; a Japanese one Support, USFire, JapanFire,
// Break, Settle, Withdraw. Both end with Advance and Done.
const (
	StageOpen      = Stage(downfallv1.Stage_STAGE_UNSPECIFIED)
	StageSupport   = Stage(downfallv1.Stage_STAGE_SUPPORT)
	StageBombard   = Stage(downfallv1.Stage_STAGE_BOMBARD)
	StageUSFire    = Stage(downfallv1.Stage_STAGE_US_FIRE)
	StageJapanFire = Stage(downfallv1.Stage_STAGE_JAPAN_FIRE)
	StageBreak     = Stage(downfallv1.Stage_STAGE_BREAK)
	StageSettle    = Stage(downfallv1.Stage_STAGE_SETTLE)
	StageWithdraw  = Stage(downfallv1.Stage_STAGE_WITHDRAW)
	StageAdvance   = Stage(downfallv1.Stage_STAGE_ADVANCE)
	StageDone      = Stage(downfallv1.Stage_STAGE_DONE)
)

// fight is a combat (DF 13).
type fight struct {
	on        bool
	landing   bool // DF 8.7
	byJapan   bool // who attacks
	stage     Stage
	from      Hex
	target    Hex
	attackers UnitSet // at the beginning
	defenders UnitSet
	mixed     bool // US units are treated as OOS (DF 10.5-b)
	supported bool // support was decided
	air       bool
	naval     uint8 // 1 + marker
	chemical  uint8 // die; 0 if not rolled
	chemMod   int8  // what it came to
	toFire    UnitSet
	shooter   Unit    // fired last and has shots left
	shots     uint8   // that it has left
	bonusHit  bool    // DF 13.12
	hurt      UnitSet // US units that lost a step, net of what came back
	hurtTwice UnitSet // and those that lost two
	retreat   bool    // declared, or the attack was aborted
}

// usUnits are the US units of a combat, at the beginning.
func (f *fight) usUnits() UnitSet {
	if f.byJapan {
		return f.defenders
	}
	return f.attackers
}

// japanUnits are the Japanese units of a combat, at the beginning.
func (f *fight) japanUnits() UnitSet {
	if f.byJapan {
		return f.attackers
	}
	return f.defenders
}

// usHex is the hex that the US units fight from; that of a landing is the target (D-28).
func (f *fight) usHex() Hex {
	if f.byJapan || f.landing {
		return f.target
	}
	return f.from
}

// standing are the units of a set that have steps left.
func (p *Position) standing(s UnitSet) UnitSet {
	for rest := s; rest != 0; rest &= rest - 1 {
		if u := rest.First(); p.steps[u] == 0 {
			s &^= bit(u)
		}
	}
	return s
}
