package dump_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/dump"
	"github.com/warledger/warledger/eventstore/memory"
)

func numbers(list ...uint64) string {
	var buf []byte
	for _, n := range list {
		buf = binary.AppendUvarint(buf, n)
	}
	return string(buf)
}

func text(s string) string { return numbers(uint64(len(s))) + s }

func streamOf(name string, version, metaVersion uint64, meta string) string {
	return "S" + text(name) + numbers(version, metaVersion) + meta
}

// entry has a hash that begins with its number.
func entry(number byte, key, data string) string {
	return text(key) + string([]byte{number}) + strings.Repeat("\x00", 31) + text(data)
}

func entriesOf(list ...string) string {
	return "E" + numbers(uint64(len(list))) + strings.Join(list, "")
}

// TestForged reads dumps with right sums that no program writes.
func TestForged(t *testing.T) {
	t.Parallel()
	one := entriesOf(entry(1, "", "x"))
	for name, tt := range map[string]struct {
		blocks []string
		want   string
	}{
		"sound":                {[]string{streamOf("a", 1, 0, ""), one, "T" + numbers(1, 1, 1)}, ""},
		"unknown kind":         {[]string{"X"}, "unknown kind"},
		"entries of no stream": {[]string{one}, "before a block 'E'"},
		"names out of order": {
			[]string{streamOf("b", 1, 0, ""), one, streamOf("a", 1, 0, ""), one},
			`"a" comes after "b"`,
		},
		"a name twice": {
			[]string{streamOf("b", 1, 0, ""), one, streamOf("b", 1, 0, "")},
			`"b" comes after "b"`,
		},
		"no name":                   {[]string{streamOf("", 1, 0, "")}, "stream name"},
		"a name with control":       {[]string{streamOf("a\n", 1, 0, "")}, "control"},
		"a name that is cut off":    {[]string{"S" + numbers(9) + "a"}, "too short"},
		"no version":                {[]string{"S" + text("a")}, "too short"},
		"a number that is too long": {[]string{"S" + strings.Repeat("\xff", 11)}, "too short"},
		"version 0":                 {[]string{streamOf("a", 0, 0, "")}, "version 0"},
		"metadata never set":        {[]string{streamOf("a", 1, 0, "meta")}, "metadata version 0"},
		"large metadata": {
			[]string{streamOf("a", 1, 1, strings.Repeat("m", eventstore.MaxMeta+1))},
			"metadata",
		},
		"no entries": {[]string{streamOf("a", 1, 0, ""), entriesOf()}, "a block of 0 entries"},
		"too many entries": {
			[]string{streamOf("a", 1, 0, ""), entriesOf(entry(1, "", ""), entry(2, "", ""))},
			"a block of 2 entries",
		},
		"more than there are": {
			[]string{streamOf("a", 9, 0, ""), "E" + numbers(2) + entry(1, "", "")},
			"too short",
		},
		"less than there are": {[]string{streamOf("a", 1, 0, ""), one + "x"}, "something follows the entries"},
		"beyond a block": {
			[]string{streamOf("a", math.MaxUint64, 0, ""), "E" + numbers(dump.BlockEntries+1)},
			"a block of 1001 entries",
		},
		"an end that is missing":   {[]string{streamOf("a", 2, 0, ""), one, "T" + numbers(1, 1, 1)}, "1 of 2 entries"},
		"another stream too early": {[]string{streamOf("a", 2, 0, ""), one, streamOf("b", 1, 0, "")}, "1 of 2 entries"},
		"entries after the last":   {[]string{streamOf("a", 1, 0, ""), one, one}, "1 of 1 entries"},
		"a key twice": {
			[]string{streamOf("a", 2, 0, ""), entriesOf(entry(1, "k", ""), entry(2, "k", ""))},
			"key",
		},
		"a key of a block before": {
			[]string{streamOf("a", 2, 0, ""), entriesOf(entry(1, "k", "")), entriesOf(entry(2, "k", ""))},
			"key",
		},
		"a long key": {
			[]string{streamOf("a", 1, 0, ""), entriesOf(entry(1, strings.Repeat("k", eventstore.MaxKey+1), ""))},
			"key",
		},
		"counts of others": {
			[]string{streamOf("a", 1, 0, ""), one, "T" + numbers(1, 1, 2)},
			"2 bytes, and holds 1, 1 and 1",
		},
		"counts that are missing": {[]string{"T" + numbers(0, 0)}, "holds 0, 0 and 0"},
		"more than counts":        {[]string{"T" + numbers(0, 0, 0) + "x"}, "holds 0, 0 and 0"},
		"two trailers": {
			[]string{"T" + numbers(0, 0, 0), "T" + numbers(0, 0, 0)},
			"something follows its end",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := dump.Read(ctx, bytes.NewReader(dump.Forge(tt.blocks...)), empty(t))
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (!errors.Is(err, dump.ErrDamaged) || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("read: %v, want ErrDamaged with %q", err, tt.want)
			}
		})
	}
	huge := append(dump.Header(1), dump.BlockHeader('E', dump.MaxContent+1)...)
	if _, err := dump.Read(ctx, bytes.NewReader(huge), empty(t)); !errors.Is(err, dump.ErrDamaged) {
		t.Errorf("a block that is too large: %v", err)
	}
	_, err := dump.Read(ctx, bytes.NewReader(dump.Header(2)), empty(t))
	if !errors.Is(err, dump.ErrNewer) || !strings.Contains(err.Error(), "format 2") {
		t.Errorf("a newer dump: %v", err)
	}
}

// FuzzRead reads bytes as they are, and once more as the blocks of a dump with right sums. What is accepted is what a
// dump of the store says.
func FuzzRead(f *testing.F) {
	sound := []string{
		streamOf("a", 3, 2, "meta"), entriesOf(entry(1, "k", "x"), entry(2, "", "")), entriesOf(entry(3, "l", "y")),
		streamOf("b", 1, 0, ""), entriesOf(entry(4, "k", "z")), "T" + numbers(2, 4, 3),
	}
	f.Add([]byte{})
	f.Add(dump.Forge(sound...))
	var blocks []byte
	for _, b := range sound {
		blocks = append(binary.BigEndian.AppendUint16(blocks, uint16(len(b))), b...)
	}
	f.Add(blocks)
	f.Add(blocks[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		readBack(t, data)
		var list []string
		for len(data) > 2 {
			n := min(int(binary.BigEndian.Uint16(data)), len(data)-2)
			if n > 0 {
				list = append(list, string(data[2:2+n]))
			}
			data = data[2+n:]
		}
		readBack(t, dump.Forge(list...))
	})
}

// readBack restores a dump, and a dump of that, and wants the same.
func readBack(t *testing.T, data []byte) {
	s := memory.New()
	defer s.Close()
	report, err := dump.Read(ctx, bytes.NewReader(data), s)
	if err != nil {
		return
	}
	first := mustDump(t, s)
	again := memory.New()
	defer again.Close()
	back, err := dump.Read(ctx, bytes.NewReader(first), again)
	if back != report || err != nil {
		t.Fatalf("read back %+v, %v of %+v", back, err, report)
	}
	if !bytes.Equal(first, mustDump(t, again)) {
		t.Error("read back, it is another")
	}
}
