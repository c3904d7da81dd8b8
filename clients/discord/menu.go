package discord

import (
	"fmt"
	"slices"
	"strings"

	"github.com/disgoorg/disgo/discord"

	warledger "github.com/warledger/warledger/clients/go"
)

// mostOptions is how many options Discord takes in a menu.
const mostOptions = 25

// place is where in a list of actions the player looks: at one kind, at one piece of it, at a page. Kinds and pieces
// count from 1 in the order in which they first come in the list of a version; 0 is not chosen.
type place struct {
	version           uint64
	kind, piece, page int
}

func (p place) id(what, seat string) string {
	return fmt.Sprintf("%s|%s|%d|%d|%d|%d", what, seat, p.version, p.kind, p.piece, p.page)
}

// browse opens a part of the list: args are the value chosen, the seat and the place.
func (t *talk) browse(at *table, what string, args []string) error {
	p := place{version: uint64(number(args[2])), kind: number(args[3]), piece: number(args[4]), page: number(args[5])}
	switch what {
	case "top":
		p = place{}
	case "kind":
		p.kind, p.piece, p.page = number(args[0]), 0, 0
	case "piece":
		p.piece, p.page = number(args[0]), 0
	}
	return t.menu(at, args[1], p, "")
}

// meant finds the action that a menu or completion stood for, by the digest of its command; -1 if the list is of
// another version. A place in the list would not do: the order depends on the reader's language, and may differ between
// servers.
func meant(list []warledger.LegalAction, version uint64, mark string) int {
	return slices.IndexFunc(list,
		func(a warledger.LegalAction) bool { return a.Version == version && digest(a.GetCommand()) == mark })
}

// act carries out the action chosen, if the list is still that of the menu.
func (t *talk) act(at *table, args []string) error {
	seat, version := args[1], uint64(number(args[2]))
	if at.Seats[seat].User != t.user {
		return wrong("notYourSeat")
	}
	list, err := t.seat(at, seat, t.lang).ListLegal(t.ctx, warledger.LegalQuery{})
	if err != nil {
		return err
	}
	i := meant(list, version, args[0])
	if i < 0 {
		return t.menu(at, seat, place{}, say(t.lang, "movedOn"))
	}
	return t.submit(at, seat, warledger.Move{Notation: list[i].GetCommand(), Expected: version, ID: t.request()})
}

// seatMenu asks for which seat to look.
func (t *talk) seatMenu(at *table) error {
	var options []discord.StringSelectMenuOption
	for _, s := range at.of(t.user) {
		options = append(options, discord.NewStringSelectMenuOption(s, s))
	}
	m := discord.NewMessageUpdate().WithContent(say(t.lang, "whichSeat"))
	m.Components = &[]discord.LayoutComponent{
		discord.NewActionRow(discord.NewStringSelectMenu("seat|", say(t.lang, "pickSeat"), options...)),
	}
	t.answer(m)
	return nil
}

// menu shows what a seat is asked and may do, to its holder alone; note is what has just happened.
func (t *talk) menu(at *table, seat string, p place, note string) error {
	if at.Seats[seat].User != t.user {
		return wrong("notYourSeat")
	}
	game := t.seat(at, seat, t.lang)
	resp, err := game.Board(t.ctx, warledger.Look{Viewer: seat})
	if err != nil {
		return err
	}
	list, err := game.ListLegal(t.ctx, warledger.LegalQuery{})
	if err != nil {
		return err
	}
	var lines []string
	if note != "" {
		lines = append(lines, note)
	}
	if len(list) > 0 && p.version != 0 && list[0].Version != p.version {
		p = place{}
		lines = append(lines, say(t.lang, "movedOn"))
	}
	m := discord.NewMessageUpdate()
	if len(list) == 0 {
		lines = append(lines, say(t.lang, "nothingToDo", escape(seat)))
		if e := resp.GetBoard().GetEnding(); e != nil {
			lines[len(lines)-1] = say(t.lang, "over", escape(e.GetText()))
		} else {
			m.Components = &[]discord.LayoutComponent{discord.NewActionRow(t.always(seat)...)}
		}
	} else {
		p.version = list[0].Version
		lines = append(lines, "**"+escape(seat)+"** "+escape(promptOf(resp.GetBoard(), seat)))
		m.Components = t.choices(list, seat, p)
	}
	t.answer(m.WithContent(shorten(strings.Join(lines, "\n"), 1900)))
	return nil
}

