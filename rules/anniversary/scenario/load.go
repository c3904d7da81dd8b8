package scenario

import (
	"regexp"

	anniversaryv1 "github.com/warledger/warledger/proto/warledger/anniversary/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/kit"
)

// Limits of a scenario document. Nothing that the game could need comes near them; they bound the time and memory that
// a document from outside can cost.
const (
	maxCanals     = 8       //
	maxControl    = 8       // territories that control a canal
	maxObjectives = 64      //
	maxLevels     = 8       // victory levels
	maxPlacements = 2000    //
	maxCount      = 99      // units of one type in a placement
	maxMove       = 15      // movement, with technologies
	maxTreasury   = 999     // IPC
	maxProvenance = 1000    //
	maxText       = 4000    // characters of a description
	maxName       = 100     // characters of a name
	maxCanvas     = 20000   // width and height of a drawing
	maxPoints     = 200_000 // of all paths of a drawing
	maxDecor      = 1000    //
)

var (
	docID    = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)
	keyID    = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,47}$`)
	hexColor = regexp.MustCompile(`^#[0-9a-f]{6}$`)
)

// Read reads a scenario document: JSON of warledger.anniversary.v1.Scenario. It reports everything that a game
// could trip over at once, each fault with its path in the document; the scenario is nil if any is fatal. Unknown
// fields are refused. A document may have 4 MiB and 200 spaces. Faults of a map, tables or drawing that the document
// names by id are reported like those of its own.
func Read(doc []byte) (*Scenario, rules.Faults) {
	l, msg := &loader{}, &anniversaryv1.Scenario{}
	if !l.Read(doc, msg) {
		return nil, l.Faults
	}
	return ReadMessage(msg)
}

// ReadMessage is Read for a document that is decoded already. The scenario keeps msg.
func ReadMessage(msg *anniversaryv1.Scenario) (*Scenario, rules.Faults) {
	l := &loader{doc: msg, sc: &Scenario{Doc: msg}, spaceBy: map[string]Space{}}
	l.header()
	l.parts()
	l.spaces()
	l.borders()
	l.canals()
	l.powers()
	l.units()
	l.technologies()
	l.objectives()
	l.levels()
	l.china()
	l.numbers()
	l.order()
	l.treasuries()
	l.control()
	l.placements()
	l.drawing()
	if !l.Done() {
		return nil, l.Faults
	}
	return l.sc, l.Faults
}

// loader reads one document. Each step checks its part and fills in what it can, so that later steps find further
// faults; what is built of a document with faults is thrown away in the end.
type loader struct {
	kit.Loader
	doc *anniversaryv1.Scenario
	sc  *Scenario

	spaceBy map[string]Space
}

func (l *loader) header() {
	d := l.doc
	l.docID("id", d.GetId())
	l.Words("title", d.GetTitle(), maxName)
	l.Words("about", d.GetAbout(), maxText)
	if n := len(d.GetProvenance()); n > maxProvenance {
		l.Fault("provenance", "%d entries, expected at most %d", n, maxProvenance)
	}
}

// parts finds map, tables and drawing: in the document, or by id among those that come with the ruleset.
func (l *loader) parts() {
	d, s := l.doc, l.sc
	s.Atlas = part(l, "map", "a map", d.GetMapId(), d.GetMap(), shippedMap)
	s.Tables = part(l, "tables", "tables", d.GetTablesId(), d.GetTables(), shippedTables)
	if d.GetDrawing() != nil || d.GetDrawingId() != "" {
		s.Art = part(l, "drawing", "a drawing", d.GetDrawingId(), d.GetDrawing(), shippedDrawing)
	}
}

// part finds a part of the scenario: its own, or the one that comes with the ruleset if the document names that.
func part[M interface {
	comparable
	GetId() string
}](l *loader, name, words, id string, own, shipped M) M {
	var none M
	switch {
	case own != none && id != "":
		l.Fault(name+"_id", "the document has %s of its own as well", words)
	case own != none:
	case id == shipped.GetId():
		own = shipped
	default:
		l.Fault(name+"_id", "%.40q, expected %s or %s in the document", id, shipped.GetId(), words)
		return none
	}
	l.docID(name+".id", own.GetId())
	return own
}

// docID checks the id of a document, or of a part of one.
func (l *loader) docID(path, id string) {
	if !docID.MatchString(id) {
		l.Fault(path, "%.40q, expected 1 to 64 lower-case letters, digits and dashes", id)
	}
}
