package service

import (
	"bytes"
	"maps"
	"slices"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
)

// madeBy notes the token with which a seat was taken; maker is nil for none. It forgets who held the seat before.
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

// untilMaker makes the caller's rights end with the token with which a seat was taken.
func (c *caller) untilMaker(meta *logv1.GameMeta, seat string, now time.Time) error {
	if !takenFor(meta, seat, now) {
		return fault.New(fault.TokenExpired, "the token with which the seat %s was taken has expired", seat)
	}
	if expires := meta.SeatMakers[seat].GetExpireTime(); expires != nil {
		c.until(expires.AsTime())
	}
	return nil
}

// takenFor reports whether the token with which a seat was taken is still valid; true if there is none.
func takenFor(meta *logv1.GameMeta, seat string, now time.Time) bool {
	expires := meta.SeatMakers[seat].GetExpireTime()
	return expires == nil || expires.AsTime().After(now)
}

// formerSeats returns the free seats that a token opened last.
func formerSeats(about *rules.About, meta *logv1.GameMeta, hash tokenHash) (seats rules.Seats) {
	for _, seat := range about.Seats {
		if same(hash, meta.FormerTokenHashes[seat.ID]) {
			seats |= live.SeatSet(about, seat.ID)
		}
	}
	return seats
}

// void makes a token that was taken off its list void, and everything made from it, directly or through other tokens.
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
				hash, had := meta.SeatTokenHashes[seat], meta.SeatMakers[seat]
				left = append(left, hash)
				delete(meta.SeatTokenHashes, seat)
				delete(meta.SeatMakers, seat)
				keepFormer(meta, seat, hash, had)
				unsubscribe(meta, seat)
			}
		}
	}
}

// revokeGrants makes tokens void and remembers them, so that a caller who brings one learns why it opens nothing.
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

// revoke makes the token of a seat void, and everything made from it.
func revoke(meta *logv1.GameMeta, seat string) {
	hash := meta.SeatTokenHashes[seat]
	delete(meta.SeatTokenHashes, seat)
	delete(meta.SeatMakers, seat)
	delete(meta.FormerTokenHashes, seat)
	if hash != nil {
		void(meta, hash)
	}
	revokeGrants(meta, func(g *logv1.Grant) bool { return g.Seat == seat }) // also those from before makers were recorded
	unsubscribe(meta, seat)
}

// vacate is revoke for a seat that becomes free. Its last holder may still answer for it, unless the seat was taken
// with the owner's own token. A holder whose token became void before has it as well.
func vacate(meta *logv1.GameMeta, seat string) {
	hash, maker := meta.SeatTokenHashes[seat], meta.SeatMakers[seat]
	if hash == nil {
		hash = meta.FormerTokenHashes[seat]
	}
	revoke(meta, seat)
	keepFormer(meta, seat, hash, maker)
}

// keepFormer keeps the token of a seat for what its last holder may still answer. A maker that never expires is the
// owner's own token: then the holder was the owner. Others may have taken the seat with a token that the owner made.
func keepFormer(meta *logv1.GameMeta, seat string, hash []byte, maker *logv1.TokenMaker) {
	if hash == nil || maker != nil && maker.ExpireTime == nil {
		return
	}
	if meta.FormerTokenHashes == nil {
		meta.FormerTokenHashes = make(map[string][]byte)
	}
	meta.FormerTokenHashes[seat] = hash
}
