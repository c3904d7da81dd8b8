package ledger

import (
	"fmt"

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

// DecodeMeta reads what is kept beside a game's log. Fields of a newer program are kept.
func DecodeMeta(data []byte) (*logv1.GameMeta, error) {
	m := new(logv1.GameMeta)
	if err := proto.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("decode the game's metadata: %w", err)
	}
	return m, nil
}
