package keyrings

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"

	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
)

// place is where the keyring of a caller is, and what opens it. Neither can be made from what
// the store has.
type place struct {
	stream string
	key    []byte
}

// Texts that keep what is derived for one purpose from all else.
const (
	nameOfSecret = "warledger/keyring/name/secret/1/"
	nameOfPerson = "warledger/keyring/name/person/1/"
	sealOfSecret = "warledger/keyring/seal/secret/1"
	sealOfPerson = "warledger/keyring/seal/person/1/"
)

// ofSecret is the place of whoever holds a secret. The secret itself is the key: the store has a hash of it alone.
func ofSecret(token string) (place, error) {
	key, err := hkdf.Key(sha256.New, []byte(token), nil, sealOfSecret, sha256.Size)
	name := tokens.HashOf(nameOfSecret + token)
	return place{streams.Keyring(tokens.Spelling.EncodeToString(name[:])), key}, err
}

// ofPerson is the place of a person whom an identity provider knows. A subject is no secret, so both name and key need
// the server's own.
func ofPerson(secret []byte, subject string) (place, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, sealOfPerson+subject, sha256.Size)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(nameOfPerson + subject))
	return place{streams.Keyring(tokens.Spelling.EncodeToString(mac.Sum(nil))), key}, err
}

// aead encrypts with a nonce of its own for each keyring that is written. The name of the stream is bound to it, so
// that a keyring in another's place does not open.
func (p place) aead() (cipher.AEAD, error) {
	block, err := aes.NewCipher(p.key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func (p place) seal(content []byte) ([]byte, error) {
	gcm, err := p.aead()
	if err != nil {
		return nil, err
	}
	return gcm.Seal(nil, nil, content, []byte(p.stream)), nil
}

// errSealed says that a keyring was sealed under another key.
var errSealed = errors.New("the keyring was sealed under another key, or is damaged")

func (p place) unseal(sealed []byte) ([]byte, error) {
	gcm, err := p.aead()
	if err != nil {
		return nil, err
	}
	content, err := gcm.Open(nil, nil, sealed, []byte(p.stream))
	if err != nil {
		return nil, errSealed
	}
	return content, nil
}
