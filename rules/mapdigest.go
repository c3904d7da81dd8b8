package rules

import (
	"crypto/sha256"
	"encoding/hex"

	"google.golang.org/protobuf/proto"

	boardv1 "github.com/warledger/warledger/proto/warledger/board/v1"
)

// MapDigest is the digest of a map: SHA-256 of its contents without the digest field, in hexadecimal. It identifies
// the map to clients of one program; another release may encode the same map otherwise. Rulesets compute it once, when
// a scenario is loaded.
func MapDigest(m *boardv1.Map) string {
	bare := m
	if m.GetDigest() != "" {
		bare = proto.CloneOf(m)
		bare.Digest = ""
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(bare)
	if err != nil {
		panic("rules: a map that cannot be encoded: " + err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
