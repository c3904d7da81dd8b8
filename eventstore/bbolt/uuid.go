package boltstore

import "encoding/hex"

// Most keys are UUIDs, which take 36 bytes as text and 16 packed. They are packed only if they are spelt as usual, so
// that what is unpacked is what was given.
const (
	uuidSize = 16
	uuidText = 36
	// packedKey stands in the place of a key's length for a packed one: no key is as long.
	packedKey = 0xff
)

// uuidDashes are where the dashes are.
var uuidDashes = [...]int{8, 13, 18, 23}

// packUUID packs a key if it is a UUID in lower case.
func packUUID(key string) (id [uuidSize]byte, ok bool) {
	if len(key) != uuidText {
		return id, false
	}
	digits := 0
	for i := range len(key) {
		c := key[i]
		switch {
		case i == uuidDashes[0] || i == uuidDashes[1] || i == uuidDashes[2] || i == uuidDashes[3]:
			if c != '-' {
				return id, false
			}
			continue
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		default:
			return id, false
		}
		id[digits/2] = id[digits/2]<<4 | c
		digits++
	}
	return id, true
}

// isUUID reports whether a key would be packed.
func isUUID(key []byte) bool {
	if len(key) != uuidText {
		return false
	}
	_, ok := packUUID(string(key))
	return ok
}

// unpackUUID spells a packed key.
func unpackUUID(id []byte) string {
	var text [uuidText]byte
	hex.Encode(text[0:], id[:4])
	hex.Encode(text[9:], id[4:6])
	hex.Encode(text[14:], id[6:8])
	hex.Encode(text[19:], id[8:10])
	hex.Encode(text[24:], id[10:])
	for _, at := range uuidDashes {
		text[at] = '-'
	}
	return string(text[:])
}
