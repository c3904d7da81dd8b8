package documents

import (
	"cmp"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/alphabet"
	"github.com/warledger/warledger/service/internal/packed"
)

// NativeOrder reports whether lists stay as the rulesets make them: in English, and where no language is asked for.
func NativeOrder(lang rules.Lang) bool {
	return lang == rules.English || lang == rules.Wordless || lang == ""
}

// order is where the spaces of a scenario stand for the readers of a language.
type order struct {
	// ranks are the places of the spaces of the ruleset's alphabet, from 0; places those of the same spaces by id.
	ranks  []int
	places map[string]int
	// board is the map with its spaces in that order.
	board *boardv1.Map
}

// order is that of a language; nil if it is that of English. It is worked out once.
func (l *Loaded) order(set rules.Ruleset, lang rules.Lang) *order {
	if NativeOrder(lang) {
		return nil
	}
	kept, ok := l.orders.Load(lang)
	if !ok {
		kept, _ = l.orders.LoadOrStore(lang, newOrder(set, l.Rules, lang))
	}
	return kept.(*order)
}

func newOrder(set rules.Ruleset, sc rules.Scenario, lang rules.Lang) *order {
	n := set.Alphabet(sc)
	if n == 0 {
		return nil
	}
	m := set.Map(sc, lang)
	names := make([]alphabet.Name, n)
	for i, s := range m.GetSpaces()[:n] {
		names[i] = alphabet.Name{Text: s.GetName(), Reading: s.GetReading()}
	}
	o := &order{ranks: alphabet.Ranks(string(lang), names), places: make(map[string]int, n), board: new(boardv1.Map)}
	spaces := slices.Clone(m.GetSpaces())
	for i, rank := range o.ranks {
		spaces[rank] = m.GetSpaces()[i]
		o.places[spaces[rank].GetId()] = rank
	}
	m.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		o.board.ProtoReflect().Set(field, v) // what does not change is shared
		return true
	})
	o.board.Spaces = spaces
	o.board.Digest = rules.MapDigest(o.board)
	return o
}

// Ordered reports whether a language has an order of its own.
func (l *Loaded) Ordered(set rules.Ruleset, lang rules.Lang) bool { return l.order(set, lang) != nil }

// Map is the map in the order of a language. Nobody may change it.
func (l *Loaded) Map(set rules.Ruleset, lang rules.Lang) *boardv1.Map {
	if o := l.order(set, lang); o != nil {
		return o.board
	}
	return set.Map(l.Rules, lang)
}

// Packed is the map in the order of a language, packed. It is worked out once. Nobody may change it.
func (l *Loaded) Packed(set rules.Ruleset, lang rules.Lang) *boardv1.Map {
	kept, ok := l.packed.Load(lang)
	if !ok {
		kept, _ = l.packed.LoadOrStore(lang, packed.Map(l.Map(set, lang)))
	}
	return kept.(*boardv1.Map)
}

// Board is the board of a position, with its plans in the order of a language.
func (l *Loaded) Board(g rules.Game, v rules.Viewer, lang rules.Lang) *boardv1.Board {
	b := g.Board(v, lang)
	if o := l.order(g.Ruleset(), lang); o != nil {
		slices.SortStableFunc(b.Plans, func(x, y *boardv1.Procedure) int { return cmp.Compare(o.place(x), o.place(y)) })
	}
	return b
}

// place is where the first space of a plan stands; others come after those of the alphabet.
func (o *order) place(p *boardv1.Procedure) int {
	if len(p.GetSpaces()) > 0 {
		if at, ok := o.places[p.GetSpaces()[0]]; ok {
			return at
		}
	}
	return len(o.ranks)
}

// Arrange puts the commands of a list into the order of a language.
func (l *Loaded) Arrange(g rules.Game, lang rules.Lang, list rules.Listing) {
	if o := l.order(g.Ruleset(), lang); o != nil {
		g.Arrange(list, o.ranks)
	}
}
