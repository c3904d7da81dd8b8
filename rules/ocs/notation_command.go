package ocs

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	ocsv1 "github.com/warledger/warledger/proto/warledger/ocs/v1"
	"github.com/warledger/warledger/rules"
)

// formatCommand writes a command: its kind, then the fields of its message as words. Units come first and without their
// name, joined by commas; a path follows, joined by ">": "move ge-22-id,ge-46-pi 17.24>18.24". A yes is "yes" or "no".
func (p *Position) formatCommand(c Command) string {
	if c.Kind == KindNone || c.Kind >= numKinds {
		return ""
	}
	m := p.encode(c).ProtoReflect()
	body := m.Get(m.Descriptor().Fields().ByName(protoreflect.Name(kinds[c.Kind].Field))).Message()
	words := []string{kinds[c.Kind].ID}
	fields := body.Descriptor().Fields()
	if f := fields.ByName("units"); f != nil && body.Has(f) {
		words = append(words, joined(body.Get(f).List(), ","))
		body.Clear(f)
	}
	if f := fields.ByName("path"); f != nil && body.Has(f) {
		words = append(words, joined(body.Get(f).List(), ">"))
		body.Clear(f)
	}
	if f := fields.ByName("yes"); f != nil {
		if body.Get(f).Bool() {
			words = append(words, "yes")
		} else {
			words = append(words, "no")
		}
		body.Clear(f)
	}
	var b strings.Builder
	writeFields(&b, body, " ")
	if b.Len() > 0 {
		words = append(words, b.String())
	}
	return strings.Join(words, " ")
}

func joined(l protoreflect.List, sep string) string {
	parts := make([]string, l.Len())
	for i := range parts {
		parts[i] = l.Get(i).String()
	}
	return strings.Join(parts, sep)
}

// parseCommand reads the notation of a command. Words without a name are units, then a path, then a place, as the kind
// has them.
func (p *Position) parseCommand(text string) (Command, *rules.Refusal) {
	words := strings.Fields(text)
	if len(words) == 0 || len(text) > 1<<16 {
		return Command{}, rules.Malformed("an empty command, or one that is too long")
	}
	k := Kind(kinds.Find(words[0]))
	if k == KindNone {
		return Command{}, rules.NoCommand(words[0], kinds.List())
	}
	m := (&ocsv1.Command{}).ProtoReflect()
	field := m.Descriptor().Fields().ByName(protoreflect.Name(kinds[k].Field))
	body := m.Mutable(field).Message()
	var named []string
	for _, w := range words[1:] {
		if strings.Contains(w, "=") {
			named = append(named, w)
		} else if !p.placeWord(body, w) {
			return Command{}, p.misfit(words[0], w, body)
		}
	}
	if err := readFields(body, named); err != nil {
		return Command{}, rules.Malformed("%s: %v", words[0], err)
	}
	own, ok := m.Interface().(*ocsv1.Command)
	if !ok {
		return Command{}, rules.Malformed("no command of this ruleset")
	}
	return p.decode(own)
}

// misfit says why a word without a name fits nowhere: it names nothing, or something that the command does not take.
func (p *Position) misfit(kind, w string, m protoreflect.Message) *rules.Refusal {
	first := w
	if i := strings.IndexAny(w, ",>"); i > 0 {
		first = w[:i]
	}
	_, isPlace := p.sc.names[first]
	if _, _, isUnit := p.unitByID(first); !isPlace && !isUnit {
		return rules.Malformed("%s: %.60q is neither a place nor a unit", kind, w)
	}
	return rules.Malformed("%s: %.60q is one word too many; it takes %s", kind, w, fieldNames(m.Descriptor()))
}

// placeWord puts a word without a name where it belongs.
func (p *Position) placeWord(m protoreflect.Message, w string) bool {
	fields := m.Descriptor().Fields()
	if f := fields.ByName("yes"); f != nil && (w == "yes" || w == "no") {
		m.Set(f, protoreflect.ValueOfBool(w == "yes"))
		return true
	}
	_, isPlace := p.sc.names[strings.SplitN(w, ">", 2)[0]]
	order := [...]protoreflect.Name{"units", "unit", "path", "at"}
	for _, name := range order {
		f := fields.ByName(name)
		if f == nil || m.Has(f) || isPlace != (name == "path" || name == "at") {
			continue
		}
		sep := ","
		if name == "path" {
			sep = ">"
		}
		if !f.IsList() {
			m.Set(f, protoreflect.ValueOfString(w))
			return true
		}
		setStrings(m, f, strings.Split(w, sep))
		return true
	}
	return false
}
