package rulesets

import (
	"bytes"
	"testing"

	"github.com/andybalholm/brotli"
	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// firstBoards are how many bytes the first answer of a board may take, compressed as browsers get it.
var firstBoards = map[string]int{"anniversary/1941": 39_500, "downfall/olympic": 13_500, "ocs/crimea-campaign": 25_000}

// TestPackedMaps: unpacked as a client does, a packed map is the map; and the largest first boards stay small.
func TestPackedMaps(t *testing.T) {
	t.Parallel()
	held := 0
	for _, set := range Offered() {
		for i, d := range set.ScenarioDocuments() {
			name := set.About().Name + "/" + d.ID
			most := firstBoards[name]
			if most == 0 && i > 0 {
				continue // maps of one ruleset are much alike
			}
			s := newSite(t, set, d.ID, nil, nil)
			board := func(packed bool) *v1.GetBoardResponse {
				out, err := s.games.GetBoard(s.as(s.seats()[0]), &v1.GetBoardRequest{Name: s.name, IncludeMap: true,
					PackedMap: packed, LanguageCode: "ja"})
				s.must(err)
				return out
			}
			short := board(true)
			if n := packedSize(t, short); most > 0 && n > most {
				t.Errorf("%s: the first board takes %d bytes, %d are allowed", name, n, most)
			} else if most > 0 {
				held++
			}
			unpack(t, short.GetBoard().GetMap())
			if plain := board(false); !proto.Equal(plain, short) { // a diff of so many points takes minutes
				t.Errorf("%s: the packed map is another than the plain one", name)
			}
			s.close()
		}
	}
	if held != len(firstBoards) {
		t.Errorf("%d of %d boards are held to a size", held, len(firstBoards))
	}
}

// packedSize is how many bytes an answer takes as browsers get it.
func packedSize(t *testing.T, m proto.Message) int {
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, 5)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// unpack does what the contract says about a packed map.
func unpack(t *testing.T, m *boardv1.Map) {
	t.Helper()
	var lines [][]*boardv1.Point
	for _, b := range m.GetBorders() {
		lines = append(lines, pointsOf(b.GetSteps()))
	}
	used, packed := 0, 0
	ring := func(r *boardv1.Ring) {
		if len(r.GetPoints()) == 0 {
			packed++
		}
		if len(r.GetSteps()) > 0 {
			r.Points = pointsOf(r.GetSteps())
		}
		for _, n := range r.GetBorders() {
			var line []*boardv1.Point
			switch {
			case n == 0:
				line = lines[used]
				used++
			case n > 0:
				line = lines[n-1]
			default:
				for i := range lines[-n-1] {
					line = append(line, lines[-n-1][len(lines[-n-1])-1-i])
				}
			}
			r.Points = append(r.Points, line[:len(line)-1]...)
		}
		r.Steps, r.Borders = nil, nil
	}
	for i, s := range m.GetSpaces() {
		for _, r := range s.GetOutline() {
			ring(r)
		}
		for _, n := range s.GetNeighborSteps() {
			s.Neighbors = append(s.Neighbors, m.GetSpaces()[i+int(n)].GetId())
		}
		for k, p := range []**boardv1.Point{&s.Centre, &s.Label, &s.City} {
			if at := s.GetSpots(); len(at) > 2*k {
				*p = &boardv1.Point{X: float64(at[2*k]), Y: float64(at[2*k+1])}
				if k > 0 {
					(*p).X += s.GetCentre().GetX()
					(*p).Y += s.GetCentre().GetY()
				}
			}
		}
		s.NeighborSteps, s.Spots = nil, nil
	}
	for _, d := range m.GetDecor() {
		for _, r := range d.GetOutline() {
			ring(r)
		}
	}
	m.Borders = nil
	if packed == 0 || used != len(lines) {
		t.Errorf("%d rings are packed, %d of %d borders are used", packed, used, len(lines))
	}
}

func pointsOf(steps []int32) (out []*boardv1.Point) {
	var x, y int32
	for i := 0; i+1 < len(steps); i += 2 {
		x, y = x+steps[i], y+steps[i+1]
		out = append(out, &boardv1.Point{X: float64(x), Y: float64(y)})
	}
	return out
}
