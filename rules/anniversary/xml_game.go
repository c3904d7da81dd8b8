package anniversary

import (
	"strings"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// game reads the parts of a file in the order in which they need each other.
func (im *importer) game(root *node) {
	root.read = true
	im.info(root)
	for _, n := range root.each("triplea", "loader") {
		n.skipAll()
	}
	for _, n := range root.each("diceSides") {
		if v := im.number(n, "value"); v != 6 {
			im.fault(n, "dice of %d sides, expected 6 (AA 1.2.8)", v)
		}
	}
	for _, n := range root.each("map") {
		im.spaces(n)
	}
	for _, n := range root.each("resourceList") {
		im.resources(n)
	}
	for _, n := range root.each("playerList") {
		im.players(n)
	}
	for _, n := range root.each("unitList") {
		im.unitNames(n)
	}
	for _, n := range root.each("gamePlay") {
		im.sequence(n)
	}
	for _, n := range root.each("production") {
		im.production(n)
	}
	for _, n := range root.each("technology") {
		im.technology(n)
	}
	init := root.each("initialize")
	for _, n := range init {
		im.owners(n)
	}
	for _, n := range root.each("attachmentList", "attatchmentList") {
		im.attachments(n)
	}
	im.control()
	for _, n := range init {
		im.initialize(n)
	}
	for _, n := range root.each("propertyList") {
		im.properties(n)
	}
	im.drawing()
}

func (im *importer) info(root *node) {
	name := ""
	for _, n := range root.each("info") {
		name = n.get("name")
		n.skip("version")
	}
	id := slug(name)
	if len(id) > 64 {
		id = strings.Trim(id[:64], "-")
	}
	if id == "" {
		id, name = "imported", "Imported scenario"
	}
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	im.sc.Id, im.sc.Title = id, &anniversaryv1.Words{En: name}
	im.sc.About = &anniversaryv1.Words{En: "Imported from a game definition.", Ja: "ゲーム定義ファイルから取り込んだシナリオ。"}
	im.sc.Provenance = []*anniversaryv1.Provenance{{Field: "map", Note: "Imported from a game definition; names of spaces that it shares with the shipped map are those."}}
}

// control says who owns what. A territory that another power than its original one controls has a marker, unless it is Chinese (AA 2.9).
func (im *importer) control() {
	markers := map[Power]*anniversaryv1.Markers{}
	for _, t := range im.sc.Map.GetTerritories() {
		x := im.byID(t.GetId())
		switch {
		case t.GetImpassable():
			continue // a fault if it has a value; an owner was reported
		case x.owner == NoPower:
			continue // a fault of the scenario
		case x.original == NoPower || x.original == x.owner:
			t.Owner = x.owner.ID()
		case x.original == China:
			t.Owner, t.Original = x.owner.ID(), China.ID()
		default:
			t.Owner = x.original.ID()
			m := markers[x.owner]
			if m == nil {
				m = &anniversaryv1.Markers{Power: x.owner.ID()}
				markers[x.owner] = m
				im.sc.Markers = append(im.sc.Markers, m)
			}
			m.Territories = append(m.Territories, t.GetId())
		}
	}
	im.sc.Tables.China = im.china(im.sc.Tables.GetChina())
}

// byID is the space of an id of the scenario.
func (im *importer) byID(id string) *imported {
	if x := im.ids[id]; x != nil {
		return x
	}
	return &imported{owner: NoPower, original: NoPower}
}

// drawing takes the shipped drawing if it has every space.
func (im *importer) drawing() {
	there := map[string]bool{}
	for _, s := range shippedDrawing.GetShapes() {
		there[s.GetSpace()] = true
	}
	lacking := ""
	for _, t := range im.sc.Map.GetTerritories() {
		if !there[t.GetId()] {
			lacking = t.GetId()
		}
	}
	for _, z := range im.sc.Map.GetSeaZones() {
		if !there[z.GetId()] {
			lacking = z.GetId()
		}
	}
	if lacking != "" {
		im.faults.Warn("game/map", "the shipped drawing has no %s, so the scenario has no drawing", lacking)
		return
	}
	im.sc.DrawingId = shippedDrawing.GetId()
}

// attachments reads what is said of spaces, players and units.
func (im *importer) attachments(n *node) {
	for _, a := range n.each("attachment", "attatchment") {
		a.skip("javaClass", "type")
		name, to := a.get("name"), a.get("attachTo")
		if to == "" {
			to = a.get("attatchTo")
		}
		switch {
		case name == "territoryAttachment" || name == "territoryAttatchment":
			if x := im.find(a, to); x != nil {
				im.territoryAttachment(a, x)
			}
		case strings.HasPrefix(name, "canalAtta"):
			if x := im.find(a, to); x != nil {
				im.canalAttachment(a, x)
			}
		case name == "unitAttachment" || name == "unitAttatchment":
			im.unitAttachment(a, to)
		case name == "techAttachment" || name == "techAttatchment":
			im.techAttachment(a, to)
		case strings.HasPrefix(name, "objectiveAtta"):
			im.objective(a, to)
		case name == "rulesAttachment" || name == "rulesAttatchment":
			im.rulesAttachment(a, to)
		default:
			a.skipAll()
			im.warn(a, "the attachment %.40q of %.40q is not understood", name, to)
		}
	}
}
