package ocs

import "github.com/warledger/warledger/rules"

// hook is an automatic step of a segment: it emits events, and begins a procedure if someone must decide. It is called once, and only when no procedure
// is under way.
type hook func(*Position, *exec)

// hooks are the automatic steps of the stage that a segment is in, in their order. A chapter adds its own here.
func (p *Position) hooks() []hook {
	switch p.stage {
	case opening:
		return openingHooks(p.segment)
	case closing:
		return append(closingHooks(p.segment), p.optionHooks()...)
	}
	return nil
}

// openingHooks happen at the beginning of a segment.
func openingHooks(s Segment) []hook {
	switch s {
	case SegWeather:
		return []hook{(*Position).rollWeather}
	case SegFirstPlayer:
		return []hook{(*Position).rollInitiative}
	case SegRefit:
		return []hook{(*Position).refitDecks}
	case SegReinforcement:
		return []hook{(*Position).beginArrivals, (*Position).shipArrivals, (*Position).airArrivals}
	case SegSupply:
		return []hook{(*Position).beginSupply, (*Position).attrite}
	case SegCleanUp:
		return []hook{(*Position).cleanUp}
	}
	return nil
}

// closingHooks happen at the end of a segment.
func closingHooks(s Segment) []hook {
	switch {
	case s == SegSetupSecond:
		return []hook{(*Position).correctSetUp}
	case s == SegReinforcement: // OCS 13.6a
		return []hook{(*Position).settleDebts, (*Position).removeSaved, (*Position).absorbAll}
	case s <= SegFirstPlayer || s == SegTurnEnd:
		return nil
	case s == SegMovement:
		return []hook{(*Position).checkStacking, (*Position).resetCapacity, (*Position).absorbAll, (*Position).noteConditions}
	}
	return []hook{(*Position).checkStacking, (*Position).absorbAll, (*Position).noteConditions}
}

// mayEnd says why a seat may not end the segment yet; nil if it may. A chapter adds its own demands here.
func (p *Position) mayEnd(seat rules.Seat) *rules.Refusal {
	if r := p.mayEndRefit(seat); r != nil {
		return r
	}
	return p.mayEndMovement(seat)
}
