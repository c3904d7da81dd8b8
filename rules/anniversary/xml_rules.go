package anniversary

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// objective reads a national objective. Its words are those of the shipped one on the same territories.
func (im *importer) objective(n *node, player string) {
	o := &anniversaryv1.Objective{Power: im.power(n, player).ID()}
	if !im.objectives {
		im.objectives = true
		im.sc.Tables.Objectives = nil
	}
	for _, x := range n.each("option") {
		name, v := x.get("name"), x.get("value")
		count, err := strconv.ParseUint(x.get("count"), 10, 16)
		switch {
		case name == "objectiveValue":
			o.Bonus = im.number(x, "value")
		case name == "alliedOwnershipTerritories" || name == "directOwnershipTerritories":
			if len(o.GetTerritories()) > 0 {
				im.fault(x, "a second list of territories")
			}
			o.Alone = name == "directOwnershipTerritories"
			o.Territories = im.list(x, v)
			if err == nil && int(count) != len(o.GetTerritories()) {
				o.Need = uint32(count)
			}
		case name == "alliedExclusionTerritories" && v == "controlled":
			o.NoAlliedUnits = true
		case name == "enemySurfaceExclusionTerritories":
			o.NoEnemyWarships = im.list(x, v)
			if err == nil && int(count) != len(o.GetNoEnemyWarships()) {
				im.warn(x, "%d of %d sea zones: the rules know only all", count, len(o.GetNoEnemyWarships()))
			}
		default:
			im.warn(x, "the option %.40s=%.40q is not understood", name, v)
		}
	}
	number := 1
	for _, other := range im.sc.Tables.GetObjectives() {
		if other.GetPower() == o.GetPower() {
			number++
		}
	}
	o.Id = fmt.Sprintf("%s-imported-%d", o.GetPower(), number)
	o.Title = &anniversaryv1.Words{En: "National objective", Ja: "国家目標"}
	o.Text = &anniversaryv1.Words{En: "Control of " + strings.Join(o.GetTerritories(), ", ") + "."}
	for _, k := range shippedTables.GetObjectives() {
		if k.GetPower() == o.GetPower() && sameSet(k.GetTerritories(), o.GetTerritories()) {
			o.Id, o.Title, o.Text, o.Rule = k.GetId(), proto.CloneOf(k.GetTitle()), proto.CloneOf(k.GetText()), k.GetRule()
		}
	}
	im.sc.Tables.Objectives = append(im.sc.Tables.Objectives, o)
}

// rulesAttachment reads the limits of China (AA 5.2, AA 5.3). Other players have none.
func (im *importer) rulesAttachment(n *node, player string) {
	if im.power(n, player) != China {
		n.skipAll()
		im.warn(n, "the rules of %.40s are not understood", player)
		return
	}
	c := im.sc.Tables.GetChina()
	for _, x := range n.each("option") {
		x.skip("count")
		switch name, v := x.get("name"), x.get("value"); {
		case name == "movementRestrictionTerritories":
			im.chinaRange = im.list(x, v)
		case name == "productionPerXTerritories":
			c.TerritoriesARecruit = im.number(x, "value")
		case name == "placementPerTerritory":
			c.RecruitLimit = im.number(x, "value")
		case name == "movementRestrictionType" && v == "allowed", name == "placementAnyTerritory" && v == "true",
			name == "placementCapturedTerritory" && v == "true":
		default:
			im.warn(x, "the option %.40s=%.40q is not understood", name, v)
		}
	}
}

