package powerfail

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDiskMayHold lists, for short traces, all that a disk may hold afterwards, one letter for a sector.
func TestDiskMayHold(t *testing.T) {
	t.Parallel()
	held := Op{Kind: Held, File: 1, Name: "f", Data: letters("ab")}
	write := func(at int64, s string) Op { return Op{Kind: Write, File: 1, Off: at * sector, Data: letters(s)} }
	cut := func(n int64) Op { return Op{Kind: Truncate, File: 1, Off: n * sector} }
	sync, fail := Op{Kind: Sync, File: 1}, Op{Kind: Sync, File: 1, Failed: true}
	for name, tt := range map[string]struct {
		trace Trace
		want  []string
	}{
		"nothing was done":             {Trace{held}, []string{"f=ab"}},
		"a write":                      {Trace{held, write(0, "AB")}, []string{"f=AB", "f=Ab", "f=aB", "f=ab"}},
		"a write and a sync":           {Trace{held, write(0, "AB"), sync}, []string{"f=AB"}},
		"two writes to one place":      {Trace{held, write(0, "A"), write(0, "Z")}, []string{"f=Ab", "f=Zb", "f=ab"}},
		"a write that makes it longer": {Trace{held, write(2, "C")}, []string{"f=ab", "f=ab.", "f=abC"}},
		"shorter, and longer again":    {Trace{held, cut(1), cut(2)}, []string{"f=a", "f=a.", "f=ab"}},
		"a sync that failed":           {Trace{held, write(1, "B"), fail, sync}, []string{"f=aB", "f=ab"}},
		"written again after that":     {Trace{held, write(1, "B"), fail, write(1, "B"), sync}, []string{"f=aB"}},
		"longer, though a sync failed": {Trace{held, cut(3), fail, write(2, "C"), sync}, []string{"f=abC"}},
		"a write that was refused": {Trace{held, {Kind: Write, File: 1, Data: letters("A"), Failed: true}},
			[]string{"f=ab"}},
		"a new name": {Trace{held, {Kind: Rename, Name: "f", To: "g"}}, []string{"f=ab", "g=ab"}},
		"a durable name": {Trace{held, {Kind: Rename, Name: "f", To: "g"}, {Kind: SyncDir}},
			[]string{"g=ab"}},
		"names whose sync failed": {Trace{held, {Kind: Unlink, Name: "f"}, {Kind: SyncDir, Failed: true}},
			[]string{"", "f=ab"}},
		"a file that is made": {Trace{{Kind: Create, File: 1, Name: "n"}, write(0, "A"), sync},
			[]string{"", "n=A"}},
		"one that takes another's name": {
			Trace{held, {Kind: Create, File: 2, Name: "n"}, {Kind: SyncDir}, {Kind: Rename, Name: "n", To: "f"}},
			[]string{"f=", "f=ab n="},
		},
		"linked, and one name removed": {
			Trace{held, {Kind: Link, Name: "f", To: "g"}, {Kind: Unlink, Name: "f"}},
			[]string{"", "f=ab", "f=ab g=ab", "g=ab"}, // nothing: the second without the first
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDisk()
			for i, o := range tt.trace {
				d.do(i, o)
			}
			seen := map[string]bool{}
			for _, c := range choices(rand.New(rand.NewPCG(1, 1)), d, len(tt.trace)-1, 1000) {
				seen[told(d.contents(c))] = true
			}
			if diff := cmp.Diff(tt.want, sortedKeys(seen)); diff != "" {
				t.Errorf("images (-want +got):\n%s", diff)
			}
		})
	}
}

func letters(s string) []byte {
	var b []byte
	for _, c := range []byte(s) {
		b = append(b, bytes.Repeat([]byte{c}, sector)...)
	}
	return b
}

// told is what files hold, by their first letter of each sector; a dot is nothing.
func told(files map[string][]byte) string {
	var text []string
	for _, name := range sortedKeys(files) {
		var b []byte
		for s := range slices.Chunk(files[name], sector) {
			b = append(b, s[0])
		}
		text = append(text, name+"="+string(bytes.ReplaceAll(b, []byte{0}, []byte("."))))
	}
	return strings.Join(text, " ")
}

// TestTheSameSeedMakesTheSameImages is that what CI found can be found again.
func TestTheSameSeedMakesTheSameImages(t *testing.T) {
	t.Parallel()
	trace := Trace{{Kind: Held, File: 1, Name: "f", Data: letters("abcdefgh")}}
	for i := range int64(40) {
		trace = append(trace, Op{Kind: Write, File: 1, Off: i * 7 % 8 * sector, Data: letters("XY")})
	}
	run := func(seed uint64) (all []string) {
		trace.images(Options{Images: 500, Seed: seed},
			func(j job) { all = append(all, fmt.Sprint(j.bad.At, j.bad.Kept, told(j.files))) })
		return all
	}
	if diff := cmp.Diff(run(1), run(1)); diff != "" {
		t.Errorf("the second time (-first +second):\n%s", diff)
	}
	if cmp.Equal(run(1), run(2)) {
		t.Error("two seeds made the same images")
	}
}
