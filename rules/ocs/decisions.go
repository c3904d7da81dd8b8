package ocs

import "github.com/warledger/warledger/rules"

// question says how a question is called and which paragraphs govern it.
type question struct {
	id    string
	rules []string
}

// questions by Ask; those of segments have the id of the segment in texts.
var questions = [numAsks]question{
	AskSetup:          {"set-up", []string{"OCS Intro-IV-B"}},
	AskAgree:          {"agree", []string{"OCS 2.4"}},
	AskOrder:          {"order", []string{"OCS 2.3-B"}},
	AskRefit:          {"refit", []string{"OCS 2.3-C"}},
	AskReinforce:      {"reinforce", []string{"OCS 2.3-D"}},
	AskBreakout:       {"breakout", []string{"OCS 12.8e"}},
	AskMove:           {"move", []string{"OCS 2.3-E", "OCS 6.0"}},
	AskAirNaval:       {"air-naval", []string{"OCS 2.3-E"}},
	AskReact:          {"react", []string{"OCS 7.0a"}},
	AskReactBarrage:   {"react-barrage", []string{"OCS 2.3-G"}},
	AskBarrage:        {"barrage", []string{"OCS 10.0"}},
	AskCombat:         {"combat", []string{"OCS 9.0"}},
	AskExploit:        {"exploit", []string{"OCS 11.0a"}},
	AskExploitBarrage: {"exploit-barrage", []string{"OCS 2.3-I"}},
	AskExploitCombat:  {"exploit-combat", []string{"OCS 2.3-I"}},
	AskExcess:         {"excess", []string{"OCS 4.8a"}},
	AskRestock:        {"restock", []string{"OCS 12.10e"}},
	AskFeed:           {"feed", []string{"OCS 12.6c", "OCS 12.6f"}},
	AskAttrition:      {"attrition", []string{"OCS 12.8b"}},
	AskDisplace:       {"displace", []string{"OCS 9.14c"}},
	AskYield:          {"yield", []string{"OCS 9.14c"}},
	AskCombatSupply:   {"combat-supply", []string{"OCS 9.2-2", "OCS 9.5b"}},
	AskLead:           {"lead", []string{"OCS 9.6"}},
	AskTerrain:        {"terrain", []string{"OCS 9.4b", "OCS 9.4c"}},
	AskLosses:         {"losses", []string{"OCS 9.10", "OCS 9.11"}},
	AskRetreat:        {"retreat", []string{"OCS 9.12"}},
	AskAdvance:        {"advance", []string{"OCS 9.12g"}},
	AskArrive:         {"arrive", []string{"OCS 13.6"}},
	AskPlace:          {"place", []string{"OCS 13.5", "OCS 13.6"}},
	AskIntercept:      {"intercept", []string{"OCS 14.5"}},
	AskStandDown:      {"stand-down", []string{"OCS 14.3d"}},
	AskEngage:         {"engage", []string{"OCS 14.3e-B"}},
	AskFlyBack:        {"fly-back", []string{"OCS 14.1c"}},
	AskTakeHit:        {"take-hit", []string{"OCS 14.4f"}},
	AskJettison:       {"jettison", []string{"OCS 14.4g"}},
	AskPlaceAir:       {"place-air", []string{"OCS 2.3-D", "OCS 14.2a"}},
	AskBeach:          {"beach", []string{"OCS 18.6b"}},
	AskGodzilla:       {"godzilla", []string{"OCS 21.10a"}},
	AskRaid:           {"raid", []string{"OCS 21.10b"}},
	AskEvade:          {"evade", []string{"OCS 21.10b"}},
	AskPlaceShip:      {"place-ship", []string{"OCS 2.3-D"}},
	AskAim:            {"aim", []string{"OCS 18.3c"}},
	AskFlyOn:          {"fly-on", []string{"OCS 21.12a"}},
}

// Decisions says what the game waits for, seat by seat. That a question is asked is public.
func (p *Position) Decisions() []rules.Decision {
	ask, seats := p.ask()
	if ask == AskNothing {
		return nil
	}
	q := &questions[ask]
	var all []rules.Decision
	for seat := range seats.Each {
		d := rules.Decision{
			Seat: seat, Kind: q.id, Discreet: p.mayHide(ask), Rules: append([]string(nil), q.rules...),
			Text: rules.Say("decide."+q.id, "at", p.askPlace()),
		}
		if f := p.top(); f != nil && f.base().at.onMap() {
			d.Spaces = []string{p.sc.PlaceID(f.base().at)}
		}
		all = append(all, d)
	}
	return all
}

// mayHide reports whether a question may hide that its seat has no choice. An answer at once would tell that the seat
// has no reserves to release, no supply to give, or one unit (OCS 4.9).
func (p *Position) mayHide(ask Ask) bool {
	switch ask {
	case AskReact, AskReactBarrage, AskCombatSupply, AskLead, AskIntercept:
		return true
	case AskLosses:
		return inner[*combat](p) != nil
	}
	return false
}

// askPlace is the place that the innermost procedure is about.
func (p *Position) askPlace() rules.Words {
	if f := p.top(); f != nil {
		return p.sc.placeName(p.sc.PlaceID(f.base().at))
	}
	return rules.Words{En: "-"}
}
