package tokens

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"

	"github.com/google/uuid"
)

// Codes of mailboxes: what they are for, in what they are derived of.
const (
	CodeConfirm     = "confirm"
	CodeUnsubscribe = "unsubscribe"
)

// CodeChars is the length of a code: 130 bits.
const CodeChars = 26

// MailCode is what opens just this: to agree to mail, or to end it.
func MailCode(secret []byte, purpose, box string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("warledger/mail/1/" + purpose + "/" + box))
	return Spelling.EncodeToString(mac.Sum(nil))[:CodeChars]
}

// SameCode compares codes, in the same time whether or not they are equal.
func SameCode(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// SubscriptionID names a webhook or mailbox and opens nothing.
func SubscriptionID(secret []byte, kind string, request uuid.UUID) string {
	return Derive(secret, kind, "", request)[:grantNameSize]
}

// MessageIDChars is the length of a message's id.
const MessageIDChars = grantNameSize

// MessageID names what a seat says to an audience with a request, and opens nothing. It tells nothing of other
// messages.
func MessageID(secret []byte, audience, seat string, request uuid.UUID) string {
	return Derive(secret, "message/"+audience, seat, request)[:grantNameSize]
}