// choices are the menus of a place: kinds first, then pieces, then actions, a step left out where it would not help.
func (t *talk) choices(list []warledger.LegalAction, seat string, p place) *[]discord.LayoutComponent {
	kinds := distinct(list, func(a warledger.LegalAction) string { return a.GetKind() })
	chosen := list
	if p.kind > 0 && p.kind <= len(kinds) {
		chosen = keep(list, func(a warledger.LegalAction) bool { return a.GetKind() == kinds[p.kind-1] })
	}
	pieces := distinct(chosen, firstPiece)
	if p.piece > 0 && p.piece <= len(pieces) {
		chosen = keep(chosen, func(a warledger.LegalAction) bool { return firstPiece(a) == pieces[p.piece-1] })
	}
	var menu discord.StringSelectMenuComponent
	var pages int
	switch {
	case p.kind == 0 && len(list) > mostOptions && len(kinds) > 1:
		menu, pages = t.grouped(p, "kind", seat, say(t.lang, "pickKind", len(list)),
			options(kinds, list, func(a warledger.LegalAction) string { return a.GetKind() }, ""))
	case p.piece == 0 && len(chosen) > mostOptions && len(pieces) > 1:
		menu, pages = t.grouped(p, "piece", seat, say(t.lang, "pickPiece"),
			options(pieces, chosen, firstPiece, say(t.lang, "other")))
	default:
		menu, pages = t.actions(chosen, seat, p)
	}
	rows := []discord.LayoutComponent{discord.NewActionRow(menu)}
	if pages > 1 {
		earlier, more := p, p
		earlier.page, more.page = max(p.page-1, 0), min(p.page+1, pages-1)
		left := discord.NewSecondaryButton(say(t.lang, "earlier"), earlier.id("page", seat)+"|l").
			WithDisabled(p.page == 0)
		right := discord.NewSecondaryButton(say(t.lang, "more"), more.id("page", seat)+"|r").
			WithDisabled(p.page >= pages-1)
		rows = append(rows, discord.NewActionRow(left, right))
	}
	last := t.always(seat)
	if p.kind > 0 || p.piece > 0 {
		last = append([]discord.InteractiveComponent{discord.NewSecondaryButton(say(t.lang, "back"),
			place{}.id("top", seat))}, last...)
	}
	rows = append(rows, discord.NewActionRow(last...))
	return &rows
}

// always are the buttons that stand under every list.
func (t *talk) always(seat string) []discord.InteractiveComponent {
	return []discord.InteractiveComponent{
		discord.NewSecondaryButton(say(t.lang, "undoButton"), "back|"+seat),
		discord.NewSecondaryButton(say(t.lang, "offersButton"), "asides|"+seat),
	}
}

// grouped is a menu of kinds or pieces, of which a page is shown.
func (t *talk) grouped(
	p place, what, seat, placeholder string, all []discord.StringSelectMenuOption,
) (discord.StringSelectMenuComponent, int) {
	from, to, pages := window(len(all), p.page)
	return discord.NewStringSelectMenu(p.id(what, seat), shorten(placeholder, 150), all[from:to]...), pages
}

// actions is a menu of actions, of which a page is shown. Their values are digests of the commands.
func (t *talk) actions(chosen []warledger.LegalAction, seat string, p place) (discord.StringSelectMenuComponent, int) {
	from, to, pages := window(len(chosen), p.page)
	var all []discord.StringSelectMenuOption
	for _, a := range chosen[from:to] {
		o := discord.NewStringSelectMenuOption(shorten(label(a), 100), digest(a.GetCommand()))
		o.Description = shorten(strings.TrimSpace(a.GetCost()+" "+a.GetCommand()), 100)
		all = append(all, o)
	}
	return discord.NewStringSelectMenu(p.id("act", seat),
		shorten(say(t.lang, "pickAction", from+1, to, len(chosen)), 150), all...), pages
}

func label(a warledger.LegalAction) string {
	if a.GetLabel() != "" {
		return a.GetLabel()
	}
	return a.GetCommand()
}

// window is the part of a list that a page shows, and how many pages there are.
func window(n, page int) (from, to, pages int) {
	pages = max(1, (n+mostOptions-1)/mostOptions)
	page = min(max(page, 0), pages-1)
	return page * mostOptions, min((page+1)*mostOptions, n), pages
}

// options are a menu's options for the groups of a list, with how many actions each has. Values count from 1.
func options(
	groups []string, list []warledger.LegalAction, of func(warledger.LegalAction) string, unnamed string,
) []discord.StringSelectMenuOption {
	counts, first := make(map[string]int), make(map[string]string)
	for _, a := range list {
		if counts[of(a)]++; counts[of(a)] == 1 {
			first[of(a)] = label(a)
		}
	}
	var all []discord.StringSelectMenuOption
	for i, g := range groups {
		name := g
		if name == "" {
			name = unnamed
		}
		if name == "" {
			name = "—"
		}
		o := discord.NewStringSelectMenuOption(shorten(fmt.Sprintf("%s (%d)", name, counts[g]), 100), itoa(i+1))
		o.Description = shorten(first[g], 100)
		all = append(all, o)
	}
	return all
}

func firstPiece(a warledger.LegalAction) string {
	if len(a.GetPieces()) == 0 {
		return ""
	}
	return a.GetPieces()[0]
}

func distinct(list []warledger.LegalAction, of func(warledger.LegalAction) string) []string {
	var all []string
	seen := make(map[string]bool)
	for _, a := range list {
		if k := of(a); !seen[k] {
			seen[k] = true
			all = append(all, k)
		}
	}
	return all
}

func keep(list []warledger.LegalAction, fits func(warledger.LegalAction) bool) []warledger.LegalAction {
	return slices.DeleteFunc(slices.Clone(list), func(a warledger.LegalAction) bool { return !fits(a) })
}
