package rulestest

import (
	"bytes"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/rules"
)

func sortStrings(s []string) { slices.Sort(s) }

// examine looks closely at a decision.
func (m *match) examine() {
	m.stats.Decisions++
	before := m.game.Notation()
	unchanged := func(what string) {
		if now := m.game.Notation(); now != before {
			m.failf("%s changed the position:\n%s", what, lineDiff(before, now))
		}
	}
	lists := make([][]tried, len(m.about.Seats))
	for seat := range m.about.Seats {
		lists[seat] = m.checkList(rules.Seat(seat))
	}
	unchanged("listing commands")
	m.checkTensors(lists)
	unchanged("writing numbers")
	var all []tried
	for _, list := range lists {
		all = append(all, list...)
		for _, t := range m.sample(list) {
			m.checkListed(t)
			m.checkCommandCodec(t)
			m.checkDescription(t)
		}
		m.checkLabels(list)
		m.checkFilters(list)
	}
	unchanged("playing commands on copies, describing or encoding them")
	m.checkOthers(lists, all)
	unchanged("refusing commands")
	m.checkCopies()
	m.checkPosition()
	m.checkShowing()
	unchanged("drawing the board")
	m.checkChance(all)
	m.checkDice(all)
	m.checkPreviews(all)
	m.checkHidden()
	unchanged("playing on copies")
	m.remember(all)
}

// sample takes some of a list, in order.
func (m *match) sample(list []tried) []tried {
	if len(list) <= m.cfg.Listed {
		return list
	}
	picked := make([]tried, 0, m.cfg.Listed)
	for i, t := range list { // each with the chance that leaves as many as wanted
		if int(m.rnd.Below(uint32(len(list)-i))) < m.cfg.Listed-len(picked) {
			picked = append(picked, t)
		}
	}
	return picked
}

// maxKnown bounds the commands of earlier decisions that are kept.
const maxKnown = 200

func (m *match) remember(all []tried) {
	for _, t := range m.sample(all) {
		if len(m.known) < maxKnown {
			m.known = append(m.known, t)
		} else {
			m.known[m.rnd.Below(maxKnown)] = t
		}
	}
}

// checkList lists the commands of a seat in every way and compares.
func (m *match) checkList(seat rules.Seat) []tried {
	id := m.about.SeatID(seat)
	listing := m.game.List(seat, rules.Filter{}, nil)
	list := make([]tried, 0, listing.Len())
	seen := make(map[string]bool, listing.Len())
	answers := 0
	for i := range listing.Len() {
		t := m.offered(m.game, seat, listing.At(i))
		if seen[t.text] {
			m.failf("%s is listed twice for %s", t.text, id)
		}
		seen[t.text] = true
		if !m.isOffer(t.kind()) {
			answers++
		}
		list = append(list, t)
	}
	switch waits := m.game.Waiting().Has(seat); {
	case waits && answers == 0:
		m.failf("the game waits for %s, who has no command but offers", id)
	case !waits && answers > 0:
		m.failf("the game does not wait for %s, and lists %d commands that are no offers, such as %s",
			id, answers, firstAnswer(m, list))
	}
	again := m.game.Clone().List(seat, rules.Filter{},
		m.game.List((seat+1)%rules.Seat(len(m.about.Seats)), rules.Filter{}, nil))
	if again.Len() != len(list) {
		m.failf("a second list for %s has %d commands, the first had %d", id, again.Len(), len(list))
	}
	for i, t := range list {
		if text := m.game.FormatCommand(again.At(i)); text != t.text {
			m.failf("command %d of the second list for %s is %s, of the first %s", i, id, text, t.text)
		}
	}
	i := 0
	stop := int(m.rnd.Below(uint32(len(list) + 1)))
	for c := range m.game.Legal(seat, rules.Filter{}) {
		if i == stop { // whoever stops listening is told no more: Go panics otherwise
			break
		}
		if text := m.game.FormatCommand(c); text != list[i].text {
			m.failf("command %d of Legal for %s is %s, of List %s", i, id, text, list[i].text)
		}
		i++
	}
	if i < stop {
		m.failf("Legal for %s yields %d commands, List %d", id, i, len(list))
	}
	return list
}

