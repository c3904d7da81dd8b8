package kit

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/warledger/warledger/languages"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	"github.com/warledger/warledger/rules"
)

// Drawn holds what is made once for each scenario: its map in English and in Japanese, and the meaning of its tensors.
// Scenarios embed it.
type Drawn struct {
	english, japanese *boardv1.Map
	tensors           *rules.Tensors
	draw              func(rules.Lang) *boardv1.Map
}

// Draw draws the map in English and Japanese. In other languages the map is drawn on request: that is rare, and a map
// is large.
func Draw(draw func(rules.Lang) *boardv1.Map, tensors *rules.Tensors) Drawn {
	return Drawn{draw(rules.English), draw(rules.Japanese), tensors, draw}
}

// BoardMap is the map in a language, English if there is no such language. Nobody may change it.
func (d *Drawn) BoardMap(lang rules.Lang) *boardv1.Map {
	switch {
	case lang == rules.Japanese:
		return d.japanese
	case languages.Find(string(lang)) == nil:
		return d.english
	}
	m := d.draw(lang)
	m.Digest = d.MapDigest(lang)
	return m
}

// MapDigest returns the digest of the map in a language. In English and Japanese it is that of the map's contents. In
// other languages it combines the English map's digest and that of the language file, so that no map must be drawn.
func (d *Drawn) MapDigest(lang rules.Lang) string {
	switch l := languages.Find(string(lang)); {
	case lang == rules.Japanese:
		return d.japanese.GetDigest()
	case l != nil:
		sum := sha256.Sum256([]byte(d.english.GetDigest() + l.Tag + l.Digest))
		return hex.EncodeToString(sum[:])
	}
	return d.english.GetDigest()
}

// Tensors says what the numbers mean. Nobody may change it.
func (d *Drawn) Tensors() *rules.Tensors { return d.tensors }
