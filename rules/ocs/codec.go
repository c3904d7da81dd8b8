package ocs

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// Commands and their messages: the fields of a message say by their names which fields of a Command they are, so that a
// chapter adds a command by writing its message and a row in the table of kinds.

// maxNumber is the largest number that a command can name, maxList the longest list.
const (
	maxNumber = 0xFFFF
	maxList   = 400
)

// encode makes the message of a command.
func (p *Position) encode(c Command) *ocsv1.Command {
	m := &ocsv1.Command{}
	if c.Kind == KindNone || c.Kind >= numKinds {
		return m
	}
	p.encodeFields(&c, kit.Choose(m, kinds[c.Kind].Field))
	return m
}

// encodeFields fills the message of a kind.
func (p *Position) encodeFields(c *Command, m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch f.Name() {
		case "units":
			setStrings(m, f, p.ids(c.Units))
		case "path":
			setStrings(m, f, p.placeIDs(c.Path))
		case "lines":
			p.encodeLines(c, m, f)
		case "yes":
			m.Set(f, protoreflect.ValueOfBool(c.Yes))
		case "once":
			m.Set(f, protoreflect.ValueOfBool(c.Once))
		case "drop":
			m.Set(f, protoreflect.ValueOfBool(c.Drop))
		case "marker":
			m.Set(f, protoreflect.ValueOfEnum(protoreflect.EnumNumber(c.Marker)))
		case "face":
			m.Set(f, protoreflect.ValueOfEnum(protoreflect.EnumNumber(c.Face)))
		default:
			p.encodeOther(c, m, f)
		}
	}
}

func (p *Position) encodeOther(c *Command, m protoreflect.Message, f protoreflect.FieldDescriptor) {
	text := ""
	switch f.Name() {
	case "unit":
		text = p.id(c.Unit)
	case "other":
		text = p.id(c.Other)
	case "from":
		text = p.sc.PlaceID(c.From)
	case "at":
		text = p.sc.PlaceID(c.At)
	default:
		switch f.Kind() {
		case protoreflect.StringKind:
			text = c.Name
		case protoreflect.Uint32Kind:
			n := c.N
			if f.Name() == "points" {
				n = c.M
			}
			m.Set(f, protoreflect.ValueOfUint32(uint32(n)))
			return
		default:
			m.Set(f, protoreflect.ValueOfEnum(protoreflect.EnumNumber(c.Choice)))
			return
		}
	}
	m.Set(f, protoreflect.ValueOfString(text))
}

func setStrings(m protoreflect.Message, f protoreflect.FieldDescriptor, ids []string) {
	if len(ids) == 0 {
		return
	}
	list := m.Mutable(f).List()
	for _, id := range ids {
		list.Append(protoreflect.ValueOfString(id))
	}
}

func (p *Position) encodeLines(c *Command, m protoreflect.Message, f protoreflect.FieldDescriptor) {
	if len(c.Lines) == 0 {
		return
	}
	list := m.Mutable(f).List()
	for _, l := range c.Lines {
		list.Append(protoreflect.ValueOfMessage((&ocsv1.Line{
			Unit: p.id(l.Unit), At: p.sc.PlaceID(l.At), Count: uint32(l.Count), By: p.id(l.By),
			Terrain: p.sc.terrainID(l.Terrain),
			Flight:  ocsv1.Flight(l.Flight),
		}).ProtoReflect()))
	}
}

// terrainID is the id of a terrain of hexes, or of hexsides from 100 on; empty for -1.
func (s *Scenario) terrainID(n int16) string {
	switch {
	case n >= 100 && int(n-100) < len(s.Features):
		return s.Features[n-100].ID
	case n >= 0 && int(n) < len(s.Terrains):
		return s.Terrains[n].ID
	}
	return ""
}

// decode reads the message of a command. It refuses what names no unit or place, or has a number out of range; whether
// the rules allow it is check's business.
func (p *Position) decode(m *ocsv1.Command) (Command, *rules.Refusal) {
	r := m.ProtoReflect()
	field := r.WhichOneof(r.Descriptor().Oneofs().ByName("kind"))
	if field == nil {
		return Command{}, rules.Malformed("the command has no kind")
	}
	d := decoder{p: p, c: only(Kind(kinds.Chosen(string(field.Name()))))}
	if d.c.Kind == KindNone {
		return Command{}, rules.Malformed("the program has no command %s yet", field.Name())
	}
	d.fields(r.Get(field).Message())
	if d.refusal != nil {
		return Command{}, d.refusal
	}
	return d.c, nil
}

// decoder reads ids and numbers from outside and keeps the first refusal.
type decoder struct {
	p       *Position
	c       Command
	refusal *rules.Refusal
}

func (d *decoder) refuse(r *rules.Refusal) {
	if d.refusal == nil {
		d.refusal = r
	}
}

