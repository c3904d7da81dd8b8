package discord

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/disgoorg/disgo/discord"

	warledger "github.com/warledger/warledger/clients/go"
	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Standing orders: a player lists those of a seat, gives usual or other ones, and takes them back. All of it is seen by
// that player alone, as the server tells of them.

// ordering is what standing orders of a seat are given by, and which stand.
type ordering struct {
	*v1.StandingOrdersInfo
	seat  string
	stand []*boardv1.StandingOrder
}

// standing asks what orders a seat of the player has given.
func (t *talk) standing(at *table, seat string) (*ordering, error) {
	if at.Seats[seat].User != t.user {
		return nil, wrong("notYourSeat")
	}
	game := t.seat(at, seat, t.lang)
	g, err := game.Get(t.ctx)
	if err != nil {
		return nil, err
	}
	set, err := t.set.Server.Catalog().GetRuleset(t.ctx,
		&v1.GetRulesetRequest{Name: g.GetRuleset(), LanguageCode: t.lang})
	if err != nil {
		return nil, err
	}
	if set.GetRuleset().GetStandingOrders() == nil {
		return nil, wrong("noOrdersHere")
	}
	resp, err := game.Board(t.ctx, warledger.Look{Viewer: seat})
	if err != nil {
		return nil, err
	}
	o := &ordering{StandingOrdersInfo: set.GetRuleset().GetStandingOrders(), seat: seat}
	for _, one := range resp.GetBoard().GetStandingOrders() {
		if one.GetSeat() == seat {
			o.stand = append(o.stand, one)
		}
	}
	return o, nil
}

// orders shows the standing orders of a seat, or gives one that was typed. The word that such commands begin with may
// be left out.
func (t *talk) orders(at *table, command, named string) error {
	seat, err := t.pick(at, named)
	if err != nil {
		return err
	}
	o, err := t.standing(at, seat)
	if err != nil {
		return err
	}
	if command == "" {
		t.listOrders(o, "")
		return nil
	}
	if word, _, _ := strings.Cut(command, " "); !strings.EqualFold(word, o.GetKind()) {
		command = o.GetKind() + " " + command
	}
	return t.giveOrder(at, o, command)
}

// giveOrder sends an order, and shows which stand then.
func (t *talk) giveOrder(at *table, o *ordering, command string) error {
	resp, err := t.submitted(at, o.seat, warledger.Move{Notation: command, ID: t.request()})
	if err != nil {
		return err
	}
	if o, err = t.standing(at, o.seat); err != nil {
		return err
	}
	t.listOrders(o, say(t.lang, "done", told(resp.GetRecord())))
	return nil
}

// listOrders shows the orders that stand, with a menu that takes one back and buttons that give others.
func (t *talk) listOrders(o *ordering, note string) {
	lines := []string{say(t.lang, "ordersNone", escape(o.seat))}
	var rows []discord.LayoutComponent
	var all []discord.StringSelectMenuOption
	if len(o.stand) > 0 {
		lines[0] = say(t.lang, "ordersOf", escape(o.seat))
	}
	for _, one := range o.stand {
		lines = append(lines, "- "+escape(one.GetText()))
		if len(all) < mostOptions {
			all = append(all, discord.NewStringSelectMenuOption(shorten(one.GetText(), 100), digest(one.GetCommand())).
				WithDescription(shorten(one.GetCancel(), 100)))
		}
	}
	if len(all) > 0 {
		rows = append(rows, discord.NewActionRow(discord.NewStringSelectMenu("order-drop|"+o.seat,
			say(t.lang, "pickDrop"), all...)))
	}
	rows = append(rows, discord.NewActionRow(t.orderButtons(o)...))
	if note != "" {
		lines = append([]string{note, ""}, lines...)
	}
	m := discord.NewMessageUpdate().WithContent(shorten(strings.Join(lines, "\n"), 1900))
	m.Components = &rows
	t.answer(m)
}

func (t *talk) orderButtons(o *ordering) []discord.InteractiveComponent {
	list := []discord.InteractiveComponent{
		discord.NewSecondaryButton(say(t.lang, "giveOrder"), "order-give|"+o.seat+"|0"),
	}
	if o.GetUsual() != "" {
		list = append(list, discord.NewSecondaryButton(say(t.lang, "usualOrders"), "order-usual|"+o.seat))
	}
	if len(o.stand) > 0 {
		list = append(list, discord.NewSecondaryButton(say(t.lang, "dropAll"), "order-none|"+o.seat))
	}
	return list
}

