package anniversary

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// gameXML writes a scenario as a game definition, the way round that the importer does not know.
func gameXML(sc *Scenario) string {
	var b strings.Builder
	tag := func(format string, args ...any) {
		for i, a := range args {
			if s, ok := a.(string); ok {
				var x strings.Builder
				_ = xml.EscapeText(&x, []byte(s))
				args[i] = x.String()
			}
		}
		fmt.Fprintf(&b, format+"\n", args...)
	}
	name := func(sp Space) string {
		if sc.IsSea(sp) {
			return strings.TrimPrefix(sc.SpaceID(sp), "sz-") + " Sea Zone"
		}
		return strings.ReplaceAll(sc.Spaces[sp].Name.GetEn(), "/", " ")
	}
	names := func(spaces []Space) string {
		var all []string
		for _, sp := range spaces {
			all = append(all, name(sp))
		}
		return strings.Join(all, ":")
	}
	option := func(n, v string) { tag(`<option name="%s" value="%s"/>`, n, v) }
	attach := func(what, to, class, kind string, body func()) {
		tag(`<attachment name="%s" attachTo="%s" javaClass="games.strategy.triplea.attachments.%s" type="%s">`, what, to, class, kind)
		body()
		tag(`</attachment>`)
	}
	tag(`<?xml version="1.0" ?>`)
	tag(`<!DOCTYPE game SYSTEM "game.dtd">`)
	tag(`<game><info name="%s" version="1.0"/><loader javaClass="x"/><triplea minimumVersion="1"/><diceSides value="6"/><map>`, sc.Doc.GetTitle().GetEn())
	for sp := range Space(sc.Len()) {
		if sc.IsSea(sp) {
			tag(`<territory name="%s" water="true"/>`, name(sp))
		} else {
			tag(`<territory name="%s"/>`, name(sp))
		}
	}
	for a := range Space(sc.Len()) {
		for o := range sc.adjacent[a].Each {
			if a < o {
				tag(`<connection t1="%s" t2="%s"/>`, name(o), name(a))
			}
		}
	}
	tag(`</map><resourceList><resource name="PUs"/><resource name="techTokens"/></resourceList><playerList>`)
	for w, p := range playerNames {
		tag(`<player name="%s" optional="false"/>`, p)
		tag(`<alliance player="%s" alliance="%s"/>`, p, [...]string{"Axis", "Allies"}[Power(w).Side()])
	}
	tag(`</playerList><unitList>`)
	for _, u := range unitNames {
		tag(`<unit name="%s"/>`, u)
	}
	tag(`</unitList><gamePlay><delegate name="move" javaClass="games.strategy.triplea.delegate.MoveDelegate" display="x"/><sequence>`)
	for _, w := range sc.Order {
		tag(`<step name="%sCombatMove" delegate="move" player="%s"/>`, w.ID(), playerNames[w])
		tag(`<step name="%sNonCombatMove" delegate="move" player="%s" display="x"><stepProperty name="a" value="b"/></step>`, w.ID(), playerNames[w])
	}
	tag(`<step name="endRound" delegate="endRound"/></sequence></gamePlay><production>`)
	for u, n := range unitNames {
		tag(`<productionRule name="buy%s"><cost resource="PUs" quantity="%d"/><result resourceOrUnit="%s" quantity="1"/></productionRule>`, n, sc.Units[u].Cost, n)
		tag(`<productionRule name="yard%s"><cost resource="PUs" quantity="%d"/><result resourceOrUnit="%s" quantity="1"/></productionRule>`, n, sc.Cost(Unit(u), 1<<ImprovedShipyards), n)
	}
	tag(`<repairRule name="mend"><cost resource="PUs" quantity="1"/><result resourceOrUnit="factory" quantity="1"/></repairRule>`)
	tag(`<repairRule name="mend2"><cost resource="PUs" quantity="1"/><result resourceOrUnit="factory" quantity="%d"/></repairRule>`, sc.Effects.Repair)
	tag(`<productionFrontier name="production">`)
	for _, n := range unitNames {
		tag(`<frontierRules name="buy%s"/>`, n)
	}
	tag(`</productionFrontier><productionFrontier name="productionShipyards">`)
	for u, n := range unitNames {
		if Unit(u).in(seaUnits) {
			tag(`<frontierRules name="yard%s"/>`, n)
		}
	}
	tag(`</productionFrontier><repairFrontier name="repair"><repairRules name="mend"/></repairFrontier>`)
	tag(`<repairFrontier name="repairIndustrialTechnology"><repairRules name="mend2"/></repairFrontier>`)
	for _, p := range playerNames {
		tag(`<playerProduction player="%s" frontier="production"/><playerRepair player="%s" frontier="repair"/>`, p, p)
	}
	tag(`</production><technology><technologies>`)
	for _, x := range techNames {
		tag(`<techname name="%s"/>`, x)
	}
	tag(`</technologies><playerTech player="Germans"><category name="a">`)
	for i, x := range techNames {
		if i == 6 {
			tag(`</category><category name="b">`)
		}
		tag(`<tech name="%s"/>`, x)
	}
	tag(`</category></playerTech></technology><attachmentList>`)
	attach("techAttachment", "Germans", "TechAttachment", "player", func() { option("superSub", "false") })
	for u, n := range unitNames {
		attach("unitAttachment", n, "UnitAttachment", "unitType", func() {
			i := sc.Units[u]
			option("attack", fmt.Sprint(i.Attack))
			option("defense", fmt.Sprint(i.Defence))
			option("movement", fmt.Sprint(i.Move))
			for pair := range strings.SplitSeq(unitOptions[u], " ") {
				k, v, _ := strings.Cut(pair, "=")
				option(k, v)
			}
		})
	}
	for sp := range sc.Land {
		attach("territoryAttachment", name(sp), "TerritoryAttachment", "territory", func() {
			i := sc.Spaces[sp]
			option("production", fmt.Sprint(i.IPC))
			if i.Impassable {
				option("isImpassable", "true")
			}
			if i.City != nil {
				option("victoryCity", "1")
			}
			if i.Capital != NoPower {
				option("capital", playerNames[i.Capital])
			}
			if sc.Original[sp] != sc.Owner[sp] {
				option("originalOwner", playerNames[sc.Original[sp]])
			}
		})
	}
	for _, c := range sc.Canals {
		for _, end := range [...]Space{c.A, c.B} {
			attach("canalAttachment", name(end), "CanalAttachment", "territory", func() {
				option("canalName", c.Name.GetEn())
				option("landTerritories", names(c.Control))
			})
		}
	}
	for i, o := range sc.Objectives {
		attach(fmt.Sprintf("objectiveAttachment%d", i), playerNames[o.Power], "RulesAttachment", "player", func() {
			option("objectiveValue", fmt.Sprint(o.Bonus))
			kind := "alliedOwnershipTerritories"
			if o.Alone {
				kind = "directOwnershipTerritories"
			}
			tag(`<option name="%s" value="%s" count="%d"/>`, kind, names(o.Territories), o.Need)
			if o.NoAllies {
				option("alliedExclusionTerritories", "controlled")
			}
			if len(o.NoWarships) > 0 {
				tag(`<option name="enemySurfaceExclusionTerritories" value="%s" count="%d"/>`, names(o.NoWarships), len(o.NoWarships))
			}
		})
	}
	attach("rulesAttachment", "Chinese", "RulesAttachment", "player", func() {
		option("movementRestrictionTerritories", names(slices.Collect(sc.ChinaRules.Range.Each)))
		option("movementRestrictionType", "allowed")
		option("productionPerXTerritories", fmt.Sprint(sc.ChinaRules.ARecruit))
		option("placementAnyTerritory", "true")
		option("placementPerTerritory", fmt.Sprint(sc.ChinaRules.RecruitLimit))
	})
	tag(`</attachmentList><initialize><ownerInitialize>`)
	for sp, w := range sc.Owner {
		if w != NoPower {
			tag(`<territoryOwner territory="%s" owner="%s"/>`, name(Space(sp)), playerNames[w])
		}
	}
	tag(`</ownerInitialize><unitInitialize>`)
	for _, s := range sc.Stacks {
		tag(`<unitPlacement unitType="%s" territory="%s" quantity="%d" owner="%s"/>`, unitNames[s.Unit], name(s.Space), s.Count, playerNames[s.Power])
	}
	tag(`</unitInitialize><resourceInitialize>`)
	for _, w := range sc.Order {
		tag(`<resourceGiven player="%s" resource="PUs" quantity="%d"/>`, playerNames[w], sc.Powers[w].Treasury)
	}
	tag(`</resourceInitialize></initialize><propertyList><property name="WW2V3" value="true" editable="false"><boolean/></property>`)
	tag(`<property name="Germans bid" value="0"><number min="0" max="9"/></property><property name="notes"><value>a &amp; b</value></property></propertyList></game>`)
	return b.String()
}

