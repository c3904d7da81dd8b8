package kit

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/warledger/warledger/rules"
)

const (
	// MaxDocument is the largest scenario document in bytes, where the ruleset says no other.
	MaxDocument = 4 << 20
	// MaxFaults is how many faults of a document are reported; more are only counted.
	MaxFaults = 500
)

// Loader checks a scenario document and keeps what is wrong with it, each thing with its path in the document.
type Loader struct {
	// Faults found so far.
	Faults rules.Faults
	// Limit of the document in bytes; [MaxDocument] if it is 0.
	Limit int
	// Bounds that the tags of [Loader.Fill] name, such as the last turn.
	Bounds map[string]int

	more int             // faults beyond MaxFaults
	ids  map[string]bool // given, by table and id
}

// Fault notes something wrong.
func (l *Loader) Fault(path, format string, args ...any) {
	if len(l.Faults) >= MaxFaults {
		l.more++
		return
	}
	l.Faults.Add(path, format, args...)
}

// Warn notes what a game can be played with all the same.
func (l *Loader) Warn(path, format string, args ...any) {
	if len(l.Faults) < MaxFaults {
		l.Faults.Warn(path, format, args...)
	}
}

// Tolerate notes a fault that stored games may have, because earlier programs did not look for it. Beyond [MaxFaults]
// it is not counted either: a count is a fault that no game goes on with.
func (l *Loader) Tolerate(path, format string, args ...any) {
	if len(l.Faults) < MaxFaults {
		l.Faults.Tolerate(path, format, args...)
	}
}

// Read decodes a document, JSON of a message. It reports whether it could be read.
func (l *Loader) Read(doc []byte, m proto.Message) bool {
	if limit := cmp.Or(l.Limit, MaxDocument); len(doc) > limit {
		l.Fault("", "the document has %d bytes, expected at most %d", len(doc), limit)
		return false
	}
	if err := protojson.Unmarshal(doc, m); err != nil {
		// The library varies the space in its messages so that nobody depends on them; a fault should
		// read the same every time.
		l.Fault("", "%s", strings.ReplaceAll(err.Error(), "\u00a0", " "))
		return false
	}
	return true
}

// Done reports whether the document makes a scenario, after all of it was checked.
func (l *Loader) Done() bool {
	if l.more > 0 {
		l.Faults.Add("", "%d more faults are not listed", l.more)
	}
	return !l.Faults.Fatal()
}

// text is a text of a document in its languages.
type text interface {
	GetEn() string
	GetJa() string
}

// Words checks a text that must be there in English.
func (l *Loader) Words(path string, w text, limit int) {
	if strings.TrimSpace(w.GetEn()) == "" {
		l.Fault(path, "no English text")
	}
	for _, s := range [...]string{w.GetEn(), w.GetJa()} {
		if n := utf8.RuneCountInString(s); n > limit {
			l.Fault(path, "%d characters, expected at most %d", n, limit)
		}
		if strings.IndexFunc(s, unicode.IsControl) >= 0 {
			l.Fault(path, "control characters in the text")
		}
	}
}

// Number checks a number and gives it, the lowest that may be for one that may not.
func (l *Loader) Number(path string, n uint32, lo, hi int) int {
	if int64(n) < int64(lo) || int64(n) > int64(hi) {
		l.Fault(path, "%d, expected %s", n, span(lo, hi))
		return lo
	}
	return int(n)
}

