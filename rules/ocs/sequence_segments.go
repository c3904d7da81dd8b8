package ocs

import (
	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// Segments, by the numbers of the contract (OCS 2.2).
const (
	SegNone        = Segment(ocsv1.Segment_SEGMENT_UNSPECIFIED)
	SegSetupFirst  = Segment(ocsv1.Segment_SEGMENT_SETUP_FIRST)
	SegSetupSecond = Segment(ocsv1.Segment_SEGMENT_SETUP_SECOND)
	SegWeather     = Segment(ocsv1.Segment_SEGMENT_WEATHER)
	SegAgreement   = Segment(ocsv1.Segment_SEGMENT_AGREEMENT)
	SegFirstPlayer = Segment(ocsv1.Segment_SEGMENT_FIRST_PLAYER)

	SegRefit            = Segment(ocsv1.Segment_SEGMENT_REFIT)
	SegReinforcement    = Segment(ocsv1.Segment_SEGMENT_REINFORCEMENT)
	SegBreakout         = Segment(ocsv1.Segment_SEGMENT_BREAKOUT)
	SegMovement         = Segment(ocsv1.Segment_SEGMENT_MOVEMENT)
	SegAirNaval         = Segment(ocsv1.Segment_SEGMENT_AIR_NAVAL_BARRAGE)
	SegSupply           = Segment(ocsv1.Segment_SEGMENT_SUPPLY)
	SegReactionMove     = Segment(ocsv1.Segment_SEGMENT_REACTION_MOVEMENT)
	SegReactionBarrage  = Segment(ocsv1.Segment_SEGMENT_REACTION_BARRAGE)
	SegArtilleryBarrage = Segment(ocsv1.Segment_SEGMENT_ARTILLERY_BARRAGE)
	SegCombat           = Segment(ocsv1.Segment_SEGMENT_COMBAT)
	SegExploitMove      = Segment(ocsv1.Segment_SEGMENT_EXPLOITATION_MOVEMENT)
	SegExploitBarrage   = Segment(ocsv1.Segment_SEGMENT_EXPLOITATION_BARRAGE)
	SegExploitCombat    = Segment(ocsv1.Segment_SEGMENT_EXPLOITATION_COMBAT)
	SegCleanUp          = Segment(ocsv1.Segment_SEGMENT_CLEAN_UP)
	SegTurnEnd          = Segment(ocsv1.Segment_SEGMENT_TURN_END)
	numSegments         = SegTurnEnd + 1
)

// actor says who acts in a segment.
type actor uint8

// The actors.
const (
	engine     actor = iota // nobody decides
	phasingOne              // the phasing side
	otherOne                // the other side, of the Reaction Phase
	setupFirst              // the side that sets up first
	setupOther              // the other one
	everyone                // both sides
	winnerOne               // the side that may choose player turns
)

// phase is a phase that segments are parts of.
type phase uint8

// The phases: set-up, before the player turns, those of a player turn, after both (OCS 2.3).
const (
	noPhase phase = iota
	setUpPhase
	preTurnPhase
	refitPhase
	reinforcementPhase
	movementPhase
	supplyPhase
	reactionPhase
	combatPhase
	exploitationPhase
	cleanUpPhase
	turnEndPhase
)

// segmentInfo is a row of the sequence of play (OCS 2.2).
type segmentInfo struct {
	id    string
	phase phase
	acts  actor
	ask   Ask
	// begins is true for the first segment of a phase: what lasts for a phase is forgotten (OCS 2.3).
	begins bool
	// together is false for segments that are left out of a simultaneous turn (OCS 2.4).
	together bool
	// air is true for segments that are played only in games with air units, sea if ships are reason enough too.
	air, sea bool
	// rule is the paragraph of the segment.
	rule string
}

// segments is the sequence of play. In the Reaction Phase the other side moves, overruns and barrages, as always (OCS
// 7.0b), and has no combat segment (OCS 7.0). In the Exploitation Phase the phasing side moves, overruns, barrages and
// attacks once more (OCS 11.0, OCS 11.0c).
var segments = [numSegments]segmentInfo{
	SegSetupFirst: {id: "setup-first", phase: setUpPhase, acts: setupFirst, ask: AskSetup, begins: true,
		rule: "OCS Intro-IV"},
	SegSetupSecond: {id: "setup-second", phase: setUpPhase, acts: setupOther, ask: AskSetup, rule: "OCS Intro-IV"},
	SegWeather:     {id: "weather", phase: preTurnPhase, begins: true, together: true, rule: "OCS 2.3-A"},
	SegAgreement:   {id: "agreement", phase: preTurnPhase, acts: everyone, ask: AskAgree, rule: "OCS 2.4"},
	SegFirstPlayer: {id: "first-player", phase: preTurnPhase, acts: winnerOne, ask: AskOrder, rule: "OCS 2.3-B"},

	SegRefit: {id: "refit", phase: refitPhase, acts: phasingOne, ask: AskRefit, begins: true, together: true, air: true,
		rule: "OCS 2.3-C"},
	SegReinforcement: {id: "reinforcement", phase: reinforcementPhase, acts: phasingOne, ask: AskReinforce,
		begins: true, together: true, rule: "OCS 2.3-D"},
	SegBreakout: {id: "breakout", phase: movementPhase, acts: phasingOne, ask: AskBreakout, begins: true,
		together: true, rule: "OCS 12.8e"},
	SegMovement: {id: "movement", phase: movementPhase, acts: phasingOne, ask: AskMove, together: true,
		rule: "OCS 2.3-E"},
	SegAirNaval: {id: "air-naval-barrage", phase: movementPhase, acts: phasingOne, ask: AskAirNaval, air: true,
		sea: true, rule: "OCS 2.3-E"},
	SegSupply: {id: "supply", phase: supplyPhase, begins: true, together: true, rule: "OCS 2.3-F"},
	SegReactionMove: {id: "reaction-movement", phase: reactionPhase, acts: otherOne, ask: AskReact, begins: true,
		together: true, rule: "OCS 2.3-G"},
	SegReactionBarrage: {id: "reaction-barrage", phase: reactionPhase, acts: otherOne, ask: AskReactBarrage,
		rule: "OCS 2.3-G"},
	SegArtilleryBarrage: {id: "artillery-barrage", phase: combatPhase, acts: phasingOne, ask: AskBarrage, begins: true,
		rule: "OCS 2.3-H"},
	SegCombat: {id: "combat", phase: combatPhase, acts: phasingOne, ask: AskCombat, rule: "OCS 2.3-H"},
	SegExploitMove: {id: "exploitation-movement", phase: exploitationPhase, acts: phasingOne, ask: AskExploit,
		begins: true, together: true, rule: "OCS 2.3-I"},
	SegExploitBarrage: {id: "exploitation-barrage", phase: exploitationPhase, acts: phasingOne, ask: AskExploitBarrage,
		rule: "OCS 2.3-I"},
	SegExploitCombat: {id: "exploitation-combat", phase: exploitationPhase, acts: phasingOne, ask: AskExploitCombat,
		rule: "OCS 2.3-I"},
	SegCleanUp: {id: "clean-up", phase: cleanUpPhase, begins: true, together: true, rule: "OCS 2.3-J"},
	SegTurnEnd: {id: "turn-end", phase: turnEndPhase, begins: true, together: true, rule: "OCS 2.3-L"},
}

// inPlayerTurn reports whether a segment is one of a player turn.
func (s Segment) inPlayerTurn() bool {
	switch segments[s].phase {
	case noPhase, setUpPhase, preTurnPhase, turnEndPhase:
		return false
	}
	return true
}

// afterSupply reports whether a segment comes after the Supply Phase of its player turn.
func (s Segment) afterSupply() bool {
	switch segments[s].phase {
	case reactionPhase, combatPhase, exploitationPhase, cleanUpPhase, turnEndPhase:
		return true
	}
	return false
}

// Ask is a question that the game waits for an answer to.
type Ask uint8

// The questions of segments, then those of procedures.
const (
	AskNothing        Ask = iota
	AskSetup              // OCS Intro-IV-B
	AskAgree              // OCS 2.4
	AskOrder              // OCS 2.3-B
	AskRefit              // OCS 2.3-C
	AskReinforce          // OCS 2.3-D
	AskBreakout           // OCS 12.8e
	AskMove               // OCS 2.3-E
	AskAirNaval           // OCS 2.3-E
	AskReact              // OCS 7.0a
	AskReactBarrage       // OCS 2.3-G
	AskBarrage            // OCS 10.0
	AskCombat             // OCS 9.0
	AskExploit            // OCS 11.0a
	AskExploitBarrage     // OCS 2.3-I
	AskExploitCombat      // OCS 2.3-I

	AskExcess       // OCS 4.8a
	AskRestock      // OCS 12.10e
	AskFeed         // OCS 12.6c, OCS 12.6f
	AskAttrition    // OCS 12.8b
	AskDisplace     // OCS 9.14c
	AskYield        // OCS 9.14c
	AskCombatSupply // OCS 9.2-2
	AskLead         // OCS 9.2-3
	AskTerrain      // OCS 9.2-4
	AskLosses       // OCS 9.2-8
	AskRetreat      // OCS 9.12
	AskAdvance      // OCS 9.2-9
	AskArrive       // OCS 13.6
	AskPlace        // OCS 13.5, OCS 13.6

	AskIntercept // OCS 14.5
	AskStandDown // OCS 14.3d
	AskEngage    // OCS 14.3e-B
	AskFlyBack   // OCS 14.1c
	AskTakeHit   // OCS 14.4f
	AskJettison  // OCS 14.4g
	AskPlaceAir  // OCS 2.3-D
	AskGodzilla  // OCS 21.10a
	AskBeach     // OCS 18.6b
	AskRaid      // OCS 21.10b
	AskEvade     // OCS 21.10b

	AskPlaceShip // OCS 2.3-D
	AskAim       // OCS 18.3c
	AskFlyOn     // OCS 21.12a
	numAsks
)

// segmentAsks are the questions that `end` answers; moveAsks those of the movement segments, fuelAsks those of
// any phase (OCS 12.5c).
const (
	segmentAsks uint64 = 1<<AskSetup | 1<<AskRefit | 1<<AskReinforce | 1<<AskBreakout | 1<<AskMove | 1<<AskAirNaval |
		1<<AskReact | 1<<AskReactBarrage |
		1<<AskBarrage | 1<<AskCombat | 1<<AskExploit | 1<<AskExploitBarrage | 1<<AskExploitCombat
	fuelAsks        = segmentAsks &^ (1 << AskSetup)
	moveAsks uint64 = 1<<AskMove | 1<<AskReact | 1<<AskExploit
)

// acting are the seats that act in the segment, whether or not they have ended it.
func (p *Position) acting() rules.Seats {
	if p.segment == SegNone {
		return 0
	}
	first := rules.Seat(Blue)
	if p.sc.Doc.GetSetsUpFirst() == seatIDs[Red] {
		first = Red
	}
	switch acts := segments[p.segment].acts; {
	case acts == engine:
		return 0
	case acts == setupFirst:
		return rules.SeatsOf(first)
	case acts == setupOther:
		return rules.SeatsOf(enemy(first))
	case acts == winnerOne:
		return rules.SeatsOf(p.chooser)
	case acts == everyone || p.together:
		return rules.SeatsOf(Blue, Red)
	case acts == otherOne:
		return rules.SeatsOf(enemy(p.phasing))
	}
	return rules.SeatsOf(p.phasing)
}

// acts reports whether a seat acts in the segment.
func (p *Position) acts(seat rules.Seat) bool { return p.acting().Has(seat) }
