package service

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"maps"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Codes of mailboxes: what they are for, in what they are derived of.
const (
	codeConfirm     = "confirm"
	codeUnsubscribe = "unsubscribe"
)

// codeChars is the length of a code: 130 bits.
const codeChars = 26

// mailCode is what opens just this: to agree to mail, or to end it.
func mailCode(secret []byte, purpose, box string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("warledger/mail/1/" + purpose + "/" + box))
	return spelling.EncodeToString(mac.Sum(nil))[:codeChars]
}

func sameCode(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// subscriptionID names a webhook or mailbox and opens nothing.
func subscriptionID(secret []byte, kind string, request uuid.UUID) string {
	return derive(secret, kind, "", request)[:grantNameSize]
}

// How often an address may be asked whether it wants mail, by anybody.
const (
	mostConfirmations   = 3
	confirmationsWithin = 24 * time.Hour
	// mostAddresses bounds what is remembered; beyond it no other address is asked for a while.
	mostAddresses = 10_000
)

// confirmations count how often addresses were asked, so that nobody can have the server pester somebody. They are forgotten when it ends.
type confirmations struct {
	mu    sync.Mutex
	asked map[[sha256.Size]byte][]time.Time
}

func newConfirmations() *confirmations {
	return &confirmations{asked: make(map[[sha256.Size]byte][]time.Time)}
}

// ask counts one more; if that is too many, it says when there may be another.
func (c *confirmations) ask(address string, now time.Time) (wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := sha256.Sum256([]byte(address))
	var recent []time.Time
	for _, at := range c.asked[key] {
		if now.Sub(at) < confirmationsWithin {
			recent = append(recent, at)
		}
	}
	if len(recent) >= mostConfirmations {
		return recent[0].Add(confirmationsWithin).Sub(now)
	}
	if len(c.asked) >= mostAddresses {
		maps.DeleteFunc(c.asked, func(_ [sha256.Size]byte, at []time.Time) bool { return now.Sub(at[len(at)-1]) >= confirmationsWithin })
	}
	if len(c.asked) >= mostAddresses && recent == nil { // more strangers in a day than any honest server has
		return time.Hour
	}
	c.asked[key] = append(recent, now)
	return 0
}
