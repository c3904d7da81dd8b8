package service_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/ledger"
)

// filesSeed makes files that are the same whenever they are made. The last undo takes back another seat's command: in
// order, since one player holds both.
const filesSeed = 1

// files are game files to begin with: a game that is over, one that is not, one redacted, a fork.
func files(f *testing.F) (all [][]byte) {
	var a lasting
	defer a.end()
	a.TB = f
	// an input means the same whenever it is tried
	h := open(&a, func(s *setting) { s.entropy = repeatable(filesSeed) })
	over := h.finished(sameGame(filesSeed))
	running := h.seated()
	running.do(running.red, "plan 0303")
	left, _, err := over.fork(func(r *v1.ForkGameRequest) { r.Version = 3 })
	must(f, err)
	return [][]byte{h.export(over.name), h.export(running.name, running.red, running.blue), h.export(running.name),
		h.export(left.name)}
}

// Ways to send a file.
const (
	// fixSum has the checksum fit whatever the file is.
	fixSum = 1 << iota
	// sendTwice repeats each part, as a client does that got no answer.
	sendTwice
	// sendOver begins each part a byte early.
	sendOver
	// sendEmpty ends with a part without bytes.
	sendEmpty
)

// FuzzImport sends any bytes as a file, in parts of any size: what is refused leaves nothing, and what is taken comes
// back bit for bit, is sound, and is there for a retry.
func FuzzImport(f *testing.F) {
	for _, file := range files(f) {
		f.Add(file, uint16(1000), uint8(0))
		f.Add(file, uint16(65000), uint8(sendTwice|sendOver|sendEmpty))
		f.Add(file[:len(file)/2], uint16(300), uint8(fixSum))
	}
	f.Add([]byte(ledger.ExportMagic), uint16(1), uint8(0))
	a := new(arena)
	f.Cleanup(a.leave)
	f.Fuzz(func(t *testing.T, file []byte, size uint16, ways uint8) {
		if ways&fixSum != 0 && len(file) >= sha256.Size {
			body := file[:len(file)-sha256.Size]
			sum := sha256.Sum256(body)
			file = append(bytes.Clone(body), sum[:]...)
		}
		a.imported(t, file, max(int(size), 1+len(file)/50), ways)
	})
}

