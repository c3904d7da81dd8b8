package discord

import (
	"errors"
	"slices"
	"strings"

	"github.com/disgoorg/disgo/discord"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// join takes a seat for the player, whose token the bridge keeps.
func (t *talk) join(at *table, seat string) error {
	holder := t.from.User().Username // unique on Discord, so that one player is one holder
	chain, err := t.spectator(at.Game, t.lang).CommitChain(t.ctx, seat)
	if err != nil {
		return err
	}
	req := &v1.TakeSeatRequest{Name: at.Game, Seat: seat, Holder: shorten(holder, 80), Chain: chain,
		RequestId: t.request()}
	i, err := newIntent(t, at.Lang, req)
	if err != nil {
		return err
	}
	err = t.carryOut(req.RequestId, i, "joined", escape(seat))
	if errors.Is(err, warledger.ErrSeatGuarded) {
		return wrong("guarded", escape(seat))
	}
	return err
}

// leave frees a seat of the player's.
func (t *talk) leave(at *table, seat string) error {
	if at.Seats[seat].User != t.user {
		return wrong("notYourSeat")
	}
	if _, err := t.seat(at, seat, t.lang).Leave(t.ctx, seat); err != nil {
		return err
	}
	// Whoever leaves may begin anew, also if the server's log has changed since, as after a restored backup.
	if err := t.set.Server.Game(at.Game, seat).ForgetChain(t.ctx); err != nil {
		return err
	}
	err := t.store.change(at.Game, func(now *table) {
		if now.Seats[seat].Token == at.Seats[seat].Token {
			now.putAside(seat)
		}
	})
	t.listen(at.Game)
	if err == nil {
		t.say(say(t.lang, "left", escape(seat)))
	}
	return err
}

// closeGame ends the game for whoever began it. The channel hears of it from the log.
func (t *talk) closeGame(at *table) error {
	owner, err := t.owner(at)
	if err != nil {
		return err
	}
	if _, err := owner.Close(t.ctx, ""); err != nil {
		return err
	}
	t.say(say(t.lang, "closed"))
	return nil
}

// status says who sits where and whom the game waits for.
func (t *talk) status(at *table) error {
	game := t.spectator(at.Game, t.lang)
	g, err := game.Get(t.ctx)
	if err != nil {
		return err
	}
	board, err := game.Board(t.ctx, warledger.Look{Viewer: "spectator"})
	if err != nil {
		return err
	}
	lines := []string{"**" + escape(g.GetTitle()) + "** " + escape(g.GetRuleset()+"/"+g.GetScenario()),
		escape(board.GetBoard().GetClock().GetText())}
	for _, s := range g.GetSeats() {
		who := say(t.lang, "free")
		if h, ok := at.Seats[s.GetId()]; ok {
			who = discord.UserMention(h.User)
		} else if s.GetTaken() {
			who = escape(s.GetHolder())
		} else if text := guarded(t.lang, s); text != "" {
			who += " · " + text
		}
		lines = append(lines, "`"+s.GetId()+"` "+who)
	}
	if g.GetOver() {
		lines = append(lines, say(t.lang, "over", escape(g.GetEnding().GetText())))
	} else if d := g.GetPendingDice(); d != nil {
		lines = append(lines, say(t.lang, "dicePending", strings.Join(d.GetMissing(), ", ")))
	} else if len(g.GetWaitingFor()) > 0 {
		lines = append(lines, say(t.lang, "waits", strings.Join(g.GetWaitingFor(), ", ")))
	}
	if t.set.Board != "" {
		lines = append(lines, say(t.lang, "onBoard",
			strings.TrimSuffix(t.set.Board, "/")+"/#/games/"+strings.TrimPrefix(at.Game, "games/")))
	}
	if p := g.GetPendingSeat(); p != nil {
		lines = append(lines, offered(t.lang, p))
		if len(t.asked(at, p.GetMissing())) > 0 { // the question may be far up in the channel
			buttons := question{kind: "offer", version: p.GetOffered(), seat: p.GetSeat()}.buttons(t.lang)
			text := shorten(strings.Join(lines, "\n"), 1900)
			t.answer(discord.NewMessageUpdate().WithContent(text).AddComponents(buttons))
			return nil
		}
	}
	t.say(strings.Join(lines, "\n"))
	return nil
}

// pick is the seat that the player acts for: the one named, the only one held, or the only one of those
// that the game waits for.
func (t *talk) pick(at *table, named string) (string, error) {
	held := at.of(t.user)
	switch {
	case len(held) == 0:
		return "", wrong("noSeat")
	case named != "" && !slices.Contains(held, named):
		return "", wrong("notYourSeat")
	case named != "":
		return named, nil
	case len(held) == 1:
		return held[0], nil
	}
	g, err := t.spectator(at.Game, t.lang).Get(t.ctx)
	if err != nil {
		return "", err
	}
	asked := slices.DeleteFunc(slices.Clone(held),
		func(s string) bool { return !slices.Contains(g.GetWaitingFor(), s) })
	if len(asked) == 1 {
		return asked[0], nil
	}
	return "", wrong("whichSeat")
}
