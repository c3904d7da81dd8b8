package discord

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"
	"github.com/disgoorg/snowflake/v2"

	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/clients/raster"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// wake has the follower look whom the game waits for, once it is quiet.
func (f *follower) wake() {
	select {
	case f.kick <- struct{}{}:
	default:
	}
}

// called marks a seat as called.
func (t *table) called(seat string) {
	t.Turns[seat] = turn{Called: true}
}

// call calls the players that the game waits for and that were not called since somebody else acted, in one
// message, and notes it.
func (f *follower) call() error {
	t, err := f.store.table(f.game)
	if err != nil {
		return err
	}
	watched := f.spectator(t.Game, t.Lang)
	game, err := watched.Get(f.ctx)
	if err != nil {
		return err
	}
	if game.GetVersion() != t.Told {
		return nil // more is on its way, and calls again
	}
	var seats []string
	for _, seat := range game.GetWaitingFor() {
		if _, held := t.Seats[seat]; held && !t.Turns[seat].Called && !game.GetOver() {
			seats = append(seats, seat)
		}
	}
	if len(seats) == 0 {
		return nil
	}
	resp, err := watched.Board(f.ctx, warledger.Look{Version: t.Told, Viewer: "spectator", WithMap: true})
	if err != nil {
		return err
	}
	_, err = f.client.Rest.CreateMessage(t.Channel, f.callOf(t, seats, resp.GetBoard()), rest.WithCtx(f.ctx))
	if err != nil {
		return channelError(err)
	}
	return f.store.change(f.game, func(t *table) {
		for _, seat := range seats {
			t.called(seat)
		}
	})
}

// callOf is the message that calls seats: who, for what as everybody may know it, the board, and a button for
// what only they may know.
func (f *follower) callOf(t *table, seats []string, b *boardv1.Board) discord.MessageCreate {
	var lines []string
	var users []snowflake.ID
	for _, seat := range seats {
		user := t.Seats[seat].User
		if !slices.Contains(users, user) {
			users = append(users, user)
		}
		lines = append(lines,
			discord.UserMention(user)+" "+say(t.Lang, "yourTurn", escape(f.name(seat)), escape(promptOf(b, seat))))
	}
	footer := fmt.Sprintf("⚑ %s #%d · %s", strings.Join(seats, ","), t.Told, tag(t.Game))
	m := discord.MessageCreate{
		Nonce: nonce(t.Game, "call "+strings.Join(seats, ","), t.Told), EnforceNonce: true,
		Content:         shorten(strings.Join(lines, "\n"), 1900),
		AllowedMentions: &discord.AllowedMentions{Users: users},
		Embeds: []discord.Embed{
			{Description: escape(b.GetClock().GetText()), Footer: &discord.EmbedFooter{Text: footer}},
		},
		Components: []discord.LayoutComponent{discord.NewActionRow(
			discord.NewPrimaryButton(say(t.Lang, "choose"), "menu|"),
			discord.NewSecondaryButton(say(t.Lang, "myBoard"), "look|"))},
	}
	if file, err := pictureOf(b, raster.Options{}); err == nil {
		m.Files = []*discord.File{file}
		m.Embeds[0].Image = &discord.EmbedResource{URL: "attachment://" + pictureName}
	} else {
		f.log.Warn("a board could not be drawn", "game", f.game, "err", err)
	}
	return m
}

// promptOf is the question to a seat, as a board has it; empty if none exists.
func promptOf(b *boardv1.Board, seat string) string {
	for _, p := range b.GetPrompts() {
		if p.GetSeat() == seat && !p.GetOptional() {
			return p.GetText()
		}
	}
	return ""
}

const pictureName = "board.png"

// mostPicture is the size of the largest picture that Discord takes from anybody, in bytes.
const mostPicture = 10_000_000

// pictureOf draws a board with its map as a file.
func pictureOf(b *boardv1.Board, o raster.Options) (*discord.File, error) {
	img, err := raster.Draw(b, b.GetMap(), o)
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	if err := raster.EncodePNG(&data, img); err != nil {
		return nil, err
	}
	if data.Len() > mostPicture {
		return nil, errors.New("the picture is too large for Discord")
	}
	return discord.NewFile(pictureName, b.GetClock().GetText(), &data), nil
}
