package dump

import (
	"bytes"
	"encoding/binary"
)

// What tests need of the format.
const (
	BlockEntries = blockEntries
	MaxContent   = maxContent
)

// Forge makes a dump of blocks, each with a right sum: content after its kind.
func Forge(blocks ...string) []byte {
	sum, out := newSum(), bytes.NewBuffer(header())
	for _, b := range blocks {
		kind, content := b[0], []byte(b[1:])
		out.Write(blockHeader(kind, len(content)))
		out.Write(content)
		out.Write(sum.block(kind, content))
	}
	return out.Bytes()
}

// Header is the header of a dump of some format, and BlockHeader that of a block.
func Header(format uint32) []byte { return binary.BigEndian.AppendUint32([]byte(magic), format) }

// BlockHeader is what a block begins with.
func BlockHeader(kind byte, length int) []byte { return blockHeader(kind, length) }
