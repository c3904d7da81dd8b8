package kit

import (
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/rules"
)

// Shape is what becomes of a command, or what it is read from.
type Shape uint8

// The shapes.
const (
	// Encode fills in the command's message.
	Encode Shape = iota
	// Decode reads the command's message.
	Decode
	// Write writes the notation.
	Write
	// Read reads the notation.
	Read
	// Usage writes how the notation is written.
	Usage
	// Tell describes the command in words.
	Tell
)

// Phrase is a command on its way into one of its shapes, or out of it. A ruleset says once, for each kind, what a
// command names and in which order; each thing that can be named says what it does in each shape.
type Phrase struct {
	// Shape that is made or read.
	Shape Shape
	// Kind of the command.
	Kind int
	// Message that is filled in or read.
	Message protoreflect.Message
	// Text that is written.
	Text []byte
	// Words that are not read yet.
	Words []string
	// Refusal is about the first thing that cannot be read.
	Refusal *rules.Refusal
	// Told is the description that is made.
	Told *rules.Description
	// Written says how the command is written, for refusals.
	Written func() string
}

// Textual reports whether the shape is text, whose order is the one that people say things in.
func (x *Phrase) Textual() bool { return x.Shape >= Write }

// Called picks the name of a thing: that of its field, or the word that text has for it.
func (x *Phrase) Called(field, word string) string {
	if x.Textual() {
		return word
	}
	return field
}

// Field is a field of the message.
func (x *Phrase) Field(name string) protoreflect.FieldDescriptor {
	return x.Message.Descriptor().Fields().ByName(protoreflect.Name(name))
}

// Put sets a field of the message: text, a number, a flag, an enumeration's number or a message. A list is appended to.
func (x *Phrase) Put(field string, values ...any) {
	f := x.Field(field)
	for _, v := range values {
		if f.IsList() {
			x.Message.Mutable(f).List().Append(valueOf(f, v))
		} else {
			x.Message.Set(f, valueOf(f, v))
		}
	}
}

func valueOf(f protoreflect.FieldDescriptor, v any) protoreflect.Value {
	switch v := v.(type) {
	case proto.Message:
		return protoreflect.ValueOfMessage(v.ProtoReflect())
	case int:
		if f.Kind() == protoreflect.EnumKind {
			return protoreflect.ValueOfEnum(protoreflect.EnumNumber(v))
		}
		return protoreflect.ValueOfUint32(uint32(v))
	}
	return protoreflect.ValueOf(v)
}

// PutAll puts each value of a list.
func PutAll[T any](x *Phrase, field string, list []T) {
	for _, v := range list {
		x.Put(field, v)
	}
}

// Get is the value of a field of the message.
func (x *Phrase) Get(field string) protoreflect.Value { return x.Message.Get(x.Field(field)) }

// All are the values of a list in the message.
func All[T any](x *Phrase, field string) []T { return ListOf[T](x.Get(field)) }

// ListOf are the values of a list: texts, numbers or messages.
func ListOf[T any](v protoreflect.Value) []T {
	list := v.List()
	all := make([]T, list.Len())
	for i := range all {
		switch v := list.Get(i).Interface().(type) {
		case protoreflect.Message:
			all[i] = v.Interface().(T)
		default:
			all[i] = v.(T)
		}
	}
	return all
}

// Take reads a text: that of the field, or the next word.
func (x *Phrase) Take(field string) string {
	if x.Shape == Decode {
		return x.Get(field).String()
	}
	return x.Next(field)
}

// Give says a text: to the field, or as a word.
func (x *Phrase) Give(field, text string) {
	if x.Shape == Encode {
		x.Put(field, text)
	} else {
		x.Show(field, text)
	}
}

// Absent reports whether a thing that may be left out is: the message does not have the field, or the next word is "-"
// or "none". The word is taken.
func (x *Phrase) Absent(field string) bool {
	switch x.Shape {
	case Decode:
		return !x.Message.Has(x.Field(field))
	case Read:
		return x.None()
	}
	return false
}

// Word writes a word, or tells how it is written.
func (x *Phrase) Word(word string) { x.Text = append(append(x.Text, ' '), word...) }

// Show writes a word, or the name of the field in its place where the usage is asked for.
func (x *Phrase) Show(field, word string) {
	if x.Shape == Usage {
		word = strings.ToUpper(field)
	}
	x.Word(word)
}

// Suffix writes something at the end of the last word where the usage is asked for.
func (x *Phrase) Suffix(s string) {
	if x.Shape == Usage {
		x.Text = append(x.Text, s...)
	}
}

// Arg gives the description something to fill a place of its label with, as in [rules.Say].
func (x *Phrase) Arg(name string, value any) {
	Add(&x.Told.Label, name, value)
}

// Pieces and Spaces are what the command touches.
func (x *Phrase) Pieces(ids ...string) { x.Told.Pieces = append(x.Told.Pieces, ids...) }

// Spaces that the command aims at, the destination last.
func (x *Phrase) Spaces(ids ...string) { x.Told.Spaces = append(x.Told.Spaces, ids...) }

// Refuse keeps a refusal if it is the first.
func (x *Phrase) Refuse(r *rules.Refusal) {
	if x.Refusal == nil {
		x.Refusal = r
	}
}

// Malformed refuses what cannot be read.
func (x *Phrase) Malformed(format string, args ...any) { x.Refuse(rules.Malformed(format, args...)) }

// Expected refuses the next word, and shows how the command is written.
func (x *Phrase) Expected(what string) {
	got := "the end"
	if x.More() {
		got = strconv.Quote(Clip(x.Words[0]))
	}
	x.Malformed("expected %s, not %s; it is written: %s", what, got, x.Written())
	x.Words = nil
}

// More reports whether there are words left.
func (x *Phrase) More() bool { return len(x.Words) > 0 }

// Going reports whether there are words left and nothing is refused yet.
func (x *Phrase) Going() bool { return x.More() && x.Refusal == nil }

// Next takes a word; empty after the last, which is refused as what was expected.
func (x *Phrase) Next(what string) string {
	if !x.More() {
		x.Expected(what)
		return ""
	}
	w := x.Words[0]
	x.Words = x.Words[1:]
	return w
}

// Has takes a word if it is one of those given.
func (x *Phrase) Has(words ...string) bool {
	for _, w := range words {
		if x.More() && strings.EqualFold(x.Words[0], w) {
			x.Words = x.Words[1:]
			return true
		}
	}
	return false
}

// None takes a word that means none.
func (x *Phrase) None() bool { return x.Has("-", "none") }

// Number takes a number; false if the next word is not a number, which is refused.
func (x *Phrase) Number(what string) (uint32, bool) {
	if x.More() {
		if n, err := strconv.ParseUint(x.Words[0], 10, 32); err == nil {
			x.Words = x.Words[1:]
			return uint32(n), true
		}
	}
	x.Expected(what)
	return 0, false
}

// End refuses words that are left over.
func (x *Phrase) End() {
	if x.More() {
		x.Expected("nothing more")
	}
}
