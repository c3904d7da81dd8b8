package rules

// Payment is the price of a command and the sources that can pay it, for commands whose player chooses the sources.
type Payment struct {
	// Due is the whole price, in the unit of the amounts.
	Due int
	// Unit is the unit of the amounts, short enough for a counter.
	Unit Text
	// Pattern is the command in the notation, with {parts} where its parts go. Parts are joined by Between.
	Pattern, Between string
	// OneSource is true if one source has to pay the whole price. Then Sources holds only those that can.
	OneSource bool
	// Sources are all that can pay, each once, the ruleset's first choice first.
	Sources []Source
}

// Source is something that can pay, such as a dump.
type Source struct {
	// Space is the id of its space.
	Space string
	// Piece is the id of the piece that carries it; empty if it lies in the space.
	Piece string
	// Name is its name in words.
	Name Text
	// Have is the amount available; Endless is true if it is unlimited.
	Have    int
	Endless bool
	// Part is how the notation names an amount from this source, with {n} for the number.
	Part string
}

// Payer is an optional interface of referees with commands whose player chooses what pays.
type Payer[P Position[P], C any] interface {
	// Payment says how a legal command of a seat may be paid for; nil if there is no choice. It reveals nothing that
	// the seat does not know.
	Payment(p P, seat Seat, c C) *Payment
}

func (g *game[P, C, E]) Payment(seat Seat, c Command) *Payment {
	own, ok := c.c.(C)
	payer, pays := g.set.ref.(Payer[P, C])
	if !ok || !pays || !g.listable(seat) {
		return nil
	}
	return payer.Payment(g.pos, seat, own)
}