// span writes the numbers that may be.
func span(lo, hi int) string {
	if lo == hi {
		return strconv.Itoa(lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}

// Modifier checks a number with a sign and gives it, 0 for one that may not be.
func (l *Loader) Modifier(path string, n int32, limit int) int {
	if int64(n) < -int64(limit) || int64(n) > int64(limit) {
		l.Fault(path, "%d, expected %d to %d", n, -limit, limit)
		return 0
	}
	return int(n)
}

// Count checks the length of a list.
func (l *Loader) Count(path string, n, lo, hi int) bool {
	if n < lo || n > hi {
		l.Fault(path, "%d entries, expected %s", n, span(lo, hi))
	}
	return n >= lo && n <= hi
}

// Fill fills in the fields of a struct that have a tag `doc:"NAME,..."` from the fields of a message, in their order.
// What follows the name depends on the field:
//
//	number  the bounds, LO,HI; a name stands for the number in Bounds
//	flag    nothing
//	text    nothing; or LO,HI characters; or for an id, which no two rows of a table may share, the most characters
//	words   the most characters, see [Loader.Words]
//	enum    what is expected if the value is not one of the contract's, such as "one of the sizes"
//
// A number, flag or text that the message need not have and does not keeps its value. The struct is given by a pointer,
// and the tags by the ruleset, so what does not fit panics.
func (l *Loader) Fill(path string, m proto.Message, to any) {
	r, v := m.ProtoReflect(), reflect.ValueOf(to).Elem()
	for i := range v.NumField() {
		name, bounds, _ := strings.Cut(v.Type().Field(i).Tag.Get("doc"), ",")
		if name == "" {
			continue
		}
		if f := r.Descriptor().Fields().ByName(protoreflect.Name(name)); f.Message() != nil || !f.HasPresence() ||
			r.Has(f) {
			l.fill(path, f, r.Get(f), v.Field(i), bounds)
		}
	}
}

func (l *Loader) fill(
	table string, f protoreflect.FieldDescriptor, value protoreflect.Value, to reflect.Value, bounds string,
) {
	path := strings.TrimPrefix(table+"."+string(f.Name()), ".")
	switch f.Kind() {
	case protoreflect.BoolKind:
		to.SetBool(value.Bool())
	case protoreflect.StringKind:
		to.SetString(value.String())
		lo, hi, within := strings.Cut(bounds, ",")
		if n := utf8.RuneCountInString(value.String()); within && (n < l.bound(lo) || n > l.bound(hi)) {
			l.Fault(path, "%d characters, expected %s to %s", n, lo, hi)
		} else if !within && bounds != "" {
			l.id(table, path, value.String(), bounds)
		}
	case protoreflect.MessageKind:
		words := value.Message().Interface()
		l.Words(path, words.(text), l.bound(bounds))
		to.Set(reflect.ValueOf(words))
	case protoreflect.EnumKind:
		known := f.Enum().Values().ByNumber(value.Enum())
		if to.SetInt(int64(value.Enum())); known == nil {
			l.Fault(path, "%d, expected %s", value.Enum(), bounds)
		} else if value.Enum() == 0 {
			l.Fault(path, "%s, expected %s", known.Name(), bounds)
		}
	case protoreflect.Uint32Kind:
		lo, hi, _ := strings.Cut(bounds, ",")
		n := l.Number(path, uint32(value.Uint()), l.bound(lo), l.bound(hi))
		to.Set(reflect.ValueOf(n).Convert(to.Type()))
	default:
		_, hi, _ := strings.Cut(bounds, ",")
		to.SetInt(int64(l.Modifier(path, int32(value.Int()), l.bound(hi))))
	}
}

// bound reads a bound of a tag: a number, or the name of one.
func (l *Loader) bound(s string) int {
	if n, ok := l.Bounds[s]; ok {
		return n
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(fmt.Sprintf("kit: %q is no bound: %v", s, err))
	}
	return n
}

// foreign reports whether a letter may not be in an id.
func foreign(c rune) bool { return c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') }

// id checks the id of a row against those of the rows before it.
func (l *Loader) id(row, path, id, most string) {
	table := row[:max(0, strings.LastIndexByte(row, '['))]
	switch {
	case id == "" || id[0] == '-' || len(id) > l.bound(most) || strings.IndexFunc(id, foreign) >= 0:
		l.Fault(path, "%.40q, expected 1 to %s lower-case letters, digits and dashes", id, most)
	case l.ids[table+"."+id]:
		l.Fault(path, "%q is given twice", id)
	}
	if l.ids == nil {
		l.ids = map[string]bool{}
	}
	l.ids[table+"."+id] = true
}

// Ranged is a row of a table that holds a run of die results.
type Ranged interface {
	// GetFrom is the first result of the row.
	GetFrom() uint32
	// GetTo is the last one.
	GetTo() uint32
}

// Cover checks that rows hold every result from 1 to last, none twice, and gives the row of each result, -1 for none.
func Cover[R Ranged](l *Loader, path string, rows []R, last int) []int {
	at := make([]int, last+1)
	for i := range at {
		at[i] = -1
	}
	for i, r := range rows {
		from, to := int64(r.GetFrom()), int64(r.GetTo())
		if from < 1 || to > int64(last) || from > to {
			l.Fault(fmt.Sprintf("%s[%d]", path, i), "holds %d to %d, expected a run within 1 to %d", from, to, last)
			continue
		}
		for n := from; n <= to; n++ {
			if at[n] >= 0 {
				l.Fault(fmt.Sprintf("%s[%d]", path, i), "holds %d, which %s[%d] holds as well", n, path, at[n])
				continue
			}
			at[n] = i
		}
	}
	for n := 1; n <= last; n++ {
		if at[n] < 0 {
			l.Fault(path, "no row holds %d", n)
		}
	}
	return at
}