// digest stands for a command in a menu, whose values are short. A list may have changed since the menu was shown.
func digest(command string) string {
	sum := sha256.Sum256([]byte(command))
	return hex.EncodeToString(sum[:16])
}

// orderChoice does what a menu or button about orders asks for. The arguments are the value chosen, the seat and a
// page.
func (t *talk) orderChoice(at *table, kind string, args []string) error {
	o, err := t.standing(at, args[1])
	if err != nil {
		return err
	}
	switch kind {
	case "order-usual":
		return t.giveOrder(at, o, o.GetUsual())
	case "order-none":
		return t.giveOrder(at, o, o.GetNone())
	case "order-drop":
		i := slices.IndexFunc(o.stand, func(s *boardv1.StandingOrder) bool { return digest(s.GetCommand()) == args[0] })
		if i < 0 {
			t.listOrders(o, say(t.lang, "movedOn"))
			return nil
		}
		return t.giveOrder(at, o, o.stand[i].GetCancel())
	}
	list, err := t.possibleOrders(at, o)
	if err != nil {
		return err
	}
	if kind == "order-set" {
		i := slices.IndexFunc(list, func(a warledger.LegalAction) bool { return digest(a.GetCommand()) == args[0] })
		if i >= 0 {
			return t.giveOrder(at, o, list[i].GetCommand())
		}
	}
	t.orderMenu(o, list, number(args[2]))
	return nil
}

// possibleOrders are the orders that the server lists.
func (t *talk) possibleOrders(at *table, o *ordering) ([]warledger.LegalAction, error) {
	return t.seat(at, o.seat, t.lang).Offers(t.ctx, warledger.LegalQuery{Kind: o.GetKind()})
}

// orderMenu shows a page of the orders that may be given. Those of some rulesets are not listed one by one.
func (t *talk) orderMenu(o *ordering, list []warledger.LegalAction, page int) {
	back := discord.NewSecondaryButton(say(t.lang, "back"), "orders|"+o.seat)
	if len(list) == 0 {
		m := discord.NewMessageUpdate().WithContent(say(t.lang, "typeOrder"))
		m.Components = &[]discord.LayoutComponent{discord.NewActionRow(back)}
		t.answer(m)
		return
	}
	from, to, pages := window(len(list), page)
	page = from / mostOptions
	var all []discord.StringSelectMenuOption
	for _, a := range list[from:to] {
		all = append(all, discord.NewStringSelectMenuOption(shorten(label(a), 100), digest(a.GetCommand())).
			WithDescription(shorten(a.GetCommand(), 100)))
	}
	buttons := []discord.InteractiveComponent{back}
	if pages > 1 {
		turn := func(word string, to int) discord.ButtonComponent {
			id := "order-give|" + o.seat + "|" + itoa(uint64(max(to, 0))) + "|" + word
			return discord.NewSecondaryButton(say(t.lang, word), id).WithDisabled(to < 0 || to >= pages)
		}
		buttons = append(buttons, turn("earlier", page-1), turn("more", page+1))
	}
	m := discord.NewMessageUpdate().WithContent(say(t.lang, "ordersPossible", escape(o.seat)))
	m.Components = &[]discord.LayoutComponent{
		discord.NewActionRow(discord.NewStringSelectMenu("order-set|"+o.seat+"|"+itoa(uint64(page)),
			shorten(say(t.lang, "pickAction", from+1, to, len(list)), 150), all...)),
		discord.NewActionRow(buttons...),
	}
	t.answer(m)
}

// completeOrders proposes orders: the usual ones, what takes back those that stand, and what may be given.
func (t *talk) completeOrders(at *table, typed, named string) ([]proposal, error) {
	seat, err := t.pick(at, named)
	if err != nil {
		return nil, err
	}
	o, err := t.standing(at, seat)
	if err != nil {
		return nil, err
	}
	var found []proposal
	add := func(name, command string) {
		if command != "" && len([]rune(command)) <= 100 {
			found = propose(found, typed, name, command)
		}
	}
	add(say(t.lang, "usualOrders"), o.GetUsual())
	for _, s := range o.stand {
		add(say(t.lang, "dropOrder", s.GetText()), s.GetCancel())
	}
	list, err := t.possibleOrders(at, o)
	for _, a := range list {
		add(label(a), a.GetCommand())
	}
	return found, err
}