// china says where its limits apply: Chinese are the territories of which it is the original controller; what else it may enter goes to that
// territory's own original controller (AA 5.3.3).
func (im *importer) china(c *anniversaryv1.China) *anniversaryv1.China {
	c.Home, c.Occupied, c.MayEnter, c.MayEnterFor = nil, nil, nil, ""
	chinese := map[string]bool{}
	for _, t := range im.sc.Map.GetTerritories() {
		switch {
		case t.GetOriginal() == China.ID():
			c.Occupied = append(c.Occupied, t.GetId())
		case t.GetOwner() == China.ID() && t.GetOriginal() == "":
			c.Home = append(c.Home, t.GetId())
		default:
			continue
		}
		chinese[t.GetId()] = true
	}
	for _, id := range im.chinaRange {
		if chinese[id] {
			delete(chinese, id)
			continue
		}
		c.MayEnter = append(c.MayEnter, id)
		x := im.byID(id)
		owner := x.original
		if owner == NoPower {
			owner = x.owner
		}
		if c.MayEnterFor != "" && c.MayEnterFor != owner.ID() {
			im.faults.Add("game", "China may enter territories of %s and of %s: the rules know one power that gets them (AA 5.3.3)", c.GetMayEnterFor(), owner.ID())
		}
		c.MayEnterFor = owner.ID()
	}
	for _, t := range im.sc.Map.GetTerritories() {
		if chinese[t.GetId()] && im.chinaRange != nil {
			im.faults.Warn("game", "Chinese units may not enter the Chinese territory %s; here they may", t.GetId())
		}
	}
	return c
}

// settings are the properties of the format that the rules of this game fix. Others are options of a game or of the program that shows it.
var settings = map[string]string{
	"WW2V3": "true", "WW2V3 Tech Model": "true", "Use Shipyards": "true", "All Rockets Attack": "true", "Rockets Can Fly Over Impassables": "false",
	"Movement By Territory Restricted": "true", "Production Per X Territories Restricted": "true", "Unit Placement Per Territory Restricted": "true",
	"Place in Any Territory": "true", "Unplaced units live when not placed": "true", "Occupied Territories": "true",
	"Blitz Through Factories And AA Restricted": "true", "Roll AA Individually": "true", "Choose AA Casualties": "false", "AA Territory Restricted": "true",
	"Partial Amphibious Retreat": "true", "Shore Bombard Per Ground Unit Restricted": "true", "Naval Bombard Casualties Return Fire": "true",
	"Hari-Kari Units": "true", "Allied Air Dependents": "true", "Surviving Air Move To Land": "true", "Air Attack Sub Restricted": "true",
	"Ignore Transport In Movement": "true", "Transport Casualties Restricted": "true", "Unescorted Transport Dies": "true",
	"Ignore Sub In Movement": "true", "Defending Subs Sneak Attack": "true", "Sub Retreat Before Battle": "true", "Submersible Subs": "true",
	"Sub Control Sea Zone Restricted": "false", "Subs Can End NonCombat Move With Enemies": "true", "Previous Units Fight": "true",
	"Two hit battleship": "true", "Produce fighters on carriers": "true", "Produce new fighters on old carriers": "true",
	"Move existing fighters to new carriers": "false", "Land existing fighters on new carriers": "true", "LHTR Carrier production rules": "true",
	"Unit Placement In Enemy Seas": "true", "Territory Turn Limit": "false", "maxFactoriesPerTerritory": "1", "Placement Restricted By Factory": "true",
	"Raids May Be Preceeded By Air Battles": "false", "Damage From Bombing Done To Units Instead Of Territories": "true",
	"Neutrals Are Impassable": "true", "Neutrals Are Blitzable": "false", "Heavy Bomber Dice Rolls": "2", "LHTR Heavy Bombers": "true",
	"Always on AA": "false", "Kamikaze Airplanes": "false", "Super Sub Defence Bonus": "0", "Low Luck": "false", "Low Luck for AntiAircraft": "false",
	"Low Luck for Technology": "false", "Low Luck for Bombing and Territory Damage": "false",
}

// choices are the properties that players choose at the start of a game here, or that no rule looks at.
var choices = map[string]bool{
	"Projection of Power": true, "Honorable Surrender": true, "Total Victory": true, "National Objectives": true, "Tech Development": true,
	"Units Repair Hits End Turn": true, "Units Repair Hits Start Turn": true, "neutralCharge": true, "mapName": true, "notes": true,
}

// properties reports settings that ask for other rules.
func (im *importer) properties(n *node) {
	for _, p := range n.each("property") {
		name, v := p.get("name"), p.get("value")
		p.skipAll()
		want, fixed := settings[name]
		switch {
		case fixed && v != want:
			im.warn(p, "%.60q is %.40q; the rules have %s", name, v, want)
		case fixed || choices[name]:
		case strings.HasSuffix(name, " bid") && (v == "0" || v == ""):
		default:
			im.warn(p, "the property %.60q is not understood", name)
		}
	}
}