// FuzzImportForged changes a byte of a leaf, or a field of the first record or the header, behind hashes that fit, as
// who has the secrets could.
func FuzzImportForged(f *testing.F) {
	all := files(f)
	f.Add(uint8(0), uint8(0), uint16(5), uint8(1), uint16(3), uint8(1))
	f.Add(uint8(3), uint8(1), uint16(0), uint8(0), uint16(9), uint8(200))
	f.Add(uint8(3), uint8(2), uint16(2), uint8(0), uint16(2), uint8(0))
	f.Add(uint8(1), uint8(3), uint16(0), uint8(0), uint16(1), uint8(7))
	// The name of red's holder is another: the undo was in order only if both are one player, which is worth
	// a notice and no more.
	f.Add(uint8(0), uint8(0), uint16(2), uint8(0), uint16(9), uint8(1))
	a := new(arena)
	f.Cleanup(a.leave)
	f.Fuzz(func(t *testing.T, which, kind uint8, record uint16, leaf uint8, at uint16, xor uint8) {
		file := all[int(which)%len(all)]
		if int(which)%len(all) == 2 { // redacted: it cannot be sealed anew
			kind = 3
		}
		switch kind % 4 {
		case 0:
			file = forgedLeaf(t, file, record, leaf, at, xor)
		case 1:
			file = recreated(t, file, func(c *logv1.GameCreated) {
				c.RulesVersion, c.Dice = uint32(at), logv1.DiceKind(xor%4)
				c.ForkedFrom = &logv1.ForkedFrom{Game: "aaaaaaaaaaaaaaaaaaaaaaaaaa", Version: uint64(at),
					Records: uint64(record), Hash: make([]byte, leaf), Private: xor > 99}
			})
		case 2:
			file = resealed(t, file, func(_ *logv1.ExportHeader, h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf {
				if h.Version == uint64(record) {
					h.Kind, h.Head, h.Parent = logv1.RecordKind(1+xor%5), uint64(leaf), uint64(at)
				}
				return l
			})
		case 3:
			file = remade(t, file, func(h *logv1.ExportHeader, r [][]byte) [][]byte {
				h.Redacted = xor&1 != 0
				if xor&4 != 0 {
					h.ScenarioDocument = h.ScenarioDocument[:int(at)%(len(h.ScenarioDocument)+1)]
				}
				r = r[:len(r)-int(record)%len(r)]
				lastHash(t, h, r)
				return r
			})
		}
		a.imported(t, file, 1<<20, 0)
	})
}

func forgedLeaf(t testing.TB, file []byte, record uint16, leaf uint8, at uint16, xor uint8) []byte {
	return resealed(t, file, func(_ *logv1.ExportHeader, h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf {
		if h.Version == uint64(record) && len(l) > 0 {
			one := &l[int(leaf)%len(l)]
			one.Data = bytes.Clone(one.Data)
			if len(one.Data) > 0 {
				one.Data[int(at)%len(one.Data)] ^= xor
			}
		}
		return l
	})
}

// imported sends a file and checks the outcome.
func (a *arena) imported(t *testing.T, file []byte, size int, ways uint8) {
	t.Helper()
	h, request := a.enter(t).host, id()
	before, err := h.games.ListGames(as(), &v1.ListGamesRequest{})
	must(t, err)
	out, err := h.sendFile(file, request, size, ways)
	if err != nil {
		switch code := status.Code(err); code {
		case codes.InvalidArgument, codes.FailedPrecondition, codes.AlreadyExists, codes.OutOfRange:
		default:
			t.Fatalf("answers %s: %v", code, err)
		}
		after, err := h.games.ListGames(as(), &v1.ListGamesRequest{})
		must(t, err)
		equal(t, "the games after a refusal", after, before)
		return
	}
	defer a.leave()
	if back := h.export(out.Game.Name, out.OwnerToken); !bytes.Equal(back, file) {
		t.Error("the file comes back as another")
	}
	// Notices are no reason to refuse a file: of older rules, or of an undo that was in order if one
	// player held both seats.
	g := &table{host: h, name: out.Game.Name, owner: out.OwnerToken}
	sum, found := g.examined(out.OwnerToken)
	for _, f := range found {
		if f.Severity != v1.Severity_SEVERITY_NOTICE {
			t.Errorf("what was taken is faulty: %v", f)
		}
	}
	if sum.Errors > 0 {
		t.Errorf("what was taken is faulty: %v", sum)
	}
	again, err := h.load(file, request, 1<<20)
	must(t, err)
	equal(t, "the answer to a retry", again, out)
}

// sendFile sends a file in parts in one of many ways.
func (h *host) sendFile(file []byte, request string, size int, ways uint8) (out *v1.ImportGameResponse, err error) {
	for at := 0; ; at += size {
		end := min(at+size, len(file))
		from := at
		if ways&sendOver != 0 && at > 0 {
			from--
		}
		req := &v1.ImportGameRequest{RequestId: request, Offset: uint64(from), Data: file[from:end],
			Last: end == len(file) && ways&sendEmpty == 0}
		if ways&sendTwice != 0 && !req.Last {
			if _, err := h.history().ImportGame(as(), req); err != nil {
				return nil, err
			}
		}
		if out, err = h.history().ImportGame(as(), req); err != nil || req.Last {
			return out, err
		}
		if end == len(file) {
			return h.history().ImportGame(as(),
				&v1.ImportGameRequest{RequestId: request, Offset: uint64(end), Last: true})
		}
	}
}
