package main

import (
	"regexp"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// variable is a part of a path that a field of the request stands for.
var variable = regexp.MustCompile(`\{(\w+)(?:=([^}]*))?\}`)

// call adds a call that has a plain path.
func (d document) call(s *protogen.Service, m *protogen.Method) {
	rule, _ := proto.GetExtension(m.Desc.Options(), annotations.E_Http).(*annotations.HttpRule)
	if rule == nil {
		return
	}
	verb, path := "get", rule.GetGet()
	if path == "" {
		verb, path = "post", rule.GetPost()
	}
	path, parameters, taken := pathOf(path, m.Input)
	op := object{
		"operationId": string(m.Desc.Name()), "tags": []string{string(s.Desc.Name())}, "description": said(m.Comments),
		"responses": d.responses(m),
	}
	if verb == "get" {
		parameters = append(parameters, d.query("", m.Input, taken)...)
	} else {
		op["requestBody"] = object{"required": true, "content": object{"application/json": object{
			"schema": d.body(m.Input, taken)}}}
	}
	if len(parameters) > 0 {
		op["parameters"] = parameters
	}
	if d.paths[path] == nil {
		d.paths[path] = object{}
	}
	d.paths[path].(object)[verb] = op
}

// pathOf spells a path as OpenAPI does: with a variable for each star. It returns the fields that the path holds.
func pathOf(path string, in *protogen.Message) (spelt string, parameters []object, taken []string) {
	add := func(name, about string) {
		parameters = append(parameters, object{"name": name, "in": "path", "required": true, "description": about,
			"schema": object{"type": "string"}})
	}
	spelt = variable.ReplaceAllStringFunc(path, func(v string) string {
		found := variable.FindStringSubmatch(v)
		field, pattern := found[1], found[2]
		taken = append(taken, field)
		if pattern == "" {
			add(field, said(fieldOf(in, field).Comments))
			return "{" + field + "}"
		}
		segments := strings.Split(pattern, "/")
		for i, s := range segments {
			if s == "*" {
				kind := strings.TrimSuffix(segments[i-1], "s")
				add(kind, "Id of the "+kind+", without \""+segments[i-1]+"/\".")
				segments[i] = "{" + kind + "}"
			}
		}
		return strings.Join(segments, "/")
	})
	return spelt, parameters, taken
}

func fieldOf(m *protogen.Message, name string) *protogen.Field {
	return m.Fields[slices.IndexFunc(m.Fields, func(f *protogen.Field) bool { return string(f.Desc.Name()) == name })]
}

// query lists the fields of a request that its path does not hold, those of messages in it by their paths.
func (d document) query(prefix string, m *protogen.Message, taken []string) (list []object) {
	for _, f := range m.Fields {
		if slices.Contains(taken, string(f.Desc.Name())) {
			continue
		}
		name := prefix + f.Desc.JSONName()
		if f.Message != nil && !f.Desc.IsList() && !ownJSON(f.Message.Desc) {
			list = append(list, d.query(name+".", f.Message, nil)...)
			continue
		}
		list = append(list, object{"name": name, "in": "query", "description": said(f.Comments), "schema": d.field(f)})
	}
	return list
}

// body is a request without the fields that its path holds.
func (d document) body(m *protogen.Message, taken []string) object {
	properties := object{}
	for _, f := range m.Fields {
		if !slices.Contains(taken, string(f.Desc.Name())) {
			properties[f.Desc.JSONName()] = d.described(f)
		}
	}
	return object{"type": "object", "description": said(m.Comments), "properties": properties,
		"additionalProperties": false}
}

// responses are the answer and the error of a call. A stream is lines of JSON.
func (d document) responses(m *protogen.Method) object {
	schema, kind, about := d.message(m.Output), "application/json", "The answer."
	if m.Desc.IsStreamingServer() {
		kind, about = "application/x-ndjson", "The answers, one on a line. After an error the last line is an object "+
			"with it as its only member, error."
	}
	return object{
		"200": object{"description": about, "content": object{kind: object{"schema": schema}}},
		"default": object{"description": "An error.", "content": object{"application/json": object{
			"schema": reference("Error")}}},
	}
}

// ownJSON reports whether the JSON of a message is not made of its fields.
func ownJSON(m protoreflect.MessageDescriptor) bool {
	return m.ParentFile().Package() == "google.protobuf"
}
