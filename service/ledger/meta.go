package ledger

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// EncodeMeta encodes what is kept beside a game's log.
func EncodeMeta(m *logv1.GameMeta) ([]byte, error) {
	data, err := marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode the game's metadata: %w", err)
	}
	return data, nil
}

// AppendMeta gives the metadata that encoded, which EncodeMeta made, are with these fields besides: encoded messages
// are merged by joining their bytes. What changes with each record is thus all that is encoded for it.
func AppendMeta(encoded []byte, more *logv1.GameMeta) ([]byte, error) {
	tail, err := marshal(more)
	if err != nil {
		return nil, fmt.Errorf("encode the game's summary: %w", err)
	}
	return slices.Concat(encoded, tail), nil
}

// DecodeMeta reads what is kept beside a game's log. Fields of a newer program are kept.
func DecodeMeta(data []byte) (*logv1.GameMeta, error) {
	m := new(logv1.GameMeta)
	if err := proto.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("decode the game's metadata: %w", err)
	}
	return m, nil
}
