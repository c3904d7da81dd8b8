package service

import (
	"bytes"
	"maps"
	"slices"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
)

// madeBy notes with what token a seat was taken; maker is nil for none. Who held it before is forgotten.
func madeBy(meta *logv1.GameMeta, seat string, maker *logv1.TokenMaker) {
	delete(meta.FormerTokenHashes, seat)
	delete(meta.SeatMakers, seat)
	if maker == nil {
		return
	}
	if meta.SeatMakers == nil {
		meta.SeatMakers = make(map[string]*logv1.TokenMaker)
	}
	meta.SeatMakers[seat] = maker
}

// untilMaker makes the caller's rights end when the token does with which a seat was taken.
func (c *caller) untilMaker(meta *logv1.GameMeta, seat string, now time.Time) error {
	if !takenFor(meta, seat, now) {
		return fault.New(fault.TokenExpired, "the token has expired with which the seat %s was taken", seat)
	}
	if expires := meta.SeatMakers[seat].GetExpireTime(); expires != nil {
		c.until(expires.AsTime())
	}
	return nil
}

// takenFor reports whether the token with which a seat was taken has not expired; there may be none.
func takenFor(meta *logv1.GameMeta, seat string, now time.Time) bool {
	expires := meta.SeatMakers[seat].GetExpireTime()
	return expires == nil || expires.AsTime().After(now)
}

// formerSeats are the free seats that a token opened last.
func formerSeats(about *rules.About, meta *logv1.GameMeta, hash tokenHash) (seats rules.Seats) {
	for _, seat := range about.Seats {
		if same(hash, meta.FormerTokenHashes[seat.ID]) {
			seats |= seatSet(about, seat.ID)
		}
	}
	return seats
}

// void makes a token void that is in no list any more, and whatever was made of it, however often that was passed on.
func void(meta *logv1.GameMeta, hash []byte) {
	for left := [][]byte{bytes.Clone(hash)}; len(left) > 0; left = left[1:] {
		maker := left[0]
		remember(meta, maker)
		meta.Grants = slices.DeleteFunc(meta.Grants, func(g *logv1.Grant) bool {
			made := len(g.MakerHash) > 0 && bytes.Equal(g.MakerHash, maker)
			if made {
				left = append(left, g.TokenHash)
			}
			return made
		})
		for _, seat := range slices.Sorted(maps.Keys(meta.SeatMakers)) {
			if bytes.Equal(meta.SeatMakers[seat].TokenHash, maker) {
				left = append(left, meta.SeatTokenHashes[seat])
				delete(meta.SeatTokenHashes, seat)
				delete(meta.SeatMakers, seat)
				unsubscribe(meta, seat)
			}
		}
	}
}

// revokeGrants makes made tokens void and remembers them, so that who brings one is told why it opens nothing.
func revokeGrants(meta *logv1.GameMeta, which func(*logv1.Grant) bool) {
	var hashes [][]byte
	meta.Grants = slices.DeleteFunc(meta.Grants, func(g *logv1.Grant) bool {
		gone := which(g)
		if gone {
			hashes = append(hashes, g.TokenHash)
		}
		return gone
	})
	for _, hash := range hashes {
		void(meta, hash)
	}
}

// revoke makes the token of a seat void, and what was made of it.
func revoke(meta *logv1.GameMeta, seat string) {
	hash := meta.SeatTokenHashes[seat]
	delete(meta.SeatTokenHashes, seat)
	delete(meta.SeatMakers, seat)
	if hash != nil {
		void(meta, hash)
	}
	revokeGrants(meta, func(g *logv1.Grant) bool { return g.Seat == seat }) // those too that were made before makers were kept
	unsubscribe(meta, seat)
}

// vacate is revoke for a seat that becomes free. Whose it was may still answer for it, unless the seat was taken with a token of the owner's.
func vacate(meta *logv1.GameMeta, seat string) {
	hash, maker := meta.SeatTokenHashes[seat], meta.SeatMakers[seat]
	revoke(meta, seat)
	if hash == nil || maker != nil {
		return
	}
	if meta.FormerTokenHashes == nil {
		meta.FormerTokenHashes = make(map[string][]byte)
	}
	meta.FormerTokenHashes[seat] = hash
}
