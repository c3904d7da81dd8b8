package anniversary

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/warledger/warledger/rules/kit"
)

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
		"long":      {strings.Repeat(" ", kit.MaxDocument+1), "the file has 4194305 bytes"},
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
