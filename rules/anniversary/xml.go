package anniversary

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// ImportXML makes a scenario document of a game definition in the XML of TripleA, for variants on the map of this game: territories,
// connections, canals, values, owners, units with their prices and numbers, turn order, treasuries, set-up, national objectives and the limits
// of China. Names, Japanese ones too, and the drawing come from the shipped scenario where an id is the same.
//
// Nothing is guessed: every element, attribute and option that is not understood, or that asks for rules other than this game's, is reported with
// its path in the file, as a warning if the scenario can be used without it. What the format leaves to the program, such as what most technologies
// do, is as in the shipped tables. What is aboard of what isn't in the format; ships are filled in order. The message is nil if the file is no game
// definition; otherwise it may still be faulty, as the faults then say.
func ImportXML(file []byte) (*anniversaryv1.Scenario, rules.Faults) {
	im := &importer{
		sc: &anniversaryv1.Scenario{Map: &anniversaryv1.Map{Id: "imported"}, Tables: proto.CloneOf(shippedTables)},
		at: map[string]*imported{}, ids: map[string]*imported{}, known: shippedSpaces(),
	}
	im.sc.Tables.Id = "imported"
	root, err := parseXML(file)
	switch {
	case err != nil:
		im.faults.Add("", "%v", err)
		return nil, im.faults
	case root.name != "game":
		im.faults.Add(root.path, "expected the element game")
		return nil, im.faults
	}
	im.game(root)
	im.unread(root)
	if im.more > 0 {
		im.faults.Warn("", "%d more things are not listed", im.more)
	}
	_, found := loadMessage(im.sc)
	for _, f := range found {
		f.Path = "scenario: " + f.Path
		im.faults = append(im.faults, f)
	}
	return im.sc, im.faults
}

// importer reads one file.
type importer struct {
	sc     *anniversaryv1.Scenario
	faults rules.Faults
	more   int
	at     map[string]*imported // by the name in the file
	ids    map[string]*imported // by the id in the scenario
	known  map[string]*anniversaryv1.Territory
	costs  map[string]rule // production and repair rules by name

	objectives bool     // the file has some, so that the shipped ones are gone
	chinaRange []string // where Chinese units may go; nil if the file does not say
}

// imported is a space of the file. One of land and sea is nil.
type imported struct {
	id   string
	land *anniversaryv1.Territory
	sea  *anniversaryv1.SeaZone
	// owner at the start, original if the file says so.
	owner, original Power
	attached        bool
}

// shippedSpaces are the territories of the shipped map by id.
func shippedSpaces() map[string]*anniversaryv1.Territory {
	all := map[string]*anniversaryv1.Territory{}
	for _, t := range shippedMap.GetTerritories() {
		all[t.GetId()] = t
	}
	return all
}

func (im *importer) fault(n *node, format string, args ...any) {
	if im.room() {
		im.faults.Add(n.path, format, args...)
	}
}

// warn reports what the scenario can do without.
func (im *importer) warn(n *node, format string, args ...any) {
	if im.room() {
		im.faults.Warn(n.path, format, args...)
	}
}

func (im *importer) room() bool {
	if len(im.faults) >= kit.MaxFaults {
		im.more++
		return false
	}
	return true
}

// unread reports what nothing looked at.
func (im *importer) unread(n *node) {
	if !n.read {
		im.warn(n, "the element %.40s is not understood", n.name)
		return
	}
	for i := range n.attrs {
		if a := &n.attrs[i]; !a.read {
			im.warn(n, "the attribute %.40s=%.40q is not understood", a.name, a.value)
		}
	}
	for _, c := range n.children {
		im.unread(c)
	}
}

// number reads a whole number of an attribute.
func (im *importer) number(n *node, name string) uint32 {
	text := n.get(name)
	v, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
	if err != nil {
		im.fault(n, "%s=%.40q, expected a whole number", name, text)
	}
	return uint32(v)
}
