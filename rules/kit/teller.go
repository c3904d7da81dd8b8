package kit

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/rules"
)

// Teller puts events into words by their descriptors and the catalogue of a ruleset. S knows the names of things. The
// message of an event is called "told." and the name of its field: told.unit_moved. If it depends on which fields are
// set, their names follow in order: told.army_rolled-available; for an enumeration its value follows:
// told.combat_stage-us-fire. Teller uses the longest name in the catalogue; an event without one is silent. The fields
// of the event fill the places of the message by their names, and {n} is the length of its first list. A place such as
// {+mixed} is a part of the sentence, told.attack_began+mixed, which is left out if the field is not set.
type Teller[S any] struct {
	events map[protoreflect.FieldNumber]*telling[S]
	own    Tellings[S]
	keys   map[string]bool // of the catalogue, and their beginnings
	has    func(string) bool
}

// Tellings are the exceptions that a ruleset tells in its own way.
type Tellings[S any] struct {
	// Name turns a text of an event, which is an id, into a name.
	Name func(S, string) any
	// Names turns a list of ids into names.
	Names func(S, []string) any
	// Fields tell the fields with these names, in any event. A list is told as one.
	Fields map[string]func(S, protoreflect.Value) any
	// Facts add to the text of these events: they may change its key and give it further arguments.
	Facts map[string]func(S, proto.Message, *rules.Text)
}

// telling says how events of one kind are told.
type telling[S any] struct {
	key    string
	fields []toldField[S]
	fact   func(S, proto.Message, *rules.Text)
}

// toldField says how a field of an event is told.
type toldField[S any] struct {
	fd         protoreflect.FieldDescriptor
	name, part string
	tell       func(S, protoreflect.Value) any
}

// NewTeller prepares to tell the kinds of an event.
func NewTeller[S any](catalogue *rules.Catalogue, event proto.Message, own Tellings[S]) *Teller[S] {
	t := &Teller[S]{events: map[protoreflect.FieldNumber]*telling[S]{}, own: own, keys: map[string]bool{},
		has: catalogue.Has}
	for _, key := range catalogue.Keys() {
		for end := range key {
			if key[end] == '-' {
				t.keys[key[:end]] = true
			}
		}
		t.keys[key] = true
	}
	all := kinds(event.ProtoReflect()).Fields()
	for i := range all.Len() {
		f := all.Get(i)
		k := &telling[S]{key: "told." + string(f.Name()), fact: own.Facts[string(f.Name())]}
		for j := range f.Message().Fields().Len() {
			fd := f.Message().Fields().Get(j)
			field := toldField[S]{fd: fd, name: string(fd.Name())}
			field.tell = own.Fields[field.name]
			if part := k.key + "+" + field.name; catalogue.Has(part) {
				field.part = "@" + part
			}
			k.fields = append(k.fields, field)
		}
		t.events[f.Number()] = k
	}
	return t
}

// Tell puts an event into words; the zero text if it is silent.
func (t *Teller[S]) Tell(s S, event proto.Message) rules.Text {
	r := event.ProtoReflect()
	f := r.WhichOneof(kinds(r))
	if f == nil {
		return rules.Text{}
	}
	k, fact := t.events[f.Number()], r.Get(f).Message()
	text := rules.Text{Key: k.key}
	for i := range k.fields {
		t.field(s, fact, &k.fields[i], &text)
	}
	if k.fact != nil {
		k.fact(s, fact.Interface(), &text)
	}
	for strings.HasPrefix(text.Key, "told.") && !t.has(text.Key) {
		end := strings.LastIndexByte(text.Key, '-')
		if end < 0 {
			return rules.Text{}
		}
		text.Key = text.Key[:end]
	}
	return text
}

// field tells a field of an event.
func (t *Teller[S]) field(s S, fact protoreflect.Message, f *toldField[S], text *rules.Text) {
	fd := f.fd
	set, v := fact.Has(fd), fact.Get(fd)
	if set {
		word := f.name
		if fd.Kind() == protoreflect.EnumKind && !fd.IsList() {
			word = EnumWord(fd.Enum(), v.Enum())
		}
		if longer := text.Key + "-" + word; t.keys[longer] {
			text.Key = longer
		}
	}
	switch {
	case f.tell != nil:
		Add(text, f.name, f.tell(s, v))
	case fd.IsList() && fd.Kind() == protoreflect.StringKind && t.own.Names != nil:
		Add(text, f.name, t.own.Names(s, ListOf[string](v)))
	case fd.IsList() || fd.Kind() == protoreflect.BoolKind || fd.Message() != nil:
	case fd.Kind() == protoreflect.StringKind && t.own.Name != nil:
		Add(text, f.name, t.own.Name(s, v.String()))
	case fd.Kind() == protoreflect.EnumKind:
		Add(text, f.name, "@"+f.name+"."+EnumWord(fd.Enum(), v.Enum()))
	default:
		Add(text, f.name, v.Interface())
	}
	if fd.IsList() && !hasArg(text, "n") {
		Add(text, "n", v.List().Len())
	}
	if f.part != "" && set {
		Add(text, "+"+f.name, f.part)
	} else if f.part != "" {
		Add(text, "+"+f.name, "")
	}
}

// Add gives a text a value for a place, as [rules.Say] takes it.
func Add(text *rules.Text, pairs ...any) {
	text.Args = append(text.Args, rules.Say("", pairs...).Args...)
}

func hasArg(text *rules.Text, name string) bool {
	for _, a := range text.Args {
		if a.Name == name {
			return true
		}
	}
	return false
}

// EnumWord is a value of an enumeration in lower case, without the name of the enumeration: us-fire of STAGE_US_FIRE. A
// number that is no value is written as it is.
func EnumWord(e protoreflect.EnumDescriptor, n protoreflect.EnumNumber) string {
	v := e.Values().ByNumber(n)
	if v == nil {
		return strconv.Itoa(int(n))
	}
	prefix := strings.TrimSuffix(string(e.Values().ByNumber(0).Name()), "UNSPECIFIED")
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(string(v.Name()), prefix)), "_", "-")
}

// EnumWords are all values of an enumeration in that way, by number, with a word of its own for the value 0. The
// numbers must have no gap.
func EnumWords(e protoreflect.Enum, zero string) []string {
	values := e.Descriptor().Values()
	words := make([]string, values.Len())
	for i := range words {
		words[i] = EnumWord(e.Descriptor(), protoreflect.EnumNumber(i))
	}
	words[0] = zero
	return words
}