// canonical puts the lists of a scenario that have no order into one, and names away that the format has no place for.
func canonical(s *anniversaryv1.Scenario) *anniversaryv1.Scenario {
	s = proto.CloneOf(s)
	if s.GetMap() == nil {
		s.Map, s.MapId = proto.CloneOf(shippedMap), ""
	}
	if s.GetTables() == nil {
		s.Tables, s.TablesId = proto.CloneOf(shippedTables), ""
	}
	s.Id, s.Title, s.About, s.Provenance, s.Map.Id, s.Tables.Id = "", nil, nil, nil, "", ""
	next := map[string][]string{}
	for _, t := range s.Map.GetTerritories() {
		for _, n := range t.GetNeighbors() {
			next[min(t.GetId(), n)] = append(next[min(t.GetId(), n)], max(t.GetId(), n))
		}
		t.Neighbors = nil
	}
	for _, z := range s.Map.GetSeaZones() {
		for _, n := range z.GetNeighbors() {
			next[min(z.GetId(), n)] = append(next[min(z.GetId(), n)], max(z.GetId(), n))
		}
		z.Neighbors = nil
	}
	for _, t := range s.Map.GetTerritories() {
		t.Neighbors = slices.Sorted(slices.Values(next[t.GetId()]))
	}
	for _, z := range s.Map.GetSeaZones() {
		z.Neighbors = slices.Sorted(slices.Values(next[z.GetId()]))
	}
	slices.SortFunc(s.Tables.Technologies[ImprovedShipyards].Effects, func(a, b *anniversaryv1.Effect) int { return strings.Compare(a.GetUnit(), b.GetUnit()) })
	for _, o := range s.Tables.GetObjectives() {
		if int(o.GetNeed()) == len(o.GetTerritories()) {
			o.Need = 0
		}
	}
	slices.SortFunc(s.Treasuries, func(a, b *anniversaryv1.Treasury) int { return strings.Compare(a.GetPower(), b.GetPower()) })
	slices.SortFunc(s.Markers, func(a, b *anniversaryv1.Markers) int { return strings.Compare(a.GetPower(), b.GetPower()) })
	for _, m := range s.GetMarkers() {
		slices.Sort(m.Territories)
	}
	return s
}
