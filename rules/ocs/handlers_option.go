package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// optionCommand are the commands that only optional rules have (OCS 21, and those of games).
func optionCommand(k Kind) (commandRule, bool) {
	switch k {
	case KindScout:
		return commandRule{(*Position).checkScout, (*Position).playScout, listScout}, true
	case KindFuelIndependents:
		return commandRule{(*Position).checkFuelIndependents, (*Position).playFuelIndependents, listFuelIndependents}, true
	case KindGodzilla:
		return commandRule{(*Position).checkGodzilla, (*Position).playGodzilla, listGodzilla}, true
	case KindGodzillaAnswer:
		return commandRule{(*Position).checkGodzillaAnswer, (*Position).playGodzillaAnswer, listYesNo(KindGodzillaAnswer)}, true
	case KindRaid:
		return commandRule{(*Position).checkRaid, (*Position).playRaid, listRaid}, true
	case KindFlyOn:
		return commandRule{(*Position).checkFlyOn, (*Position).playFlyOn, listFlyOn}, true
	case KindEvade:
		return commandRule{(*Position).checkEvade, (*Position).playEvade, listEvade}, true
	case KindCross:
		return commandRule{(*Position).checkCross, (*Position).playCross, listCross}, true
	}
	return commandRule{}, false
}

// optionHooks are the automatic steps that optional rules add to the end of a segment.
func (p *Position) optionHooks() []hook {
	if !p.opt.raidEvasion {
		return nil
	}
	switch p.segment {
	case SegMovement, SegCombat:
		return []hook{(*Position).noteMarches}
	case SegExploitCombat:
		return []hook{(*Position).beginRaids}
	}
	return nil
}

// offered says why the command of an optional rule may not be given: the game is played without the rule (OCS 21.0).
func offered(on bool, rule, option string) *rules.Refusal {
	if on {
		return nil
	}
	return rules.Refuse(rule, "refuse.option-off", "option", "@option."+option)
}

// optionAudience is who may see the fact of an optional rule: answers and declarations are open, which units did what is not (OCS 4.9).
func (p *Position) optionAudience(e *event) rules.Audience {
	switch k := e.GetFact().(type) {
	case *ocsv1.Event_IndependentsFuelled:
		return p.only(k.IndependentsFuelled.GetSeat())
	case *ocsv1.Event_UnitEvaded:
		return p.only(k.UnitEvaded.GetSeat())
	}
	return rules.Everyone
}
