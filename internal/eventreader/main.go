// Command eventreader writes the part of rules/downfall that reads stored events without reflection: a function for each message of the contract
// that says what happened, and one that tells them apart. It takes all from the descriptor of the event, so a field that is added to the contract is
// read after go run ./internal/dev gen.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"log"
	"os"
	"strings"
	"text/template"
	"unicode"

	"google.golang.org/protobuf/reflect/protoreflect"

	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
)

//go:embed reader.tmpl
var text string

// field is a field of a message, as the template needs it.
type field struct {
	// Name in Go, Case of the tag, and Zero to set the field to before reading.
	Name, Case, Zero string
	// Read is what the field becomes.
	Read string
	// Element is the message of which the field is a list.
	Element string
	// Optional is true if the field has presence: then Read is what it points to.
	Optional bool
}

// message is a message with what the template needs of it.
type message struct {
	Name, Func string
	// Number of the field of the event; 0 for a part of other messages.
	Number protoreflect.FieldNumber
	Fields []field
}

// plan collects the messages of an event, those within others after them, each once.
type plan struct {
	Messages []message
	seen     map[protoreflect.FullName]bool
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("eventreader: expected the name of the file to write")
	}
	p := plan{seen: map[protoreflect.FullName]bool{}}
	kinds := (&downfallv1.Event{}).ProtoReflect().Descriptor().Fields()
	for i := range kinds.Len() {
		if err := p.add(kinds.Get(i).Message(), kinds.Get(i).Number()); err != nil {
			log.Fatalf("eventreader: %v", err)
		}
	}
	if err := write(os.Args[1], &p); err != nil {
		log.Fatalf("eventreader: %v", err)
	}
}

func write(name string, p *plan) error {
	t, err := template.New("reader").Funcs(template.FuncMap{"lower": unexported}).Parse(text)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return err
	}
	data, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// add plans a message and those within it.
func (p *plan) add(m protoreflect.MessageDescriptor, number protoreflect.FieldNumber) error {
	if p.seen[m.FullName()] {
		if number != 0 {
			return fmt.Errorf("%s is an event and a part of another", m.FullName())
		}
		return nil
	}
	p.seen[m.FullName()] = true
	name := string(m.Name())
	at := len(p.Messages)
	p.Messages = append(p.Messages, message{Name: name, Func: unexported(name), Number: number})
	for i := range m.Fields().Len() {
		f, err := plain(m.Fields().Get(i))
		if err != nil {
			return err
		}
		p.Messages[at].Fields = append(p.Messages[at].Fields, f)
		if f.Element != "" {
			if err := p.add(m.Fields().Get(i).Message(), 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// plain says how a field is read; an error for shapes that no event has yet.
func plain(f protoreflect.FieldDescriptor) (field, error) {
	name := exported(string(f.Name()))
	out := field{Name: name, Optional: f.HasOptionalKeyword()}
	tag := "n" // a number
	switch kind := f.Kind(); {
	case f.Number() > 15 || f.IsMap():
		return out, fmt.Errorf("%s: a shape that is not read yet", f.FullName())
	case f.IsList():
		tag, out.Zero = "b", "m."+name+"[:0]"
		switch kind {
		case protoreflect.MessageKind:
			out.Element = string(f.Message().Name())
		case protoreflect.StringKind:
			out.Read = "append(m." + name + ", r.text())"
		case protoreflect.Uint32Kind:
			out.Read = "r.numbers(m." + name + ")"
		default:
			return out, fmt.Errorf("%s: a shape that is not read yet", f.FullName())
		}
	case kind == protoreflect.StringKind:
		tag, out.Zero, out.Read = "b", `""`, "r.text()"
	case kind == protoreflect.BoolKind:
		out.Zero, out.Read = "false", "r.flag()"
	case kind == protoreflect.Uint32Kind:
		out.Zero, out.Read = "0", "r.number()"
	case kind == protoreflect.Sint32Kind:
		out.Zero, out.Read = "0", "r.signed()"
	case kind == protoreflect.EnumKind:
		out.Zero, out.Read = "0", fmt.Sprintf("downfallv1.%s(r.number())", f.Enum().Name())
	default:
		return out, fmt.Errorf("%s: a shape that is not read yet", f.FullName())
	}
	if out.Optional {
		out.Zero = "nil"
	}
	out.Case = fmt.Sprintf("%s%d", tag, f.Number())
	return out, nil
}

// exported puts the name of a field as generated messages spell it.
func exported(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// unexported is the name of a message with a small letter.
func unexported(name string) string {
	return string(unicode.ToLower(rune(name[0]))) + name[1:]
}
