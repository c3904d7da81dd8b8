package discord

import (
	"strconv"
	"strings"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

func itoa[T int | uint64](n T) string { return strconv.FormatUint(uint64(n), 10) }

// number reads a number of a component; 0 for anything else.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// move carries out a command, or shows what may be done. Either is seen by the player alone; the channel
// hears of it from the log.
func (t *talk) move(at *table, command, named string) error {
	seat, err := t.pick(at, named)
	if err != nil {
		if command == "" && named == "" && len(at.of(t.user)) > 1 {
			return t.seatMenu(at)
		}
		return err
	}
	if command == "" {
		return t.menu(at, seat, place{}, "")
	}
	move := warledger.Move{Notation: command, ID: t.request()}
	if version, mark, ok := reference(command); ok { // a command too long for a completion
		list, err := t.seat(at, seat, t.lang).ListLegal(t.ctx, warledger.LegalQuery{})
		if err != nil {
			return err
		}
		i := meant(list, version, mark)
		if i < 0 {
			return wrong("gone")
		}
		move.Notation, move.Expected = list[i].GetCommand(), version
	}
	if asked, err := t.typedOffer(at, seat, move); asked || err != nil {
		return err
	}
	return t.submit(at, seat, move)
}

// reference reads a completion that stands for a long command of the list of a version, by its digest.
func reference(text string) (version uint64, mark string, ok bool) {
	rest, ok := strings.CutPrefix(text, "=")
	v, mark, cut := strings.Cut(rest, ":")
	version, err := strconv.ParseUint(v, 10, 64)
	return version, mark, ok && cut && err == nil
}

// submit sends a command and goes on with what the seat may do next.
func (t *talk) submit(at *table, seat string, move warledger.Move) error {
	resp, err := t.submitted(at, seat, move)
	if err != nil {
		return err
	}
	if resp.GetPending() {
		t.say(say(t.lang, "doneLater", strings.Join(resp.GetGame().GetPendingDice().GetMissing(), ", ")))
		return nil
	}
	return t.menu(at, seat, place{}, say(t.lang, "done", told(resp.GetRecord())))
}

// told is what the player who made a record is told of it, secrets of theirs included.
func told(r *v1.Record) string {
	lines := []string{"`" + strings.ReplaceAll(r.GetNotation(), "`", "'") + "`"}
	for _, e := range r.GetEvents() {
		if e.GetNarration() != "" {
			lines = append(lines, escape(e.Narration))
		}
	}
	return shorten(strings.Join(lines, "\n"), 1200)
}
