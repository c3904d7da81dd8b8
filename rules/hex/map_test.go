package hex

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// rectangle is every coordinate of columns and rows 1 to the given numbers.
func rectangle(cols, rows int) []Coord {
	var all []Coord
	for c := 1; c <= cols; c++ {
		for r := 1; r <= rows; r++ {
			all = append(all, Coord{int16(c), int16(r)})
		}
	}
	return all
}

func mustMap(t testing.TB, g Geometry, coords []Coord) *Map {
	t.Helper()
	m, err := NewMap(g, coords)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func drawGeometry(t *rapid.T) Geometry { return rapid.SampledFrom(layouts()).Draw(t, "geometry") }

// drawMap is a small map of any layout with holes in it.
func drawMap(t *rapid.T) *Map {
	coords := rectangle(rapid.IntRange(1, 9).Draw(t, "cols"), rapid.IntRange(1, 9).Draw(t, "rows"))
	random := rapid.Uint64().Draw(t, "holes")
	kept := slices.DeleteFunc(slices.Clone(coords), func(c Coord) bool {
		return mix(random, uint64(c.Col), uint64(c.Row))%5 == 0
	})
	if len(kept) == 0 {
		kept = coords
	}
	m, err := NewMap(drawGeometry(t), kept)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func drawHex(t *rapid.T, m *Map, label string) Index {
	return Index(rapid.IntRange(0, m.Len()-1).Draw(t, label))
}

// mix is a number that looks random and depends on all that is given.
func mix(in ...uint64) uint64 {
	h := uint64(0x9E3779B97F4A7C15)
	for _, x := range in {
		h = (h ^ x) * 0xBF58476D1CE4E5B9
		h ^= h >> 29
	}
	return h
}

func TestMapLookups(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t)
		last := ""
		for i := range Index(m.Len()) {
			if m.At(m.Coord(i)) != i {
				t.Fatalf("hex %d at %v is %d", i, m.Coord(i), m.At(m.Coord(i)))
			}
			if got, err := m.ByID(m.ID(i)); got != i || err != nil {
				t.Fatalf("%s is %d, %v, want %d", m.ID(i), got, err, i)
			}
			if m.ID(i) <= last {
				t.Fatalf("%s follows %s", m.ID(i), last)
			}
			last = m.ID(i)
		}
	})
}

func TestNeighborsAndSides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawMap(t)
		seen := make([]int, m.NumSides())
		for i := range Index(m.Len()) {
			for d := range Dir(NumDirs) {
				n := m.Neighbor(i, d)
				if n != m.At(m.Geometry().Neighbor(m.Coord(i), d)) || n != m.Neighbors(i)[d] {
					t.Fatalf("neighbour %s of %s is %d", m.DirName(d), m.ID(i), n)
				}
				s := m.Side(i, d)
				seen[s]++
				want := Side{i, d, n}
				if n < i {
					want = Side{n, d.Opposite(), i}
				}
				if m.SideAt(s) != want || m.Sides(i)[d] != s {
					t.Fatalf("side %s of %s is %+v, want %+v", m.DirName(d), m.ID(i), m.SideAt(s), want)
				}
				if n == None {
					continue
				}
				if m.Neighbor(n, d.Opposite()) != i || m.Side(n, d.Opposite()) != s {
					t.Fatalf("%s of %s is %s, but not the other way", m.DirName(d), m.ID(i), m.ID(n))
				}
				if got, ok := m.DirTo(i, n); got != d || !ok {
					t.Fatalf("direction from %s to %s is %d", m.ID(i), m.ID(n), got)
				}
				if got, ok := m.SideBetween(n, i); got != s || !ok {
					t.Fatalf("side between %s and %s is %d", m.ID(n), m.ID(i), got)
				}
			}
			if m.Adjacent(i, i) || m.Adjacent(i, None) {
				t.Fatalf("%s is adjacent to itself or to nothing", m.ID(i))
			}
		}
		for s, n := range seen {
			want := 2
			if m.SideAt(SideIndex(s)).Other == None {
				want = 1
			}
			if n != want {
				t.Fatalf("side %d belongs to %d hexes, want %d", s, n, want)
			}
		}
	})
}

func TestMapFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		coords []Coord
		want   []string
	}{
		{"empty", nil, []string{"0 hexes"}},
		{"too many", make([]Coord, 0xFFFF+1), []string{"65536 hexes"}},
		{"twice, all at once", []Coord{{1, 2}, {3, 4}, {1, 2}, {3, 4}},
			[]string{"01.02 is there twice", "03.04 is there twice"}},
		{"out of the format", []Coord{{1, 2}, {100, 4}, {-1, 4}}, []string{"column 100 row 4", "column -1 row 4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := NewMap(crimea, tt.coords)
			for _, want := range tt.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q", err, want)
				}
			}
		})
	}
	wide := crimea
	wide.Format = Format{4, 4, "."}
	if _, err := NewMap(wide, []Coord{{0, 0}, {9999, 9999}}); err == nil ||
		!strings.Contains(err.Error(), "spread over") {
		t.Errorf("far apart: %v", err)
	}
	if _, err := NewMap(Geometry{}, rectangle(1, 1)); err == nil {
		t.Error("no geometry")
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	loose := crimea
	loose.Format = Format{Separator: "-"}
	tests := []struct {
		g       Geometry
		id      string
		want    Coord
		problem string
	}{
		{crimea, "12.03", Coord{12, 3}, ""},
		{downfall, "2506", Coord{Row: 25, Col: 6}, ""},
		{loose, "7-1234", Coord{7, 1234}, ""},
		{loose, "0-0", Coord{0, 0}, ""},
		{crimea, "", Coord{}, "first number: want 2 digits, got 0"},
		{crimea, "1.03", Coord{}, "first number: want 2 digits, got 1"},
		{crimea, "1203", Coord{}, `want "." after the first number, like "01.02"`},
		{crimea, "12.3", Coord{}, "second number: want 2 digits, got 1"},
		{crimea, "12.034", Coord{}, `"4" is left over`},
		{crimea, " 12.03", Coord{}, "want 2 digits, got 0"},
		{crimea, "-1.03", Coord{}, "want 2 digits, got 0"},
		{crimea, "١٢.03", Coord{}, "want 2 digits, got 0"},
		{loose, "07-1", Coord{}, "no leading zeros"},
		{loose, "-1", Coord{}, "want 1 to 4 digits"},
		{loose, "12345-1", Coord{}, "want 1 to 4 digits"},
	}
	for _, tt := range tests {
		got, err := tt.g.Parse(tt.id)
		if tt.problem == "" {
			if err != nil || got != tt.want || tt.g.ID(got) != tt.id {
				t.Errorf("%q: got %v, %v", tt.id, got, err)
			}
			continue
		}
		var idErr *IDError
		if !errors.As(err, &idErr) || !strings.Contains(idErr.Problem, tt.problem) || idErr.ID != tt.id {
			t.Errorf("%q: got %v, want %q", tt.id, err, tt.problem)
		}
	}
	_, err := mustMap(t, crimea, rectangle(2, 2)).ByID("12.03")
	if diff := cmp.Diff(&IDError{"12.03", "no such hex on the map"}, err); diff != "" {
		t.Error(diff)
	}
}

func FuzzID(f *testing.F) {
	f.Add("12.03", uint8(2), uint8(2), ".")
	f.Add("1203", uint8(2), uint8(2), "")
	f.Add("7-1234", uint8(0), uint8(0), "-")
	f.Fuzz(func(t *testing.T, id string, first, second uint8, separator string) {
		g := crimea
		g.Format = Format{first, second, separator}
		if g.Validate() != nil {
			return
		}
		if c, err := g.Parse(id); err == nil && g.ID(c) != id {
			t.Fatalf("%q is %v, which prints as %q", id, c, g.ID(c))
		}
	})
}

func FuzzGeometry(f *testing.F) {
	f.Add(uint8(1), uint8(1), uint8(1), uint8(1), uint8(2), uint8(3), uint8(2), uint8(2), ".", []byte{1, 2, 3, 4})
	f.Add(uint8(2), uint8(2), uint8(2), uint8(2), uint8(4), uint8(1), uint8(2), uint8(2), "", []byte{0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, o, order, shifted, shift, cols, rows, first, second uint8, sep string, at []byte) {
		g := Geometry{Orientation(o), Order(order), Parity(shifted), Way(shift), Way(cols), Way(rows),
			Format{first, second, sep}}
		var coords []Coord
		for ; len(at) >= 2; at = at[2:] {
			coords = append(coords, Coord{int16(at[0]), int16(at[1])})
		}
		m, err := NewMap(g, coords)
		if err != nil {
			return
		}
		for i := range Index(m.Len()) {
			if got, err := m.ByID(m.ID(i)); err != nil || got != i {
				t.Fatalf("%+v: %s is %d, %v, want %d", g, m.ID(i), got, err, i)
			}
			if got := m.AppendWithin(nil, i, 1000); len(got) != m.Len() {
				t.Fatalf("%+v: %d of %d hexes within 1000", g, len(got), m.Len())
			}
		}
	})
}
