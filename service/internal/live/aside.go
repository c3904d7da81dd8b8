package live

import (
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// Aside reports whether a command is an aside: an offer or an order of a seat that the game does not wait for.
func (m *Moment) Aside(seat rules.Seat, c rules.Command) bool {
	return rules.IsOffer(m.Position, c) && !m.Position.Waiting().Has(seat)
}

// AsideOfOthers reports whether a record is an aside of a seat that is not among those given.
func (m *Moment) AsideOfOthers(version uint64, seats rules.Seats) bool {
	k := m.Marks[version-1]
	return k.Aside && !seats.Has(k.Seat)
}

// StillAsAt reports whether nobody has played since a version, as far as some seats are concerned. Asides of others
// and changes of the table do not count.
func (m *Moment) StillAsAt(version uint64, seats rules.Seats) bool {
	if version > m.Version() {
		return false
	}
	for v := m.Version(); v > version; v-- {
		if m.Marks[v-1].Kind != uint8(logv1.RecordKind_RECORD_KIND_TABLE) && !m.AsideOfOthers(v, seats) {
			return false
		}
	}
	return true
}
