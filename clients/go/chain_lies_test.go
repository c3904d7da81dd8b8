package warledger_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"

	warledger "github.com/warledger/warledger/clients/go"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// liar is a server that shows something else than what it has, once it lies.
type liar struct {
	lies   atomic.Bool
	change func(reply any)
	// sent counts the links that were revealed to it while it lied.
	sent atomic.Int32
}

func (l *liar) option() warledger.Option {
	return warledger.WithGRPC(grpc.WithUnaryInterceptor(func(
		ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker,
		opts ...grpc.CallOption,
	) error {
		if l.lies.Load() && strings.HasSuffix(method, "/AnswerDice") {
			l.sent.Add(1)
		}
		err := invoke(ctx, method, req, reply, cc, opts...)
		if err == nil && l.lies.Load() {
			l.change(reply)
		}
		return err
	}))
}

// TestRenewalsCannotBeHidden: a server shows only the digest of a record that commits a seat to a chain. The hash is
// right, but the record could be anything.
func TestRenewalsCannotBeHidden(t *testing.T) {
	t.Parallel()
	l := &liar{change: func(reply any) {
		page, ok := reply.(*v1.ListRecordsResponse)
		if !ok {
			return
		}
		for _, r := range page.Records {
			for _, leaf := range r.GetProof().GetLeaves() {
				if r.Kind == logv1.RecordKind_RECORD_KIND_TABLE && leaf.Payload != nil {
					sum := digestOf(leaf)
					leaf.Digest, leaf.Payload, leaf.Salt = sum[:], nil, nil
				}
			}
		}
	}}
	red, blue := partners(t, newHost(t).addr, l.option())
	rolling(t, red, blue)
	answered(t, red, blue)
	if _, err := red.RenewChain(t.Context()); err != nil {
		t.Fatal(err)
	}
	rolling(t, red, blue)
	l.lies.Store(true)
	if _, err := blue.AnswerDice(t.Context()); !errors.Is(err, warledger.ErrTwoLogs) || l.sent.Load() != 0 {
		t.Errorf("got %v, and %d links were sent", err, l.sent.Load())
	}
	l.lies.Store(false)
	answered(t, blue)
}

// digestOf is the digest of a leaf, as docs/reference/log-format.md has it.
func digestOf(l *logv1.Leaf) [sha256.Size]byte {
	field := func(b []byte, s string) []byte { return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...) }
	in := field(field(field(nil, "warledger/log/1/leaf"), string(l.GetSalt())), l.GetPayload().GetType())
	in = binary.BigEndian.AppendUint32(in, l.GetPayload().GetSchema())
	return sha256.Sum256(field(in, string(l.GetPayload().GetData())))
}