func (d *decoder) fields(m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		v := m.Get(f)
		switch f.Name() {
		case "units":
			for _, id := range d.list(v.List()) {
				d.c.Units = append(d.c.Units, d.unit(id))
			}
		case "path":
			for _, id := range d.list(v.List()) {
				d.c.Path = append(d.c.Path, d.place(id))
			}
		case "lines":
			d.lines(v.List())
		case "yes":
			d.c.Yes = v.Bool()
		case "once":
			d.c.Once = v.Bool()
		case "drop":
			d.c.Drop = v.Bool()
		case "marker":
			d.c.Marker = Marker(d.enum(f, v))
		case "face":
			d.c.Face = Face(d.enum(f, v))
		default:
			d.other(f, v)
		}
	}
}

func (d *decoder) other(f protoreflect.FieldDescriptor, v protoreflect.Value) {
	switch f.Name() {
	case "unit":
		d.c.Unit = d.maybe(v.String())
	case "other":
		d.c.Other = d.maybe(v.String())
	case "from":
		d.c.From = d.maybePlace(v.String())
	case "at":
		d.c.At = d.maybePlace(v.String())
	default:
		switch f.Kind() {
		case protoreflect.StringKind:
			d.c.Name = v.String()
			if len(d.c.Name) > 64 || d.c.Name != "" && !docID.MatchString(d.c.Name) && d.entryID(d.c.Name) < 0 {
				d.refuse(rules.Malformed("%.40q is no id", d.c.Name))
			}
		case protoreflect.Uint32Kind:
			n := d.number(v.Uint(), string(f.Name()))
			if f.Name() == "points" {
				d.c.M = n
			} else {
				d.c.N = n
			}
		default:
			d.c.Choice = d.enum(f, v)
		}
	}
}

// entryID finds an entry of either side, whose ids may have capitals.
func (d *decoder) entryID(id string) int {
	return max(d.p.sc.Seats[Blue].entry(id), d.p.sc.Seats[Red].entry(id))
}

func (d *decoder) list(l protoreflect.List) []string {
	if l.Len() > maxList {
		d.refuse(rules.Malformed("a list of %d, expected at most %d", l.Len(), maxList))
		return nil
	}
	out := make([]string, l.Len())
	for i := range out {
		out[i] = l.Get(i).String()
	}
	return out
}

func (d *decoder) lines(l protoreflect.List) {
	if l.Len() > maxList {
		d.refuse(rules.Malformed("%d lines, expected at most %d", l.Len(), maxList))
		return
	}
	for i := range l.Len() {
		m, ok := l.Get(i).Message().Interface().(*ocsv1.Line)
		if !ok {
			continue
		}
		d.c.Lines = append(d.c.Lines, Line{
			Unit: d.maybe(m.GetUnit()), At: d.maybePlace(m.GetAt()), Count: d.number(uint64(m.GetCount()), "count"),
			By:      d.maybe(m.GetBy()),
			Terrain: d.terrain(m.GetTerrain()), Flight: d.flight(m.GetFlight()),
		})
	}
}

func (d *decoder) flight(f ocsv1.Flight) uint8 {
	if _, ok := ocsv1.Flight_name[int32(f)]; !ok {
		d.refuse(rules.Malformed("flight has no value %d", f))
		return 0
	}
	return uint8(f)
}

func (d *decoder) terrain(id string) int16 {
	if id == "" {
		return -1
	}
	for i := range d.p.sc.Terrains {
		if d.p.sc.Terrains[i].ID == id {
			return int16(i)
		}
	}
	for i := range d.p.sc.Features {
		if d.p.sc.Features[i].ID == id {
			return int16(100 + i)
		}
	}
	d.refuse(rules.Malformed("there is no terrain %.40q", id))
	return -1
}

func (d *decoder) unit(id string) Unit {
	u, fresh, ok := d.p.unitByID(id)
	if !ok || fresh {
		d.refuse(rules.Malformed("the game has no unit %.40q", id).For(rules.ReasonUnknownPiece).About(kit.Clip(id)))
		return NoUnit
	}
	return u
}

func (d *decoder) maybe(id string) Unit {
	if id == "" {
		return NoUnit
	}
	return d.unit(id)
}

func (d *decoder) place(id string) Place {
	at, ok := d.p.sc.names[id]
	if !ok {
		d.refuse(rules.Malformed("the map has no hex or box %.40q", id).For(rules.ReasonUnknownSpace).At(kit.Clip(id)))
		return Nowhere
	}
	return at
}

func (d *decoder) maybePlace(id string) Place {
	if id == "" {
		return Nowhere
	}
	return d.place(id)
}

func (d *decoder) number(n uint64, what string) int {
	if n > maxNumber {
		d.refuse(rules.Malformed("%s is %d, expected at most %d", what, n, maxNumber))
		return 0
	}
	return int(n)
}

func (d *decoder) enum(f protoreflect.FieldDescriptor, v protoreflect.Value) int {
	if f.Enum().Values().ByNumber(v.Enum()) == nil {
		d.refuse(rules.Malformed("%s has no value %d", f.Name(), v.Enum()))
		return 0
	}
	return int(v.Enum())
}
