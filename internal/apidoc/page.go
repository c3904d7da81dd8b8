package main

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// width is how long a line of text may be.
const width = 120

// packageClause is the number of FileDescriptorProto.package, by which the comment above the clause is found.
const packageClause = 2

// page is a page of Markdown that is being written.
type page struct{ text strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(&p.text, format+"\n", args...) }

// save writes the page under a name.
func (p *page) save(plugin *protogen.Plugin, name string) {
	plugin.NewGeneratedFile(name, "").P(strings.TrimSpace(p.text.String()))
}

// paragraphs writes a comment, its lines broken anew.
func (p *page) paragraphs(comment string) {
	for _, text := range strings.Split(comment, "\n\n") {
		if strings.TrimSpace(text) != "" {
			p.fill("", text)
			p.line("")
		}
	}
}

// fill writes a text with its lines broken anew, all but the first behind an indent.
func (p *page) fill(indent, text string) {
	words := strings.Fields(text)
	line := words[0]
	for _, word := range words[1:] {
		if len([]rune(line))+1+len([]rune(word)) > width {
			p.line("%s", line)
			line = indent + word
		} else {
			line += " " + word
		}
	}
	p.line("%s", line)
}

func (p *page) file(file *protogen.File) {
	p.line("# %s", file.Desc.Path())
	p.line("")
	p.line("Package `%s`, [source](../../../proto/%s). [All pages](README.md).", file.Desc.Package(), file.Desc.Path())
	p.line("")
	about := file.Desc.SourceLocations().ByPath(protoreflect.SourcePath{packageClause})
	p.paragraphs(said(protogen.CommentSet{Leading: protogen.Comments(about.LeadingComments)}))
	for _, s := range file.Services {
		p.service(s)
	}
	for _, m := range file.Messages {
		p.message(m)
	}
	for _, e := range file.Enums {
		p.enum(e)
	}
}

func (p *page) service(s *protogen.Service) {
	p.line("## %s", s.Desc.Name())
	p.line("")
	p.paragraphs(said(s.Comments))
	for _, m := range s.Methods {
		p.line("### %s", m.Desc.Name())
		p.line("")
		p.paragraphs(said(m.Comments))
		stream := ""
		if m.Desc.IsStreamingServer() {
			stream = "a stream of "
		}
		p.paragraphs(fmt.Sprintf("Takes %s, returns %s%s.%s%s", link(s.Desc.ParentFile(), m.Input.Desc), stream,
			link(s.Desc.ParentFile(), m.Output.Desc), repeatable(m.Desc), plainPath(m.Desc)))
	}
}

// plainPath tells under which path a call is served by plain HTTP, if it is.
func plainPath(m protoreflect.MethodDescriptor) string {
	rule, _ := proto.GetExtension(m.Options(), annotations.E_Http).(*annotations.HttpRule)
	switch {
	case rule.GetGet() != "":
		return fmt.Sprintf(" By plain HTTP `GET %s`.", rule.GetGet())
	case rule.GetPost() != "":
		return fmt.Sprintf(" By plain HTTP `POST %s`.", rule.GetPost())
	}
	return ""
}

// repeatable tells what a call's option says about calling it twice.
func repeatable(m protoreflect.MethodDescriptor) string {
	options, _ := m.Options().(*descriptorpb.MethodOptions)
	switch options.GetIdempotencyLevel() {
	case descriptorpb.MethodOptions_NO_SIDE_EFFECTS:
		return " Changes nothing."
	case descriptorpb.MethodOptions_IDEMPOTENT:
		return " A repeat of the same request changes nothing more."
	}
	return ""
}

func (p *page) message(m *protogen.Message) {
	if m.Desc.IsMapEntry() {
		return
	}
	p.line("## %s", within(m.Desc))
	p.line("")
	p.paragraphs(said(m.Comments))
	if len(m.Fields) > 0 {
		p.line("| field | type | what it is |")
		p.line("|---|---|---|")
		for _, f := range m.Fields {
			p.line("| `%s` | %s | %s |",
				f.Desc.Name(), kind(m.Desc.ParentFile(), f.Desc), cell(choice(f)+said(f.Comments)))
		}
		p.line("")
	}
	for _, inner := range m.Messages {
		p.message(inner)
	}
	for _, e := range m.Enums {
		p.enum(e)
	}
}

// choice tells which other fields a field excludes, and whether leaving it out differs from its zero value.
func choice(f *protogen.Field) string {
	switch {
	case f.Oneof == nil:
		return ""
	case f.Oneof.Desc.IsSynthetic():
		return "(optional) "
	}
	return fmt.Sprintf("(one of `%s`) ", f.Oneof.Desc.Name())
}

func (p *page) enum(e *protogen.Enum) {
	p.line("## %s", within(e.Desc))
	p.line("")
	p.paragraphs(said(e.Comments))
	p.line("| value | number | what it is |")
	p.line("|---|---:|---|")
	for _, v := range e.Values {
		p.line("| `%s` | %d | %s |", v.Desc.Name(), v.Desc.Number(), cell(said(v.Comments)))
	}
	p.line("")
}

// said is a comment without orders to tools.
func said(c protogen.CommentSet) string {
	lines := strings.Split(strings.TrimSpace(string(c.Leading)), "\n")
	lines = slices.DeleteFunc(lines,
		func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "buf:lint:") })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// cell is a comment as a cell of a table.
func cell(comment string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(comment), " "), "|", `\|`)
}

// kind is the type of a field, with a link where it has a page.
func kind(from protoreflect.FileDescriptor, f protoreflect.FieldDescriptor) string {
	switch {
	case f.IsMap():
		return fmt.Sprintf("map of %s to %s", kind(from, f.MapKey()), kind(from, f.MapValue()))
	case f.IsList():
		return "list of " + single(from, f)
	}
	return single(from, f)
}

func single(from protoreflect.FileDescriptor, f protoreflect.FieldDescriptor) string {
	switch f.Kind() {
	case protoreflect.MessageKind:
		return link(from, f.Message())
	case protoreflect.EnumKind:
		return link(from, f.Enum())
	}
	return f.Kind().String()
}

// within is the name of a type inside its package.
func within(d protoreflect.Descriptor) string {
	return strings.TrimPrefix(string(d.FullName()), string(d.ParentFile().Package())+".")
}

// link names a type, and leads to it where it has a page.
func link(from protoreflect.FileDescriptor, d protoreflect.Descriptor) string {
	target := pageOf(d.ParentFile().Path())
	if target == "" {
		return fmt.Sprintf("`%s`", d.FullName())
	}
	if d.ParentFile().Path() == from.Path() {
		target = ""
	}
	return fmt.Sprintf("[%s](%s#%s)", within(d), target, strings.ToLower(strings.ReplaceAll(within(d), ".", "")))
}
