package tokens

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"slices"
	"strings"

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
	// accountPrefix is that of tokens that computers draw for themselves. They open no game.
	accountPrefix = "wl_b_"
	// keyringPrefix is that of secrets that people draw for their keyrings. They open no game.
	keyringPrefix = "wl_k_"
	// grantPrefix was that of all made tokens, whatever they open. Such tokens are still in use.
	grantPrefix = "wl_g_"
)

// prefixes are all that a token can begin with; they are of one length.
var prefixes = []string{ownerPrefix, seatPrefix, seePrefix, actPrefix, partPrefix, joinPrefix, accountPrefix,
	keyringPrefix, grantPrefix}

// tokenChars is the length of a token after its prefix: 32 bytes in base 32.
const tokenChars = 52

// Spelling is how tokens, ids and codes are spelt: base 32 in small letters without padding.
var Spelling = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Hash is what is kept of a token.
type Hash = [sha256.Size]byte

// HashOf is what is kept of a token.
func HashOf(token string) Hash { return sha256.Sum256([]byte(token)) }

// WellFormed reports whether a string can be a token.
func WellFormed(token string) bool {
	if len(token) < len(ownerPrefix) || !slices.Contains(prefixes, token[:len(ownerPrefix)]) {
		return false
	}
	rest := token[len(ownerPrefix):]
	_, err := Spelling.DecodeString(rest)
	return len(rest) == tokenChars && err == nil
}

// Owner derives the token of a game's owner.
func Owner(secret []byte, request uuid.UUID) string {
	return ownerPrefix + Derive(secret, "owner", "", request)
}

// Seat derives the token that a seat is taken with.
func Seat(secret []byte, seat string, request uuid.UUID) string {
	return seatPrefix + Derive(secret, "seat", seat, request)
}

// Computer derives the token of a seat that is given to a computer. Whoever gave it cannot derive it.
func Computer(secret []byte, seat string, request uuid.UUID) string {
	return seatPrefix + Derive(secret, "computer", seat, request)
}

// Account is the token of a computer's account that 32 random bytes make.
func Account(random [32]byte) string { return accountPrefix + Spelling.EncodeToString(random[:]) }

// IsAccount reports whether a token is that of a computer's account.
func IsAccount(token string) bool {
	return strings.HasPrefix(token, accountPrefix) && WellFormed(token)
}

// IsKeyring reports whether a token is a secret that opens a keyring.
func IsKeyring(token string) bool {
	return strings.HasPrefix(token, keyringPrefix) && WellFormed(token)
}

// AccountID names the account of a token and opens nothing.
func AccountID(token string) string {
	hash := HashOf(token)
	return NameOfHash(hash[:])
}

// grantToken derives a token that opens less than a seat's or the owner's own. What it opens is kept beside its hash.
func grantToken(prefix string, secret []byte, request uuid.UUID) string {
	return prefix + Derive(secret, "grant", "", request)
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

// Grant is the token that a request makes, or has made: a request that comes again may have had another prefix,
// from an older server or by mistake.
func Grant(meta *logv1.GameMeta, g *logv1.Grant, request uuid.UUID) string {
	for _, prefix := range prefixes {
		secret := grantToken(prefix, meta.TokenSecret, request)
		hash := HashOf(secret)
		known := func(kept []byte) bool { return Same(hash, kept) }
		if slices.ContainsFunc(meta.RevokedTokenHashes, known) ||
			slices.ContainsFunc(meta.Grants, func(old *logv1.Grant) bool { return known(old.TokenHash) }) {
			return secret
		}
	}
	return grantToken(grantPrefixOf(g), meta.TokenSecret, request)
}

// Derive makes what opens something for a seat from the secret of its game and the id of the request.
func Derive(secret []byte, purpose, seat string, request uuid.UUID) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("warledger/token/1/" + purpose + "/" + seat + "/"))
	mac.Write(request[:])
	return Spelling.EncodeToString(mac.Sum(nil))
}

// GameID is the id of the game that a request creates: 128 bits, one way.
func GameID(request uuid.UUID) string {
	sum := sha256.Sum256(append([]byte("warledger/game/1/"), request[:]...))
	return Spelling.EncodeToString(sum[:16])
}

// GameIDChars is the length of a game's id.
const GameIDChars = 26

// BlindID is what the log shows in place of a request id that must stay secret: a UUID of version 8 made of its digest.
func BlindID(request uuid.UUID) string {
	sum := sha256.Sum256(append([]byte("warledger/request/1/"), request[:]...))
	id := uuid.UUID(sum[:16])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return id.String()
}

// Same compares a hash with a kept one, in the same time whether or not they are equal.
func Same(hash Hash, kept []byte) bool { return subtle.ConstantTimeCompare(hash[:], kept) == 1 }

// grantNameSize is how many characters the name of a token has: 80 bits of the hash of its hash.
const grantNameSize = 16

// NameOf names a token and opens nothing: it is made of the hash of what is kept of it.
func NameOf(g *logv1.Grant) string { return NameOfHash(g.TokenHash) }

// NameOfHash names the token of which a hash is kept.
func NameOfHash(hash []byte) string {
	again := HashOf(string(hash))
	return Spelling.EncodeToString(again[:])[:grantNameSize]
}
