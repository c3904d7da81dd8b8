package warledger

import (
	"context"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// BattleQuery is a battle whose odds are asked for. Fields left out are filled in from the position.
type BattleQuery struct {
	// Space is the id of the space where the battle takes place.
	Space string
	// Kind of battle, as a form lists it; empty for the one that the position suggests.
	Kind string
	// Attacker and Defender are the sides; nil for those that the position suggests.
	Attacker, Defender *v1.BattleForce
	// Policies by which the choices within the battle are made, by id; those left out have their defaults.
	Policies map[string]string
	// Version of the record after which to look; 0 for the current position.
	Version uint64
	// Viewer is "spectator", a seat that the caller holds, or empty for all that the caller may see.
	Viewer string
}

// Battle computes the odds of a battle in any space, with any forces. The answer holds the complete form, which can be
// changed and sent again. Nothing happens in the game, and none of its dice is thrown.
func (g *Game) Battle(ctx context.Context, q BattleQuery) (*v1.CalculateBattleResponse, error) {
	return call(ctx, g.client, g.tokens, g.name, &v1.CalculateBattleRequest{
		Name: g.name, Version: q.Version, Viewer: q.Viewer, Space: q.Space, Kind: q.Kind,
		Attacker: q.Attacker, Defender: q.Defender, Policies: q.Policies, LanguageCode: g.lang,
	}, g.client.games.CalculateBattle)
}
