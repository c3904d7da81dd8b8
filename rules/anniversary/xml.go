package anniversary

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
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
	if len(im.faults) >= maxFaults {
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

// node is an element. What has been looked at is marked, so that in the end the rest can be reported.
type node struct {
	name, path string
	attrs      []attr
	children   []*node
	read       bool
}

type attr struct {
	name, value string
	read        bool
}

// maxDepth bounds how deep elements may lie in each other; game definitions have 5 levels.
const maxDepth = 20

// parseXML reads a file as a tree.
func parseXML(file []byte) (*node, error) {
	if len(file) > maxDocument {
		return nil, fmt.Errorf("the file has %d bytes, expected at most %d", len(file), maxDocument)
	}
	d := xml.NewDecoder(bytes.NewReader(file))
	d.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		switch strings.ToLower(charset) {
		case "us-ascii", "ascii":
			return r, nil
		}
		return nil, fmt.Errorf("the encoding %.40q, expected UTF-8", charset)
	}
	var root *node
	var stack []*node
	number := []map[string]int{{}}
	for {
		t, err := d.Token()
		if err == io.EOF {
			if root == nil {
				return nil, fmt.Errorf("the file has no elements")
			}
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			n := &node{name: t.Name.Local, path: t.Name.Local}
			for _, a := range t.Attr {
				n.attrs = append(n.attrs, attr{name: a.Name.Local, value: a.Value})
			}
			if len(stack) >= maxDepth {
				return nil, fmt.Errorf("elements lie more than %d deep in each other", maxDepth)
			}
			if len(stack) == 0 {
				if root != nil {
					return nil, fmt.Errorf("a second element %.40s beside %.40s", n.name, root.name)
				}
				root = n
			} else {
				up := stack[len(stack)-1]
				up.children = append(up.children, n)
				count := number[len(stack)]
				n.path = fmt.Sprintf("%s/%s[%d]", up.path, n.name, count[n.name])
				count[n.name]++
			}
			stack = append(stack, n)
			number = append(number[:len(stack)], map[string]int{})
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

// get gives an attribute, "" if there is none.
func (n *node) get(name string) string {
	for i := range n.attrs {
		if n.attrs[i].name == name {
			n.attrs[i].read = true
			return n.attrs[i].value
		}
	}
	return ""
}

// skip marks attributes that say nothing about the scenario.
func (n *node) skip(names ...string) {
	for _, name := range names {
		n.get(name)
	}
}

// skipAll marks an element that says nothing about the scenario, with all that is in it.
func (n *node) skipAll() {
	n.read = true
	for i := range n.attrs {
		n.attrs[i].read = true
	}
	for _, c := range n.children {
		c.skipAll()
	}
}

// each gives the elements of one of the names, and marks them.
func (n *node) each(names ...string) []*node {
	var all []*node
	for _, c := range n.children {
		for _, name := range names {
			if c.name == name {
				c.read = true
				all = append(all, c)
			}
		}
	}
	return all
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

// slug is the id of a name: lower-case words with dashes; "7 Sea Zone" is sz-7.
func slug(name string) string {
	if n, ok := strings.CutSuffix(strings.TrimSpace(name), " Sea Zone"); ok {
		if v, err := strconv.ParseUint(n, 10, 16); err == nil {
			return fmt.Sprintf("sz-%d", v)
		}
	}
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case r == '.' || r == '\'':
		default:
			gap = true
		}
	}
	return b.String()
}
