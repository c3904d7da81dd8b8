package fault

import (
	"bytes"
	"regexp"
	"strings"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"
)

// tokenLike finds what may be a token, or the beginning of one, in a text. People paste tokens where they do not
// belong, and what an error quotes ends up in logs and screenshots.
var tokenLike = regexp.MustCompile(`wl_[a-z]_[a-z2-7]*`)

// tokenMark begins every token.
const tokenMark = "wl_"

// censor takes tokens out of a status, wherever a message of its author or of a ruleset has quoted them.
func censor(st *spb.Status) {
	st.Message = censorText(st.Message)
	for _, d := range st.Details {
		if !bytes.Contains(d.Value, []byte(tokenMark)) {
			continue
		}
		m, err := d.UnmarshalNew()
		if err != nil { // of our own making, so it can be read
			continue
		}
		censorMessage(m.ProtoReflect())
		if clean, err := anypb.New(m); err == nil {
			proto.Reset(d)
			proto.Merge(d, clean)
		}
	}
}

func censorText(s string) string {
	if !strings.Contains(s, tokenMark) {
		return s
	}
	return tokenLike.ReplaceAllString(s, "(a token)")
}

// censorMessage censors all texts of a detail: its fields, its lists, its maps, and the messages in them.
func censorMessage(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, one protoreflect.Value) bool {
				switch f.MapValue().Kind() {
				case protoreflect.StringKind:
					v.Map().Set(k, protoreflect.ValueOfString(censorText(one.String())))
				case protoreflect.MessageKind:
					censorMessage(one.Message())
				}
				return true
			})
		case f.IsList():
			for i := range v.List().Len() {
				switch f.Kind() {
				case protoreflect.MessageKind:
					censorMessage(v.List().Get(i).Message())
				case protoreflect.StringKind:
					v.List().Set(i, protoreflect.ValueOfString(censorText(v.List().Get(i).String())))
				}
			}
		case f.Kind() == protoreflect.StringKind:
			m.Set(f, protoreflect.ValueOfString(censorText(v.String())))
		case f.Kind() == protoreflect.MessageKind:
			censorMessage(v.Message())
		}
		return true
	})
}
