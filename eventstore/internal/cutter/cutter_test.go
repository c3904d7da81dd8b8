package cutter

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var errShort = errors.New("short")

// TestReader holds that values come in their order, and that after bytes that end too early there are only zero
// values and the first error.
func TestReader(t *testing.T) {
	t.Parallel()
	type read struct {
		Number uint64
		Bytes  string
		Byte   byte
		Taken  string
		Short  bool
	}
	for name, c := range map[string]struct {
		data string
		want read
	}{
		"whole":           {"\xac\x02\x02ab\x07xyz", read{Number: 300, Bytes: "ab", Byte: 7, Taken: "xyz"}},
		"half a number":   {"\xac", read{Short: true}},
		"half of bytes":   {"\x01\x05ab", read{Number: 1, Short: true}},
		"no byte":         {"\x01\x00", read{Number: 1, Short: true}},
		"too few taken":   {"\x01\x00\x07xy", read{Number: 1, Byte: 7, Short: true}},
		"nothing":         {"", read{Short: true}},
		"a huge length":   {"\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", read{Number: 1, Short: true}},
		"overlong number": {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", read{Short: true}},
	} {
		r := Reader{Rest: []byte(c.data), Short: errShort}
		got := read{Number: r.Number(), Bytes: string(r.Bytes()), Byte: r.Byte(), Taken: string(r.Take(3))}
		got.Short = errors.Is(r.Err, errShort)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if r.Err != nil && len(r.Rest) > 0 {
			t.Errorf("%s: after the error %d bytes are left", name, len(r.Rest))
		}
	}
}

// TestTakenBytesAreNotWrittenOver holds that appending to what was cut off leaves what follows it alone.
func TestTakenBytesAreNotWrittenOver(t *testing.T) {
	t.Parallel()
	r := Reader{Rest: []byte("\x01ab"), Short: errShort}
	_ = append(r.Bytes(), 'x')
	if got := r.Byte(); got != 'b' {
		t.Errorf("the next byte is %q, want b", got)
	}
}
