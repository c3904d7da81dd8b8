package rules

// Payment is how a command is paid for where the player chooses from what: the price, and what can pay.
type Payment struct {
	// Due is the whole price, in the unit of the amounts.
	Due int
	// Unit is what the amounts count, as short as a counter has room for.
	Unit Text
	// Pattern is the command in the notation, with {parts} where its parts go. Parts are joined by Between.
	Pattern, Between string
	// OneSource is true if one source has to pay all of it. Sources hold only those that can, then.
	OneSource bool
	// Sources are what can pay, each once, the ruleset's first choice first.
	Sources []Source
}

// Source is a thing that can pay.
type Source struct {
	// Space in which it is.
	Space string
	// Piece that holds it, empty if it lies in the space.
	Piece string
	// Name in words.
	Name Text
	// Have is how much there is; Endless that there is no end to it.
	Have    int
	Endless bool
	// Part is how the notation names an amount of it, with {n} for the number.
	Part string
}

// Payer is a referee whose commands are paid out of what the player chooses.
type Payer[P Position[P], C any] interface {
	// Payment says how a legal command of a seat may be paid for; nil if nothing is chosen there. It tells what the
	// seat itself knows, and no more.
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
