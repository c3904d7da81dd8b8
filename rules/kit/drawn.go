package kit

import (
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// Drawn is what is drawn once of a scenario: its map in every language, and what its numbers mean. A scenario embeds
// it.
type Drawn struct {
	english, japanese *boardv1.Map
	tensors           *rules.Tensors
}

// Draw draws the map in every language.
func Draw(draw func(rules.Lang) *boardv1.Map, tensors *rules.Tensors) Drawn {
	return Drawn{draw(rules.English), draw(rules.Japanese), tensors}
}

// BoardMap is the map in a language, English if it has none. Nobody may change it.
func (d *Drawn) BoardMap(lang rules.Lang) *boardv1.Map {
	if lang == rules.Japanese {
		return d.japanese
	}
	return d.english
}

// Tensors says what the numbers mean. Nobody may change it.
func (d *Drawn) Tensors() *rules.Tensors { return d.tensors }
