package ocs

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// spacious are the lists whose rows are places of the map, and the message of the map.
var spacious = map[protoreflect.Name]bool{"map": true, "area": true, "controlled_by_other": true}

// lengths reports whether any list of a message is too long, and which.
func (l *loader) lengths(m protoreflect.Message, path string, most int) (long bool) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() { // Range would go through them in any order
		f := fields.Get(i)
		if !m.Has(f) {
			continue
		}
		v := m.Get(f)
		at, most := strings.TrimPrefix(path+"."+string(f.Name()), "."), most
		if path == "" && spacious[f.Name()] {
			most = 3 * maxHexes
		}
		switch {
		case f.IsList() && v.List().Len() > most:
			l.Fault(at, "%d rows, expected at most %d", v.List().Len(), most)
			long = true
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				long = l.lengths(v.List().Get(i).Message(), fmt.Sprintf("%s[%d]", at, i), most) || long
			}
		case f.Message() != nil && !f.IsMap():
			long = l.lengths(v.Message(), at, most) || long
		}
	}
	return long
}
