package tokens

import (
	"bytes"
	"maps"
	"slices"
	"time"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// MadeBy notes the token with which a seat was taken; maker is nil for none. It forgets who held the seat before.
func MadeBy(meta *logv1.GameMeta, seat string, maker *logv1.TokenMaker) {
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

// TakenFor reports whether the token with which a seat was taken is still valid; true if none exists.
func TakenFor(meta *logv1.GameMeta, seat string, now time.Time) bool {
	expires := meta.SeatMakers[seat].GetExpireTime()
	return expires == nil || expires.AsTime().After(now)
}

// Void makes a token that was taken off its list void, and everything made from it, directly or through other tokens.
func Void(meta *logv1.GameMeta, hash []byte) {
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
				Unsubscribe(meta, seat)
			}
		}
	}
}

// RevokeGrants makes tokens void and remembers them, so that a caller who brings one learns why it opens nothing.
func RevokeGrants(meta *logv1.GameMeta, which func(*logv1.Grant) bool) {
	var hashes [][]byte
	meta.Grants = slices.DeleteFunc(meta.Grants, func(g *logv1.Grant) bool {
		gone := which(g)
		if gone {
			hashes = append(hashes, g.TokenHash)
		}
		return gone
	})
	for _, hash := range hashes {
		Void(meta, hash)
	}
}

// Revoke makes the token of a seat void, and everything made from it.
func Revoke(meta *logv1.GameMeta, seat string) {
	hash := meta.SeatTokenHashes[seat]
	delete(meta.SeatTokenHashes, seat)
	delete(meta.SeatMakers, seat)
	delete(meta.FormerTokenHashes, seat)
	if hash != nil {
		Void(meta, hash)
	}
	// also those from before makers were recorded
	RevokeGrants(meta, func(g *logv1.Grant) bool { return g.Seat == seat })
	Unsubscribe(meta, seat)
}

// Vacate is revoke for a seat that becomes free. Its last holder may still answer for it, unless the seat was taken
// with the owner's own token. A holder whose token became void before has it as well.
func Vacate(meta *logv1.GameMeta, seat string) {
	hash, maker := meta.SeatTokenHashes[seat], meta.SeatMakers[seat]
	if hash == nil {
		hash = meta.FormerTokenHashes[seat]
	}
	Revoke(meta, seat)
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

// remember keeps the hash of a token that is void, and forgets the oldest when there are too many.
func remember(meta *logv1.GameMeta, hash []byte) {
	const remembered = 256
	meta.RevokedTokenHashes = append(meta.RevokedTokenHashes, bytes.Clone(hash))
	if extra := len(meta.RevokedTokenHashes) - remembered; extra > 0 {
		meta.RevokedTokenHashes = slices.Delete(meta.RevokedTokenHashes, 0, extra)
	}
}

// Evict takes a seat from whom it belongs to, and keeps a mailbox of theirs for one last mail.
func Evict(meta *logv1.GameMeta, seat string) {
	var last []*logv1.Mailbox
	for _, b := range meta.Mailboxes {
		if b.Seat == seat && b.Confirmed {
			b.Evicted = true
			last = append(last, b)
		}
	}
	Vacate(meta, seat)
	meta.Mailboxes = append(meta.Mailboxes, last...)
}

// Unsubscribe ends what belongs to a seat whose token is void; to the owner if seat is empty.
func Unsubscribe(meta *logv1.GameMeta, seat string) {
	meta.Webhooks = slices.DeleteFunc(meta.Webhooks, func(w *logv1.Webhook) bool { return w.Seat == seat })
	if seat != "" {
		meta.Mailboxes = slices.DeleteFunc(meta.Mailboxes, func(b *logv1.Mailbox) bool { return b.Seat == seat })
	}
}
