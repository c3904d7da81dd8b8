package service

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"slices"

	"github.com/google/uuid"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Tokens say what they are for, so that a person who finds one in the wrong place knows what it opens.
const (
	ownerPrefix = "wl_o_"
	seatPrefix  = "wl_s_"
	seePrefix   = "wl_v_"
	actPrefix   = "wl_a_"
	partPrefix  = "wl_c_"
	joinPrefix  = "wl_j_"
	// grantPrefix was that of all made tokens, whatever they open. Such tokens are still in use.
	grantPrefix = "wl_g_"
)

// prefixes are all that a token can begin with; they are of one length.
var prefixes = []string{ownerPrefix, seatPrefix, seePrefix, actPrefix, partPrefix, joinPrefix, grantPrefix}

// tokenChars is the length of a token after its prefix: 32 bytes in base 32.
const tokenChars = 52

var spelling = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// tokenHash is what is kept of a token.
type tokenHash = [sha256.Size]byte

func hashOf(token string) tokenHash { return sha256.Sum256([]byte(token)) }

// wellFormed reports whether a string can be a token.
func wellFormed(token string) bool {
	if len(token) < len(ownerPrefix) || !slices.Contains(prefixes, token[:len(ownerPrefix)]) {
		return false
	}
	rest := token[len(ownerPrefix):]
	_, err := spelling.DecodeString(rest)
	return len(rest) == tokenChars && err == nil
}

// ownerToken derives the token of a game's owner.
func ownerToken(secret []byte, request uuid.UUID) string {
	return ownerPrefix + derive(secret, "owner", "", request)
}

// seatToken derives the token that a seat is taken with.
func seatToken(secret []byte, seat string, request uuid.UUID) string {
	return seatPrefix + derive(secret, "seat", seat, request)
}

// grantToken derives a token that opens less than a seat's or the owner's own. What it opens is kept beside its hash.
func grantToken(prefix string, secret []byte, request uuid.UUID) string {
	return prefix + derive(secret, "grant", "", request)
}

// grantPrefixOf is what the token of a grant begins with.
func grantPrefixOf(g *logv1.Grant) string {
	switch {
	case g.Joins:
		return joinPrefix
	case g.Seat == "":
		return partPrefix
	case g.Acts:
		return actPrefix
	}
	return seePrefix
}

// grantSecret is the token that a request makes, or has made: a request that comes again may have had another prefix,
// from an older server or by mistake.
func grantSecret(meta *logv1.GameMeta, g *logv1.Grant, request uuid.UUID) string {
	for _, prefix := range prefixes {
		secret := grantToken(prefix, meta.TokenSecret, request)
		hash := hashOf(secret)
		known := func(kept []byte) bool { return same(hash, kept) }
		if slices.ContainsFunc(meta.RevokedTokenHashes, known) ||
			slices.ContainsFunc(meta.Grants, func(old *logv1.Grant) bool { return known(old.TokenHash) }) {
			return secret
		}
	}
	return grantToken(grantPrefixOf(g), meta.TokenSecret, request)
}

func derive(secret []byte, purpose, seat string, request uuid.UUID) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("warledger/token/1/" + purpose + "/" + seat + "/"))
	mac.Write(request[:])
	return spelling.EncodeToString(mac.Sum(nil))
}

// gameID is the id of the game that a request creates: 128 bits, one way.
func gameID(request uuid.UUID) string {
	sum := sha256.Sum256(append([]byte("warledger/game/1/"), request[:]...))
	return spelling.EncodeToString(sum[:16])
}

// gameIDChars is the length of a game's id.
const gameIDChars = 26

// blindID is what the log shows in place of a request id that must stay secret: a UUID of version 8 made of its digest.
func blindID(request uuid.UUID) string {
	sum := sha256.Sum256(append([]byte("warledger/request/1/"), request[:]...))
	id := uuid.UUID(sum[:16])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return id.String()
}
