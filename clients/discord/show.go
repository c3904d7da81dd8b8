package discord

import (
	"errors"

	"github.com/disgoorg/disgo/discord"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/clients/raster"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// show draws the board: into the channel as a spectator sees it, or for the player alone as they see it.
func (t *talk) show(at *table, data discord.SlashCommandInteractionData) error {
	game, look := t.spectator(at.Game, at.Lang),
		warledger.Look{Viewer: "spectator", WithMap: true, Version: uint64(max(0, data.Int("version")))}
	if data.Bool("mine") {
		game, look.Viewer = t.player(at, t.user, t.lang), ""
	}
	resp, err := game.Board(t.ctx, look)
	if err != nil {
		return err
	}
	o := raster.Options{Around: data.String("space"), Radius: float64(data.Int("radius"))}
	return t.draw(resp.GetBoard(), o,
		"`"+itoa(resp.GetVersion())+"` "+escape(resp.GetBoard().GetClock().GetText()), nil)
}

func (t *talk) draw(b *boardv1.Board, o raster.Options, words string, components []discord.LayoutComponent) error {
	file, err := pictureOf(b, o)
	if errors.Is(err, raster.ErrNoSpace) {
		return wrong("noSpace", o.Around)
	}
	if err != nil {
		return err
	}
	m := discord.NewMessageUpdate().WithContent(shorten(words, 1900))
	m.Files = []*discord.File{file}
	m.Components = &components
	t.answer(m)
	return nil
}

// replay shows the game at a version to the player alone, with buttons to step through it.
func (t *talk) replay(at *table, version int) error {
	if version < 1 {
		version = 1
	}
	return t.look(at, version)
}

// look is replay, at the newest version if none is given.
func (t *talk) look(at *table, version int) error {
	game := t.player(at, t.user, t.lang)
	g, err := game.Get(t.ctx)
	if err != nil {
		return err
	}
	last := int(g.GetVersion())
	if version < 1 || version > last {
		version = last
	}
	resp, err := game.Board(t.ctx, warledger.Look{Version: uint64(version), WithMap: true})
	if err != nil {
		return err
	}
	var row []discord.InteractiveComponent
	for _, b := range []struct {
		label string
		to    int
		id    string
	}{
		{"⏮", 1, "first"}, {"−10", version - 10, "far"}, {"◀", version - 1, "prev"}, {"▶", version + 1, "next"},
		{"⏭", last, "last"},
	} {
		to := min(max(b.to, 1), last)
		button := discord.NewSecondaryButton(b.label, "past|"+itoa(to)+"|"+b.id)
		button.Disabled = to == version
		row = append(row, button)
	}
	words := say(t.lang, "version", version, last) + ": " + escape(resp.GetBoard().GetClock().GetText())
	return t.draw(resp.GetBoard(), raster.Options{}, words, []discord.LayoutComponent{discord.NewActionRow(row...)})
}
