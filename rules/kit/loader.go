package kit

import (
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
	// MaxDocument is the largest scenario document, in bytes.
	MaxDocument = 4 << 20
	// MaxFaults is how many faults of a document are reported; more are only counted.
	MaxFaults = 500
)

// Loader checks a scenario document and keeps what is wrong with it, each thing with its path in the document.
type Loader struct {
	// Faults found so far.
	Faults rules.Faults
	more   int // faults beyond MaxFaults
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

// Read decodes a document, JSON of a message. It reports whether it could be read.
func (l *Loader) Read(doc []byte, m proto.Message) bool {
	if len(doc) > MaxDocument {
		l.Fault("", "the document has %d bytes, expected at most %d", len(doc), MaxDocument)
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

// Words checks a text that must be there in English.
func (l *Loader) Words(path string, w interface {
	GetEn() string
	GetJa() string
}, limit int) {
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
		l.Fault(path, "%d, expected %d to %d", n, lo, hi)
		return lo
	}
	return int(n)
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
		l.Fault(path, "%d entries, expected %d to %d", n, lo, hi)
	}
	return n >= lo && n <= hi
}

// Fill fills in the fields of a struct that have a tag `doc:"NAME,LO,HI"` from the fields of a message, in their
// order. Numbers are checked against the bounds; LO and HI are left out for flags and texts. A field that the
// message need not have and does not keeps its value. The struct is given by a pointer, and the tags by the ruleset,
// so what does not fit panics.
func (l *Loader) Fill(path string, m proto.Message, to any) {
	r, v := m.ProtoReflect(), reflect.ValueOf(to).Elem()
	for i := range v.NumField() {
		name, bounds, _ := strings.Cut(v.Type().Field(i).Tag.Get("doc"), ",")
		if name == "" {
			continue
		}
		f := r.Descriptor().Fields().ByName(protoreflect.Name(name))
		if f.HasPresence() && !r.Has(f) {
			continue
		}
		switch value, to := r.Get(f), v.Field(i); f.Kind() {
		case protoreflect.BoolKind:
			to.SetBool(value.Bool())
		case protoreflect.StringKind:
			to.SetString(value.String())
		case protoreflect.Uint32Kind:
			lo, hi := limits(bounds)
			to.SetInt(int64(l.Number(path+"."+name, uint32(value.Uint()), lo, hi)))
		default:
			_, hi := limits(bounds)
			to.SetInt(int64(l.Modifier(path+"."+name, int32(value.Int()), hi)))
		}
	}
}

// limits reads the bounds of a tag.
func limits(bounds string) (lo, hi int) {
	a, b, _ := strings.Cut(bounds, ",")
	lo, err := strconv.Atoi(a)
	if err == nil {
		hi, err = strconv.Atoi(b)
	}
	if err != nil {
		panic(fmt.Sprintf("kit: %q are no bounds: %v", bounds, err))
	}
	return lo, hi
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
