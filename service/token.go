package service

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"github.com/google/uuid"
)

// Tokens say what they are for, so that a person who finds one in the wrong place knows what it opens.
const (
	ownerPrefix = "wl_o_"
	seatPrefix  = "wl_s_"
	grantPrefix = "wl_g_"
)

// tokenChars is the length of a token after its prefix: 32 bytes in base 32.
const tokenChars = 52

var spelling = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// tokenHash is what is kept of a token.
type tokenHash = [sha256.Size]byte

func hashOf(token string) tokenHash { return sha256.Sum256([]byte(token)) }

// wellFormed reports whether a string can be a token.
func wellFormed(token string) bool {
	if !strings.HasPrefix(token, ownerPrefix) && !strings.HasPrefix(token, seatPrefix) && !strings.HasPrefix(token, grantPrefix) {
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
func grantToken(secret []byte, request uuid.UUID) string {
	return grantPrefix + derive(secret, "grant", "", request)
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