func firstAnswer(m *match, list []tried) string {
	for _, t := range list {
		if !m.isOffer(t.kind()) {
			return t.text
		}
	}
	return ""
}

// checkListed: what is listed is accepted.
func (m *match) checkListed(t tried) {
	if err := m.game.Check(t.seat, t.c); err != nil {
		m.failf("%s is listed for %s, but Check refuses it: %v", t.text, m.about.SeatID(t.seat), err)
	}
	m.playCopy(t)
	m.checkOwnSight(m.game, t)
}

// checkFilters: a filter lets through what its description fits, and nothing else.
func (m *match) checkFilters(list []tried) {
	if len(list) == 0 {
		return
	}
	t := list[m.rnd.Below(uint32(len(list)))]
	d := m.game.Describe(t.seat, t.c)
	filters := []rules.Filter{{Kind: d.Kind}}
	if len(d.Pieces) > 0 {
		filters = append(filters, rules.Filter{Piece: d.Pieces[0]},
			rules.Filter{Kind: d.Kind, Piece: d.Pieces[len(d.Pieces)-1]})
	}
	if n := len(d.Spaces); n > 0 {
		filters = append(filters, rules.Filter{Space: d.Spaces[n-1]})
		if len(d.Pieces) > 0 {
			filters = append(filters, rules.Filter{Kind: d.Kind, Piece: d.Pieces[0], Space: d.Spaces[n-1]})
		}
	}
	for _, f := range filters {
		m.checkFilter(t.seat, list, f)
	}
}

// checkFilter compares what is not of a generating kind; a generating set may grow when it is asked for more closely.
func (m *match) checkFilter(seat rules.Seat, list []tried, f rules.Filter) {
	var want []string
	for _, t := range list {
		if !m.generating(t.kind()) && f.Fits(m.game.Describe(t.seat, t.c)) {
			want = append(want, t.text)
		}
	}
	var got []string
	for c := range m.game.Legal(seat, f) {
		t := m.offered(m.game, seat, c)
		if !f.Fits(m.game.Describe(seat, c)) {
			m.failf("%s is listed for the filter %+v, which it does not fit", t.text, f)
		}
		if !m.generating(t.kind()) {
			got = append(got, t.text)
		} else if err := m.game.Check(seat, c); err != nil {
			m.failf("%s is listed for the filter %+v, but refused: %v", t.text, f, err)
		}
	}
	if !slices.Equal(got, want) {
		m.failf("the filter %+v for %s gives %q, expected of the whole list %q", f, m.about.SeatID(seat), got, want)
	}
}

func (m *match) generating(kind string) bool {
	k, _ := m.about.Command(kind)
	return k.Generating
}

// checkCommandCodec: a command survives its message and its notation.
func (m *match) checkCommandCodec(t tried) {
	message := m.game.EncodeCommand(t.c)
	if message == nil {
		m.failf("%s cannot be encoded", t.text)
	}
	if got, want := message.ProtoReflect().Descriptor().
		FullName(), m.about.CommandType.ProtoReflect().Descriptor().FullName(); got != want {
		m.failf("%s is encoded as a %s, the ruleset says %s", t.text, got, want)
	}
	data := encode(message)
	read := m.set.NewCommand()
	if err := proto.Unmarshal(data, read); err != nil {
		m.failf("%s: what was encoded cannot be read: %v", t.text, err)
	}
	c, err := m.game.DecodeCommand(read)
	if err != nil {
		m.failf("%s: its own message is refused: %v", t.text, err)
	}
	m.sameCommand(t, c, data, "its message")
	c, err = m.game.ParseCommand(t.text)
	if err != nil {
		m.failf("%s: its own notation is refused: %v", t.text, err)
	}
	m.sameCommand(t, c, data, "its notation")
}

func (m *match) sameCommand(t tried, c rules.Command, data []byte, by string) {
	if text := m.game.FormatCommand(c); text != t.text {
		m.failf("%s comes back from %s as %s", t.text, by, text)
	}
	if !bytes.Equal(encode(m.game.EncodeCommand(c)), data) {
		m.failf("%s comes back from %s as another message", t.text, by)
	}
}
