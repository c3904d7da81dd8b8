package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

// Headers of a notice.
const (
	// HeaderID names a notice: the same for each try.
	HeaderID = "webhook-id"
	// HeaderTimestamp is when this try was made, in seconds since 1970.
	HeaderTimestamp = "webhook-timestamp"
	// HeaderSignature is the version and the signature.
	HeaderSignature = "webhook-signature"
)

// Sizes of a secret, in bytes.
const (
	LeastSecret = 24
	MostSecret  = 64
)

// secretPrefix says what it is, so that a person who finds one in the wrong place knows.
const secretPrefix = "whsec_"

// errSecret never quotes what it complains of.
var errSecret = errors.New(`expected "whsec_" and 24 to 64 bytes in base 64`)

// ParseSecret reads a secret.
func ParseSecret(text string) ([]byte, error) {
	rest, ok := strings.CutPrefix(text, secretPrefix)
	// Base 64 leaves line breaks out, and would read several texts as one secret.
	if !ok || len(rest) > base64.StdEncoding.EncodedLen(MostSecret) || strings.ContainsAny(rest, "\r\n") {
		return nil, errSecret
	}
	secret, err := base64.StdEncoding.Strict().DecodeString(rest)
	if err != nil || len(secret) < LeastSecret || len(secret) > MostSecret {
		return nil, errSecret
	}
	return secret, nil
}

// FormatSecret writes a secret.
func FormatSecret(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// Sign is the signature of a notice: HMAC-SHA-256 over id, time and body.
func Sign(secret []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
