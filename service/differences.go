package service

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// differences lists the values in which two messages of one type differ, by path.
func differences(left, right proto.Message) []*v1.Difference {
	a, b := values{}, values{}
	a.message("", left.ProtoReflect())
	b.message("", right.ProtoReflect())
	paths := maps.Clone(a)
	maps.Copy(paths, b)
	var out []*v1.Difference
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if a[path] != b[path] {
			out = append(out, &v1.Difference{Path: path, Left: a[path], Right: b[path]})
		}
	}
	return out
}

// values are the single values of a message, as text, by path.
type values map[string]string

func (v values) message(path string, m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		at := string(f.Name())
		if path != "" {
			at = path + "." + at
		}
		switch {
		case f.IsMap():
			value.Map().Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
				v.single(at+"["+key.String()+"]", f.MapValue(), value)
				return true
			})
		case f.IsList():
			v.list(at, f, value.List())
		default:
			v.single(at, f, value)
		}
		return true
	})
}

// list names elements by their id, if they have one, so that one that is missing does not make all after it differ.
func (v values) list(path string, f protoreflect.FieldDescriptor, list protoreflect.List) {
	for i := range list.Len() {
		at := fmt.Sprintf("%s[%d]", path, i)
		if id := idOf(f, list.Get(i)); id != "" {
			at = path + "[" + id + "]"
			if _, twice := v[at]; twice {
				at = fmt.Sprintf("%s[%s#%d]", path, id, i)
			}
			v[at] = "present"
		}
		v.single(at, f, list.Get(i))
	}
}

func idOf(f protoreflect.FieldDescriptor, element protoreflect.Value) string {
	if f.Kind() != protoreflect.MessageKind {
		return ""
	}
	m := element.Message()
	id := m.Descriptor().Fields().ByName("id")
	if id == nil || id.Kind() != protoreflect.StringKind || id.IsList() {
		return ""
	}
	return m.Get(id).String()
}

func (v values) single(path string, f protoreflect.FieldDescriptor, value protoreflect.Value) {
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		if _, listed := v[path]; !listed {
			v[path] = "present"
		}
		v.message(path, value.Message())
	case protoreflect.EnumKind:
		v[path] = fmt.Sprint(value.Enum())
		if known := f.Enum().Values().ByNumber(value.Enum()); known != nil {
			v[path] = string(known.Name())
		}
	case protoreflect.BytesKind:
		v[path] = fmt.Sprintf("%x", value.Bytes())
	default:
		v[path] = strings.ToValidUTF8(value.String(), "\uFFFD")
	}
}
