package anniversary

import (
	"strings"

	"google.golang.org/protobuf/proto"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
)

// spaces reads territories and connections.
func (im *importer) spaces(n *node) {
	for _, c := range n.each("territory") {
		name := c.get("name")
		if im.at[name] != nil {
			im.fault(c, "%.40q is given twice", name)
			continue
		}
		x := &imported{id: slug(name), owner: NoPower, original: NoPower}
		im.at[name] = x
		if im.ids[x.id] == nil { // the loader reports ids given twice
			im.ids[x.id] = x
		}
		switch water := c.get("water"); water {
		case "true":
			x.sea = &anniversaryv1.SeaZone{Id: x.id, Name: &anniversaryv1.Words{En: name}}
			if v, ok := strings.CutPrefix(x.id, "sz-"); ok {
				x.sea.Name = &anniversaryv1.Words{En: "Sea Zone " + v, Ja: "海域" + v}
			}
			im.sc.Map.SeaZones = append(im.sc.Map.SeaZones, x.sea)
		case "", "false":
			x.land = &anniversaryv1.Territory{Id: x.id, Name: &anniversaryv1.Words{En: name}}
			if k := im.known[x.id]; k != nil {
				x.land.Name = proto.CloneOf(k.GetName())
			}
			im.sc.Map.Territories = append(im.sc.Map.Territories, x.land)
		default:
			im.fault(c, "water=%.40q, expected true or false", water)
			delete(im.at, name)
		}
	}
	seen := map[[2]string]bool{}
	for _, c := range n.each("connection") {
		a, b := im.named(c, "t1"), im.named(c, "t2")
		if a == nil || b == nil {
			continue
		}
		pair := [2]string{min(a.id, b.id), max(a.id, b.id)}
		if seen[pair] {
			im.warn(c, "%s and %s are connected twice", a.id, b.id)
			continue
		}
		seen[pair] = true
		if a.land != nil {
			a.land.Neighbors = append(a.land.Neighbors, b.id)
		} else {
			a.sea.Neighbors = append(a.sea.Neighbors, b.id)
		}
	}
}

// named is the space of an attribute; nil if there is none, which it reports.
func (im *importer) named(n *node, attribute string) *imported { return im.find(n, n.get(attribute)) }

func (im *importer) find(n *node, name string) *imported {
	x := im.at[name]
	if x == nil {
		im.fault(n, "%.40q is no territory of the file", name)
	}
	return x
}

// list reads names divided by colons and gives their ids.
func (im *importer) list(n *node, value string) []string {
	var ids []string
	for name := range strings.SplitSeq(value, ":") {
		if x := im.find(n, name); x != nil {
			ids = append(ids, x.id)
		}
	}
	return ids
}

// territoryAttachment reads value, capital, city and neutrality of a space.
func (im *importer) territoryAttachment(n *node, x *imported) {
	if x.attached {
		im.fault(n, "a second attachment of %s", x.id)
	}
	x.attached = true
	value, units := uint32(0), uint32(0)
	for _, o := range n.each("option") {
		o.skip("count")
		name, v := o.get("name"), o.get("value")
		switch {
		case x.sea != nil && (name != "production" || v != "0"):
			im.warn(o, "%.40s=%.40q of a sea zone is not understood", name, v)
		case x.sea != nil:
		case name == "production":
			value = im.number(o, "value")
			x.land.Ipc = value
		case name == "unitProduction":
			units = im.number(o, "value")
			if units != value {
				im.warn(o, "complexes bring in %d units and the value is %d: the rules know only the value (AA 7.1.6)", units, value)
			}
		case name == "victoryCity" && v != "0" && v != "false":
			x.land.City = proto.CloneOf(im.known[x.id].GetCity())
			if x.land.City == nil {
				x.land.City = proto.CloneOf(x.land.GetName())
			}
		case name == "victoryCity":
		case name == "isImpassable" || name == "isImpassible":
			x.land.Impassable = v == "true"
		case name == "originalOwner":
			x.original = im.power(o, v)
		case name == "capital":
			im.capital(o, x, v)
		default:
			im.warn(o, "the option %.40s=%.40q is not understood", name, v)
		}
	}
}

func (im *importer) capital(n *node, x *imported, player string) {
	w := im.power(n, player)
	if w == China {
		im.warn(n, "China has no capital (AA 2.8.3)")
		return
	}
	for _, p := range im.sc.Tables.GetPowers() {
		if p.GetId() == w.ID() {
			p.Capital = x.id
		}
	}
}

// canalAttachment reads one end of a canal; the two ends have its name in common.
func (im *importer) canalAttachment(n *node, x *imported) {
	var name string
	var control []string
	for _, o := range n.each("option") {
		o.skip("count")
		switch key, v := o.get("name"), o.get("value"); key {
		case "canalName":
			name = v
		case "landTerritories":
			control = im.list(o, v)
		default:
			im.warn(o, "the option %.40s=%.40q is not understood", key, v)
		}
	}
	id := slug(name)
	for _, c := range im.sc.Map.GetCanals() {
		switch {
		case c.GetId() != id:
			continue
		case c.GetB() != "":
			im.fault(n, "a third end of the canal %.40q", name)
		case !sameSet(c.GetControl(), control):
			im.fault(n, "the ends of the canal %.40q are controlled by different territories", name)
		}
		c.B = x.id
		return
	}
	c := &anniversaryv1.Canal{Id: id, Name: &anniversaryv1.Words{En: name}, A: x.id, Control: control}
	for _, k := range shippedMap.GetCanals() {
		if k.GetId() == id {
			c.Name = proto.CloneOf(k.GetName())
		}
	}
	im.sc.Map.Canals = append(im.sc.Map.Canals, c)
}

// sameSet reports whether two lists have the same members.
func sameSet(a, b []string) bool {
	in := map[string]bool{}
	for _, x := range a {
		in[x] = true
	}
	for _, x := range b {
		if !in[x] {
			return false
		}
	}
	return len(a) == len(b)
}
