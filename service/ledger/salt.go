package ledger

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
)

// SaltSize is the length of a salt in bytes.
const SaltSize = 16

// SaltSecret is what the salts of a game are made from. It must come from a cryptographic generator, is the game's own,
// and stays with the server until the game is over.
type SaltSecret [32]byte

// ErrSaltCommitment says that a salt secret is not the one that was committed to.
var ErrSaltCommitment = errors.New("the salt secret does not match the commitment")

// Commitment is the hash of the secret that the first record publishes.
func (s SaltSecret) Commitment() Hash {
	return sha256.Sum256(appendField(appendField(nil, labelSaltCommitment), s[:]))
}

// Salter makes the salts of one game. It is not safe for concurrent use.
type Salter struct {
	mac    hash.Hash
	in     []byte // as far as the game; then version and leaf, written anew for each salt
	prefix int
	out    [sha256.Size]byte
}

// NewSalter makes the salts of a game.
func NewSalter(secret SaltSecret, game string) *Salter {
	s := &Salter{mac: hmac.New(sha256.New, secret[:])}
	s.in = appendField(appendField(nil, labelSalt), game)
	s.prefix = len(s.in)
	s.in = append(s.in, make([]byte, 8+4)...)
	return s
}

// Salt is the salt of a leaf, counted from 0, of the record of a version.
func (s *Salter) Salt(version uint64, leaf int) [SaltSize]byte {
	binary.BigEndian.PutUint64(s.in[s.prefix:], version)
	binary.BigEndian.PutUint32(s.in[s.prefix+8:], uint32(leaf))
	s.mac.Reset()
	s.mac.Write(s.in)
	s.mac.Sum(s.out[:0])
	return [SaltSize]byte(s.out[:SaltSize])
}
