package downfall

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Limits of a scenario document. Nothing that the map of the game could need comes near them; they bound the time and memory that a document
// from outside can cost.
const (
	maxDocument   = 4 << 20 // bytes
	maxLand       = 4096    // land hexes
	maxSea        = 16384   // sea hexes
	maxSides      = 16384   // hexsides with a river or sea, and of the line
	maxZones      = 8       // fits Zones
	maxTerrains   = 32      //
	maxTurns      = 99      //
	maxAwards     = 32      //
	maxProvenance = 1000    //
	maxText       = 4000    // characters of the description
	maxName       = 100     // characters of a name
	maxNumber     = 20      // of most numbers in charts
	maxFaults     = 500     // reported; more are only counted
)

// Stacking limits, which the setup has to keep like any position (DF 10.3, DF 10.4).
const (
	japaneseStack  = 3 // units in a hex
	usStack        = 3 // units in a hex besides corps artillery
	artilleryStack = 1 // corps artillery in a hex
)

var (
	docID    = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)
	keyID    = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)
	pieceID  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9/-]{0,31}$`)
	hexColor = regexp.MustCompile(`^#[0-9a-f]{6}$`)
)

// LoadScenario reads a scenario document: JSON of warledger.downfall.v1.Scenario. It reports everything that a game could trip over at
// once, each fault with its path in the document; the scenario is nil if any is fatal. Unknown fields are refused. A document may have 4 MiB,
// 4096 land hexes and 64 units.
func LoadScenario(doc []byte) (*Scenario, rules.Faults) {
	l := &loader{}
	if len(doc) > maxDocument {
		l.fault("", "the document has %d bytes, expected at most %d", len(doc), maxDocument)
		return nil, l.faults
	}
	msg := &downfallv1.Scenario{}
	if err := protojson.Unmarshal(doc, msg); err != nil {
		// The library varies the space in its messages so that nobody depends on them; a fault should read the same every time.
		l.fault("", "%s", strings.ReplaceAll(err.Error(), "\u00a0", " "))
		return nil, l.faults
	}
	return loadMessage(msg)
}

// loadMessage is LoadScenario for a document that is decoded already. The scenario keeps msg.
func loadMessage(msg *downfallv1.Scenario) (*Scenario, rules.Faults) {
	l := &loader{doc: msg, sc: &Scenario{Doc: msg, Service: NoUnit, Infantry11: NoUnit, Airborne11: NoUnit}}
	for c := range l.sc.Beachheads {
		l.sc.Beachheads[c].Hex = NoHex
	}
	l.sc.Chart.Centre = NoHex
	l.header()
	l.terrains()
	l.zones()
	l.land()
	l.hexsides()
	l.places()
	l.turns()
	l.units()
	l.beachheads()
	l.stacks()
	l.charts()
	l.awards()
	l.limits()
	l.derive()
	if l.more > 0 {
		l.faults.Add("", "%d more faults are not listed", l.more)
	}
	if l.faults.Fatal() {
		return nil, l.faults
	}
	l.sc.tab = newTables(l.sc)
	l.sc.maps = [...]*boardv1.Map{drawMap(l.sc, rules.English), drawMap(l.sc, rules.Japanese)}
	return l.sc, l.faults
}

// loader reads one document. Each step checks its part and fills in what it can, so that later steps find further faults; what is built of
// a document with faults is thrown away in the end.
type loader struct {
	doc    *downfallv1.Scenario
	sc     *Scenario
	faults rules.Faults
	more   int // faults beyond maxFaults

	terrainBy map[string]Terrain
	zoneBy    map[string]Zone
	rowOf     []int           // place in doc.Land of each hex
	ids       map[string]bool // of units and beachheads
}

func (l *loader) fault(path, format string, args ...any) {
	if len(l.faults) >= maxFaults {
		l.more++
		return
	}
	l.faults.Add(path, format, args...)
}

func (l *loader) warn(path, format string, args ...any) {
	if len(l.faults) < maxFaults {
		l.faults.Warn(path, format, args...)
	}
}

func (l *loader) header() {
	d := l.doc
	if !docID.MatchString(d.GetId()) {
		l.fault("id", "%.40q, expected 1 to 64 lower-case letters, digits and dashes", d.GetId())
	}
	l.words("title", d.GetTitle(), maxName)
	l.words("about", d.GetAbout(), maxText)
	if n := len(d.GetProvenance()); n > maxProvenance {
		l.fault("provenance", "%d entries, expected at most %d", n, maxProvenance)
	}
	for i, p := range d.GetProvenance() {
		if _, ok := downfallv1.Source_name[int32(p.GetSource())]; !ok || p.GetSource() == 0 {
			l.fault(fmt.Sprintf("provenance[%d].source", i), "%s, expected one of the sources", p.GetSource())
		}
	}
}

// words checks a text that must be there in English.
func (l *loader) words(path string, w *downfallv1.Words, limit int) {
	if strings.TrimSpace(w.GetEn()) == "" {
		l.fault(path, "no English text")
	}
	for _, s := range [...]string{w.GetEn(), w.GetJa()} {
		if n := utf8.RuneCountInString(s); n > limit {
			l.fault(path, "%d characters, expected at most %d", n, limit)
		}
		if strings.IndexFunc(s, unicode.IsControl) >= 0 {
			l.fault(path, "control characters in the text")
		}
	}
}

// number checks a number of a chart and gives it.
func (l *loader) number(path string, n uint32, lo, hi int) int {
	if int64(n) < int64(lo) || int64(n) > int64(hi) {
		l.fault(path, "%d, expected %d to %d", n, lo, hi)
		return lo
	}
	return int(n)
}

// modifier checks a number with a sign.
func (l *loader) modifier(path string, n int32, limit int) int {
	if int64(n) < -int64(limit) || int64(n) > int64(limit) {
		l.fault(path, "%d, expected %d to %d", n, -limit, limit)
		return 0
	}
	return int(n)
}

// count checks the length of a list.
func (l *loader) count(path string, n, lo, hi int) bool {
	if n < lo || n > hi {
		l.fault(path, "%d entries, expected %d to %d", n, lo, hi)
	}
	return n >= lo && n <= hi
}

// hex looks up a land hex. It reports an empty id and a hex that is not there; without a map it keeps silent, for that was reported.
func (l *loader) hex(path, id string) Hex {
	if l.sc.Map == nil {
		return NoHex
	}
	h, err := l.sc.Map.ByID(id)
	if err != nil {
		l.fault(path, "%.40q is not a land hex of the map", id)
		return NoHex
	}
	return h
}

// ranged is a row of a table that holds a run of die results.
type ranged interface {
	GetFrom() uint32
	GetTo() uint32
}

// cover checks that rows hold every result from 1 to last, none twice, and gives the row of each result, -1 for none.
func cover[R ranged](l *loader, path string, rows []R, last int) []int {
	at := make([]int, last+1)
	for i := range at {
		at[i] = -1
	}
	for i, r := range rows {
		from, to := int64(r.GetFrom()), int64(r.GetTo())
		if from < 1 || to > int64(last) || from > to {
			l.fault(fmt.Sprintf("%s[%d]", path, i), "holds %d to %d, expected a run within 1 to %d", from, to, last)
			continue
		}
		for n := from; n <= to; n++ {
			if at[n] >= 0 {
				l.fault(fmt.Sprintf("%s[%d]", path, i), "holds %d, which %s[%d] holds as well", n, path, at[n])
				continue
			}
			at[n] = i
		}
	}
	for n := 1; n <= last; n++ {
		if at[n] < 0 {
			l.fault(path, "no row holds %d", n)
		}
	}
	return at
}
