package anniversary

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

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

// A scenario that is written as a game definition and read again is the same scenario.
func TestXMLRoundTrip(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"1941", "1942"} {
		sc := shippedScenario(t, id)
		got, faults := ImportXML([]byte(gameXML(sc)))
		for _, f := range faults {
			if !f.Warning || !strings.Contains(f.What, "filled in order") {
				t.Errorf("%s: %s: %s", id, f.Path, f.What)
			}
		}
		if diff := cmp.Diff(canonical(sc.Doc), canonical(got), protocmp.Transform()); diff != "" {
			t.Errorf("%s (-shipped +imported):\n%s", id, diff)
		}
	}
}

// Each change of a game definition gives exactly these reports, besides those of the loader.
func TestXMLReports(t *testing.T) {
	t.Parallel()
	file := gameXML(shippedScenario(t, "1941"))
	for _, c := range []struct {
		name, old, with string
		want            []string
	}{
		{"element", `<resourceList>`, `<relationshipTypes><type/></relationshipTypes><resourceList>`, []string{
			"warning game/relationshipTypes[0]: the element relationshipTypes is not understood",
		}},
		{"attribute", `<territory name="Alaska"/>`, `<territory name="Alaska" convoy="yes"/>`, []string{
			`warning game/map[0]/territory[1]: the attribute convoy="yes" is not understood`,
		}},
		{"dice", `<diceSides value="6"/>`, `<diceSides value="12"/>`, []string{"game/diceSides[0]: dice of 12 sides, expected 6 (AA 1.2.8)"}},
		{"connection", `</map>`, `<connection t1="Atlantis" t2="Alaska"/><connection t1="Alaska" t2="Western Canada"/></map>`, []string{
			`game/map[0]/connection[407]: "Atlantis" is no territory of the file`, "warning game/map[0]/connection[408]: alaska and western-canada are connected twice",
		}},
		{"alliance", `player="Italians" alliance="Axis"`, `player="Italians" alliance="Allies"`, []string{
			`game/playerList[0]/alliance[2]: italy in the alliance "Allies": the sides are those of AA 1.1.1`,
		}},
		{"resource", `<resource name="techTokens"/>`, `<resource name="oil"/>`, []string{`warning game/resourceList[0]/resource[1]: the resource "oil" is not one of this game`}},
		{"unit", `<unit name="cruiser"/>`, `<unit name="cruiser"/><unit name="marine"/>`, []string{`warning game/unitList[0]/unit[10]: the unit "marine" is not one of this game`}},
		{"delegate", `delegate.MoveDelegate`, `delegate.PoliticsDelegate`, []string{`warning game/gamePlay[0]/delegate[0]: the delegate "PoliticsDelegate" is not understood`}},
		{"ability", `<option name="canBlitz" value="true"/>`, `<option name="canBlitz" value="false"/><option name="bonus" value="1"/>`, []string{
			`warning game/attachmentList[0]/attachment[3]/option[4]: canBlitz="false"; the rules have true`,
			`warning game/attachmentList[0]/attachment[3]/option[5]: the option bonus="1" is not understood`,
		}},
		{"missing ability", `<option name="isSub" value="true"/>`, ``, []string{
			"warning game/attachmentList[0]/attachment[12]: submarine has no option isSub=true, which the rules give it",
		}},
		{"value", `<option name="production" value="12"/>`, `<option name="production" value="many"/>`, []string{
			`game/attachmentList[0]/attachment[39]/option[0]: value="many", expected a whole number`,
		}},
		{"technology", `<option name="superSub" value="false"/>`, `<option name="superSub" value="true"/><option name="lasers" value="true"/>`, []string{
			"warning game/attachmentList[0]/attachment[0]/option[0]: Germans begins with superSub: no scenario gives technologies (AA 1.3.10)",
			"warning game/attachmentList[0]/attachment[0]/option[1]: the technology lasers is not one of this game",
		}},
		{"chart", `<tech name="rocket"/>`, `<tech name="radar"/>`, []string{
			`warning game/technology[0]/playerTech[0]/category[0]/tech[1]: the technology "radar" is not one of this game`,
			"warning game/technology[0]/playerTech[0]/category[0]: 5 technologies of chart 1 and 0 of chart 2, expected all six of one",
		}},
		{"attachment", `</attachmentList>`, `<attachment name="triggerAttachment1" attachTo="Germans" javaClass="x" type="player"><option name="a" value="b"/></attachment></attachmentList>`, []string{
			`warning game/attachmentList[0]/attachment[133]: the attachment "triggerAttachment1" of "Germans" is not understood`,
		}},
		{"placement", `unitType="bomber" territory="Germany"`, `unitType="zeppelin" territory="Germany" hitsTaken="1"`, []string{
			`warning game/initialize[0]/unitInitialize[0]/unitPlacement[12]: 1 of "zeppelin", which is no unit of this game`,
			`warning game/initialize[0]/unitInitialize[0]/unitPlacement[12]: the attribute hitsTaken="1" is not understood`,
		}},
		{"property", `name="WW2V3" value="true"`, `name="WW2V3" value="false"`, []string{`warning game/propertyList[0]/property[0]: "WW2V3" is "false"; the rules have true`}},
		{"bid", `name="Germans bid" value="0"`, `name="Germans bid" value="9"`, []string{`warning game/propertyList[0]/property[1]: the property "Germans bid" is not understood`}},
		{"owner", `<territoryOwner territory="Alaska" owner="Americans"/>`, `<territoryOwner territory="Spain" owner="British"/><territoryOwner territory="Alaska" owner="Martians"/>`, []string{
			`game/initialize[0]/ownerInitialize[0]/territoryOwner[1]: "Martians" is none of the players Germans, Japanese, Italians, Russians, British, Americans, Chinese`,
			"warning game/initialize[0]/ownerInitialize[0]/territoryOwner[0]: an owner of the impassable territory spain (AA 2.5.3)",
		}},
		{"price", `<productionRule name="buytransport"><cost resource="PUs"`, `<productionRule name="buytransport"><cost resource="oil"`, []string{
			`game/production[0]/productionRule[24]/cost[0]: a price in "oil", expected PUs`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if strings.Count(file, c.old) != 1 {
				t.Fatalf("%d places to change", strings.Count(file, c.old))
			}
			_, faults := ImportXML([]byte(strings.Replace(file, c.old, c.with, 1)))
			var got []string
			for _, s := range written(faults) {
				if !strings.Contains(s, "scenario: ") && !strings.Contains(s, "filled in order") {
					got = append(got, s)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("reports (-want +got):\n%s", diff)
			}
		})
	}
}

// A variant: other names, values and prices come over.
func TestXMLVariant(t *testing.T) {
	t.Parallel()
	file := gameXML(shippedScenario(t, "1942"))
	for _, r := range [...][2]string{
		{`"Gibraltar`, `"The Rock`}, {`:Gibraltar`, `:The Rock`},
		{`<productionRule name="buyarmour"><cost resource="PUs" quantity="5"/>`, `<productionRule name="buyarmour"><cost resource="PUs" quantity="6"/>`},
		{`<resourceGiven player="Italians" resource="PUs" quantity="10"/>`, `<resourceGiven player="Italians" resource="PUs" quantity="14"/>`},
	} {
		file = strings.ReplaceAll(file, r[0], r[1])
	}
	doc, faults := ImportXML([]byte(file))
	sc, _ := loadMessage(doc)
	if sc == nil {
		t.Fatal(faults)
	}
	if sc.SpaceByID("the-rock") == NoSpace || sc.Units[Tank].Cost != 6 || sc.Powers[Italy].Treasury != 14 || doc.GetDrawingId() != "" {
		t.Error("the changes of the variant are lost")
	}
	if len(sc.Objectives) != 17 || sc.Objectives[6].Title.GetEn() != "National objective" || sc.Objectives[0].Title.GetEn() != "Lebensraum" {
		t.Error("objectives of the variant")
	}
}

func TestNotXML(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"empty":     {"", "the file has no elements"},
		"cut":       {"<game><map>", "unexpected EOF"},
		"other":     {"<svg/>", "expected the element game"},
		"two":       {"<game/><game/>", "a second element game beside game"},
		"deep":      {strings.Repeat("<game>", 50), "elements lie more than 20 deep"},
		"long":      {strings.Repeat(" ", maxDocument+1), "the file has 4194305 bytes"},
		"encoding":  {`<?xml version="1.0" encoding="utf-7"?><game/>`, `the encoding "utf-7", expected UTF-8`},
		"an entity": {`<game>&lol;</game>`, "invalid character entity"},
	} {
		sc, faults := ImportXML([]byte(c.file))
		if sc != nil || len(faults) != 1 || !strings.Contains(faults[0].What, c.want) {
			t.Errorf("%s: %v, want %q", name, faults, c.want)
		}
	}
}

func FuzzImportXML(f *testing.F) {
	f.Add([]byte(`<game><info name="x"/><map><territory name="a"/><territory name="1 Sea Zone" water="true"/><connection t1="a" t2="1 Sea Zone"/></map></game>`))
	f.Add([]byte(`<game><attachmentList><attachment name="canalAttachment" attachTo="a"><option name="canalName" value="c"/></attachment></attachmentList></game>`))
	f.Add([]byte(`<game><production><productionFrontier name="production"/><playerProduction player="Germans" frontier="production"/></production></game>`))
	file := gameXML(shippedScenario(f, "1941"))
	f.Add([]byte(file[:len(file)/8]))
	f.Fuzz(func(t *testing.T, file []byte) {
		sc, faults := ImportXML(file)
		_, again := ImportXML(file)
		if diff := cmp.Diff(faults, again); diff != "" {
			t.Fatalf("importing twice gives other faults:\n%s", diff)
		}
		if sc == nil && !faults.Fatal() {
			t.Fatal("no scenario and no fault")
		}
	})
}
