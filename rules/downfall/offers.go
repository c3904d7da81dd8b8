package downfall

import (
	downfallv1 "github.com/warledger/warledger/proto/warledger/downfall/v1"
	"github.com/warledger/warledger/rules"
)

// Giving up (DF 4.1-b): one seat offers at any time, the game ends when the other accepts, and nothing waits for it.

func (p *Position) checkOffer(seat rules.Seat, c Command) *rules.Refusal {
	open := p.offer != 0
	switch {
	case p.over():
		return p.refuse("", "refuse.over").For(rules.ReasonGameOver)
	case c.Kind == KindConcede && open:
		return p.refuse("DF 4.1-b", "refuse.offered")
	case c.Kind != KindConcede && (!open || p.offer == 1+uint8(seat)):
		return p.refuse("DF 4.1-b", "refuse.no-offer")
	}
	return nil
}

func (p *Position) playOffer(x *exec, seat rules.Seat, c Command) {
	if c.Kind == KindConcede {
		emit(x, &downfallv1.ConcessionOffered{Seat: seatIDs[seat]})
		return
	}
	emit(x, &downfallv1.ConcessionAnswered{Accepted: c.Kind == KindAccept})
	if c.Kind == KindAccept {
		x.Emit(eventEnd(seatIDs[seat], downfallv1.EndLevel_END_LEVEL_CONCEDED, p.vp))
	}
}

func (p *Position) legalOffers(seat rules.Seat, yield func(Command) bool) bool {
	switch p.offer {
	case 0:
		return yield(only(KindConcede))
	case 1 + uint8(seat):
		return true
	}
	return yield(only(KindAccept)) && yield(only(KindDecline))
}
