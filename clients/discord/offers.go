package discord

import (
	"slices"
	"strings"

	"github.com/disgoorg/disgo/discord"

	warledger "github.com/warledger/warledger/clients/go"
)

// offersOf lists the offers of a seat of the player.
func (t *talk) offersOf(at *table, seat string) ([]warledger.LegalAction, error) {
	if at.Seats[seat].User != t.user {
		return nil, wrong("notYourSeat")
	}
	return t.seat(at, seat, t.lang).Offers(t.ctx, warledger.LegalQuery{PageSize: 1})
}

// offerMenu shows what a seat may say at any time, such as conceding. It is apart from what the seat is asked.
func (t *talk) offerMenu(at *table, seat, note string) error {
	list, err := t.offersOf(at, seat)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return t.menu(at, seat, place{}, say(t.lang, "noOffers"))
	}
	var all []discord.StringSelectMenuOption
	for _, a := range list[:min(len(list), mostOptions)] {
		all = append(all, discord.NewStringSelectMenuOption(shorten(label(a), 100),
			digest(a.GetCommand())).WithDescription(shorten(a.GetCommand(), 100)))
	}
	m := discord.NewMessageUpdate().WithContent(strings.TrimSpace(note + "\n" + say(t.lang, "offersOf", escape(seat))))
	m.Components = &[]discord.LayoutComponent{
		discord.NewActionRow(discord.NewStringSelectMenu("aside|"+seat+"|"+itoa(list[0].Version),
			say(t.lang, "pickOffer"),
			all...)),
		discord.NewActionRow(backTo(t.lang, seat)),
	}
	t.answer(m)
	return nil
}

func backTo(lang, seat string) discord.ButtonComponent {
	return discord.NewSecondaryButton(say(lang, "back"), place{}.id("top", seat))
}

// makeOffer asks once more before it sends an offer that concerns the whole game; sure says that the player was asked.
// The arguments are the digest of the offer's command, the seat and the list's version.
func (t *talk) makeOffer(at *table, args []string, sure bool) error {
	seat, version := args[1], uint64(number(args[2]))
	list, err := t.offersOf(at, seat)
	if err != nil {
		return err
	}
	i := meant(list, version, args[0])
	if i < 0 {
		return t.offerMenu(at, seat, say(t.lang, "movedOn"))
	}
	if list[i].GetConfirm() && !sure {
		t.askOffer(seat, list[i])
		return nil
	}
	return t.submit(at, seat, warledger.Move{Notation: list[i].GetCommand(), Expected: version, ID: t.request()})
}

// askOffer asks whether the player is sure of an offer.
func (t *talk) askOffer(seat string, a warledger.LegalAction) {
	m := discord.NewMessageUpdate().WithContent(say(t.lang, "sureOffer", escape(label(a)), escape(seat)))
	yes := discord.NewDangerButton(shorten(label(a), 80), "sure|"+seat+"|"+itoa(a.Version)+"|"+digest(a.GetCommand()))
	m.Components = &[]discord.LayoutComponent{discord.NewActionRow(yes, backTo(t.lang, seat))}
	t.answer(m)
}

// typedOffer asks once more if a command that was typed is an offer that concerns the whole game, and reports whether
// it did. A command that may not be made is left to the answer of the command itself.
func (t *talk) typedOffer(at *table, seat string, move warledger.Move) (asked bool, err error) {
	move.CheckOnly, move.ID = true, ""
	checked, err := t.seat(at, seat, t.lang).Submit(t.ctx, move)
	if err != nil || !checked.GetAction().GetConfirm() {
		return false, nil
	}
	list, err := t.offersOf(at, seat)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(list,
		func(a warledger.LegalAction) bool { return a.GetCommand() == checked.GetAction().GetCommand() })
	if i < 0 {
		return false, wrong("gone")
	}
	t.askOffer(seat, list[i])
	return true, nil
}
