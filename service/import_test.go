package service_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

func (h *host) history() v1.HistoryServiceClient { return v1.NewHistoryServiceClient(h.conn) }

// export is the whole file of a game.
func (h *host) export(name string, tokens ...string) []byte {
	h.t.Helper()
	stream, err := h.games.ExportGame(as(tokens...), &v1.ExportGameRequest{Name: name})
	must(h.t, err)
	var file []byte
	for {
		part, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return file
		}
		must(h.t, err)
		file = append(file, part.Data...)
	}
}

// load imports a file in parts of a size.
func (h *host) load(file []byte, request string, size int) (*v1.ImportGameResponse, error) {
	for at := 0; ; at += size {
		end := min(at+size, len(file))
		out, err := h.history().ImportGame(as(), &v1.ImportGameRequest{
			RequestId: request, Offset: uint64(at), Data: file[at:end], Last: end == len(file),
		})
		if err != nil || end == len(file) {
			return out, err
		}
	}
}

// finished is a game that was played and closed, with something undone in it.
func (h *host) finished(set ...func(*v1.CreateGameRequest)) *table {
	h.t.Helper()
	g := h.create(set...)
	for i, seat := range []string{"red", "blue"} { // one player
		out, err := g.games.TakeSeat(as(),
			&v1.TakeSeatRequest{Name: g.name, Seat: seat, Holder: "Solo", RequestId: id()})
		must(h.t, err)
		*[]*string{&g.red, &g.blue}[i] = out.SeatToken
	}
	g.play(9, 4)
	token := g.tokenOf(g.game().WaitingFor)
	_ = second(g.games.Undo(as(g.red, g.blue), &v1.UndoRequest{Name: g.name, Seat: "red", RequestId: id()}))
	if token == "" {
		h.t.Fatal("the game ended too soon")
	}
	must(h.t, second(g.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
	return g
}

func TestImportIsBitIdentical(t *testing.T) {
	t.Parallel()
	here, there := open(t), open(t)
	g := here.finished()
	file := here.export(g.name)
	request := id()
	out, err := there.load(file, request, 700)
	must(t, err)
	if out.OwnerToken == "" || out.OwnerToken == g.owner || out.Received != uint64(len(file)) || !out.Game.Imported ||
		out.Game.ReadOnly || !out.Game.Over {
		t.Errorf("gave %v", out)
	}
	if got := there.export(g.name); !bytes.Equal(got, file) {
		t.Error("the export of the import is another file")
	}
	copied := &table{host: there, name: g.name}
	for v := uint64(1); v <= out.Game.Version; v++ {
		equal(t, "board", copied.board(v), g.board(v))
	}
	if sum := copied.audit(); sum.Errors != 0 || len(sum.Unchecked) != 0 {
		t.Errorf("audit: %v", sum)
	}
	listed, err := there.games.ListGames(as(), &v1.ListGamesRequest{})
	must(t, err)
	if len(listed.Games) != 1 || listed.Games[0].Ending == nil {
		t.Errorf("listed: %v", listed)
	}

	again, err := there.load(file, request, 1<<20)
	must(t, err)
	equal(t, "the answer to a retry", again, out)
	wantError(t, second(there.load(file, id(), 1<<20)), codes.AlreadyExists, fault.GameExists)
	wantError(t, second(here.load(file, id(), 1<<20)), codes.AlreadyExists, fault.GameExists)
	wantError(t, second(there.games.CloseGame(as(out.OwnerToken), &v1.CloseGameRequest{Name: g.name, RequestId: id()})),
		codes.FailedPrecondition, fault.GameOver)
}

func TestImportInParts(t *testing.T) {
	t.Parallel()
	h := open(t, func(s *setting) { s.limits = service.Limits{Imports: 1, ImportBytes: 2000} })
	part := func(request string, offset uint64, data string, last bool) error {
		return second(h.history().ImportGame(as(),
			&v1.ImportGameRequest{RequestId: request, Offset: offset, Data: []byte(data), Last: last}))
	}
	first := id()
	must(t, part(first, 0, "warled", false))
	must(t, part(first, 0, "warledger", false))
	if meta := wantError(t, part(first, 20, "x", false), codes.OutOfRange, fault.ImportGap); meta["received"] != "9" {
		t.Errorf("metadata %v", meta)
	}
	wantError(t, part(first, 2, "x", false), codes.AlreadyExists, fault.RequestIDReused)
	wantError(t, part(first, 0, "war", true), codes.AlreadyExists, fault.RequestIDReused)
	wantError(t, part(id(), 0, "x", false), codes.ResourceExhausted, fault.TooManyImports)
	wantError(t, part(first, 9, string(make([]byte, 1992)), false), codes.ResourceExhausted, fault.ImportTooLarge)
	wantError(t, part(first, 9, string(make([]byte, 1<<20+1)), false), codes.InvalidArgument, fault.ValidationFailed)
	wantError(t, part("7", 0, "", false), codes.InvalidArgument, fault.ValidationFailed)
	wantError(t, part(first, 9, " game", true), codes.InvalidArgument, fault.ImportInvalid)
	// What failed is forgotten, and makes room.
	wantError(t, part(id(), 5, "x", false), codes.OutOfRange, fault.ImportGap)
	must(t, part(id(), 0, "x", false))
}

// TestImportsAreShared has one caller take all places that it may have: others have theirs.
func TestImportsAreShared(t *testing.T) {
	t.Parallel()
	h := open(t, func(s *setting) {
		s.admission, s.limits = &gate{inside: make(chan string, 1)}, service.Limits{Imports: 3, CallerImports: 2}
	})
	begin := func(caller string) error {
		ctx := metadata.AppendToOutgoingContext(t.Context(), "caller", caller)
		return second(h.history().ImportGame(ctx, &v1.ImportGameRequest{RequestId: id(), Data: []byte("warledger")}))
	}
	must(t, begin("greedy"))
	must(t, begin("greedy"))
	err := begin("greedy")
	if meta := wantError(t, err, codes.ResourceExhausted, fault.TooManyImports); meta["limit"] != "2" {
		t.Errorf("metadata %v", meta)
	}
	st := status.Convert(err)
	if wait := detail[*errdetails.RetryInfo](st).GetRetryDelay().AsDuration(); wait <= 0 || wait > 10*time.Second {
		t.Errorf("come again in %s", wait)
	}
	if q := detail[*errdetails.QuotaFailure](st).GetViolations(); len(q) != 1 ||
		q[0].Subject != "imports of one caller" {
		t.Errorf("quota %v", q)
	}
	must(t, begin("patient"))
	wantError(t, begin("late"), codes.ResourceExhausted, fault.TooManyImports)
}

// TestImportGoesOnAfterARestart has the server forget half a file: the client is told where to go on.
func TestImportGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	file := func() []byte { h := open(t); return h.export(h.finished().name) }()
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	request := id()
	part := func(h *host, from, to int) (*v1.ImportGameResponse, error) {
		return h.history().ImportGame(as(),
			&v1.ImportGameRequest{RequestId: request, Offset: uint64(from), Data: file[from:to], Last: to == len(file)})
	}
	half := len(file) / 2
	h := open(t, func(s *setting) { s.store = store })
	must(t, second(part(h, 0, half)))
	h.stop()
	h = open(t, func(s *setting) { s.store = store })
	if meta := wantError(t, second(part(h, half, len(file))), codes.OutOfRange,
		fault.ImportGap); meta["received"] != "0" {
		t.Errorf("metadata %v", meta)
	}
	must(t, second(part(h, 0, half)))
	first, err := part(h, half, len(file))
	must(t, err)
	h.stop()
	// The game is kept and the file is not: a retry begins at the start and gets the first answer.
	h = open(t, func(s *setting) { s.store = store })
	wantError(t, second(part(h, half, len(file))), codes.OutOfRange, fault.ImportGap)
	must(t, second(part(h, 0, half)))
	again, err := part(h, half, len(file))
	must(t, err)
	equal(t, "the answer after a restart", again, first)
}

// remade is a file whose header and records were changed, with a checksum that fits.
func remade(t testing.TB, file []byte, change func(*logv1.ExportHeader, [][]byte) [][]byte) []byte {
	t.Helper()
	e, err := ledger.ReadExport(bytes.NewReader(file))
	must(t, err)
	var records [][]byte
	for data, err := range e.Records() {
		must(t, err)
		records = append(records, bytes.Clone(data))
	}
	header := proto.CloneOf(e.Header())
	records = change(header, records)
	header.Records = uint64(len(records))
	var out bytes.Buffer
	must(t, ledger.WriteExport(&out, header, func(yield func([]byte, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}))
	return out.Bytes()
}

func lastHash(t testing.TB, h *logv1.ExportHeader, records [][]byte) {
	r, err := ledger.Parse(records[len(records)-1])
	must(t, err)
	hash := r.Hash()
	h.LastHash = hash[:]
}

func TestImportRefusesForgeries(t *testing.T) {
	t.Parallel()
	h, there := open(t), open(t)
	file := h.export(h.finished().name)
	damaged := bytes.Clone(file)
	damaged[len(damaged)/2] ^= 1
	for name, forged := range map[string][]byte{
		"nothing":   {},
		"truncated": file[:len(file)-40],
		"longer":    append(bytes.Clone(file), 0),
		"damaged":   damaged,
		"swapped": remade(t, file, func(_ *logv1.ExportHeader, r [][]byte) [][]byte {
			r[3], r[4] = r[4], r[3]
			return r
		}),
		"one left out": remade(t, file,
			func(_ *logv1.ExportHeader, r [][]byte) [][]byte { return append(r[:4:4], r[5:]...) }),
		"another id": remade(t, file,
			func(h *logv1.ExportHeader, r [][]byte) [][]byte { h.Game = otherID(h.Game); return r }),
		"no such id": remade(t, file, func(h *logv1.ExportHeader, r [][]byte) [][]byte { h.Game = "../x"; return r }),
		"another scenario": remade(t, file, func(h *logv1.ExportHeader, r [][]byte) [][]byte {
			h.ScenarioDocument = bytes.Replace(h.ScenarioDocument, []byte("\n"), []byte(" \n"), 1)
			return r
		}),
		"a record forged": remade(t, file, func(h *logv1.ExportHeader, r [][]byte) [][]byte {
			r[5][len(r[5])-1] ^= 4
			return r
		}),
	} {
		t.Run(name, func(t *testing.T) {
			err := second(there.load(forged, id(), 1<<20))
			wantError(t, err, codes.InvalidArgument, fault.ImportInvalid)
			if len(violations(err)) == 0 {
				t.Errorf("%v does not say what is wrong", err)
			}
		})
	}
	listed, err := there.games.ListGames(as(), &v1.ListGamesRequest{})
	must(t, err)
	if len(listed.Games) != 0 {
		t.Errorf("kept %v", listed.Games)
	}
	// The head of a file, cut off before the end with a header that fits, is a sound file of a game that is not over.
	cut := func(redacted bool) []byte {
		return remade(t, file, func(h *logv1.ExportHeader, r [][]byte) [][]byte {
			lastHash(t, h, r[:1])
			h.Redacted = redacted
			return r[:1]
		})
	}
	// No hash covers the header: what would come back otherwise is refused, or the promise of the same
	// bytes would not hold.
	wantError(t, second(there.load(cut(false), id(), 1<<20)), codes.InvalidArgument, fault.ImportInvalid)
	out, err := there.load(cut(true), id(), 1<<20)
	must(t, err)
	if !out.Game.ReadOnly {
		t.Error("a game without its end can be played on")
	}
	// The name of the program that wrote the file is given out with it again.
	elsewhere := remade(t, file,
		func(h *logv1.ExportHeader, r [][]byte) [][]byte { h.Program = "another program"; return r })
	third := open(t)
	out, err = third.load(elsewhere, id(), 1<<20)
	must(t, err)
	if !bytes.Equal(third.export(out.Game.Name), elsewhere) {
		t.Error("the export of the import is another file")
	}
}

// resealed is a file whose records were changed by whoever has the salts: every hash is computed again, so that nothing
// but the contents gives it away.
func resealed(
	t testing.TB, file []byte, change func(*logv1.ExportHeader, *logv1.RecordHeader, []ledger.Leaf) []ledger.Leaf,
) []byte {
	t.Helper()
	return remade(t, file, func(header *logv1.ExportHeader, records [][]byte) [][]byte {
		var secret ledger.SaltSecret
		last, err := ledger.Open(records[len(records)-1])
		must(t, err)
		events, err := last.TableEvents()
		must(t, err)
		for _, e := range events {
			copy(secret[:], e.GetSecretsReleased().GetSaltSecret())
		}
		var prev ledger.Hash
		var out [][]byte
		for _, data := range records {
			r, err := ledger.Open(data)
			must(t, err)
			h := proto.CloneOf(r.Header())
			leaves := change(header, h, append([]ledger.Leaf(nil), r.Leaves()...))
			sealed, err := ledger.Seal(prev, h, leaves, ledger.NewSalter(secret, h.Game))
			must(t, err)
			prev, out = sealed.Hash, append(out, sealed.Data)
		}
		header.LastHash = prev[:]
		return out
	})
}

// recreated changes the first event of the first record.
func recreated(t testing.TB, file []byte, change func(*logv1.GameCreated)) []byte {
	return resealed(t, file, func(_ *logv1.ExportHeader, h *logv1.RecordHeader, leaves []ledger.Leaf) []ledger.Leaf {
		if h.Version == 1 {
			created := new(logv1.GameCreated)
			must(t, leaves[0].Decode(created))
			change(created)
			var err error
			leaves[0], err = ledger.NewLeaf(leaves[0].Kind, leaves[0].Audience, leaves[0].Schema, created)
			must(t, err)
		}
		return leaves
	})
}

// newerFormat is a file of the next format, with a checksum that fits.
func newerFormat(t testing.TB, file []byte) []byte {
	t.Helper()
	out := bytes.Clone(file[:len(file)-sha256.Size])
	at := bytes.Index(out[len(ledger.ExportMagic):], []byte{0x08, ledger.ExportFormat}) // the header's first field
	if at < 0 || at > 4 {
		t.Fatal("the header does not begin with its format")
	}
	out[len(ledger.ExportMagic)+at+1]++
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// TestImportOfWhatIsNotHere refuses what this server could not show: games of other rulesets, of newer ones
// and in newer formats.
func TestImportOfWhatIsNotHere(t *testing.T) {
	t.Parallel()
	h, there := open(t), open(t)
	file := h.export(h.finished().name)
	must(t, second(open(t).load(resealed(t, file,
		func(_ *logv1.ExportHeader, _ *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf { return l }), id(), 1<<20)))
	err := second(there.load(recreated(t, file, func(c *logv1.GameCreated) { c.Ruleset = "chess" }), id(), 1<<20))
	if meta := wantError(t, err, codes.FailedPrecondition, fault.GameUnplayable); meta["ruleset"] != "chess" {
		t.Errorf("metadata %v", meta)
	}
	err = second(there.load(recreated(t, file, func(c *logv1.GameCreated) { c.RulesVersion++ }), id(), 1<<20))
	if meta := wantError(t, err, codes.FailedPrecondition, fault.GameUnplayable); meta["ruleset"] != "toy" {
		t.Errorf("metadata %v", meta)
	}
	for name, newer := range map[string][]byte{
		"format of the file": newerFormat(t, file),
		"first line": bytes.Replace(file, []byte(ledger.ExportMagic),
			bytes.Replace([]byte(ledger.ExportMagic), []byte("1"), []byte("2"), 1), 1),
		"schema of an event": resealed(t,
			file, func(_ *logv1.ExportHeader, h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf {
				if h.Kind == logv1.RecordKind_RECORD_KIND_COMMAND {
					l[len(l)-1].Schema++
				}
				return l
			}),
		"kind of event": resealed(t,
			file, func(_ *logv1.ExportHeader, h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf {
				if h.Kind == logv1.RecordKind_RECORD_KIND_COMMAND {
					l[len(l)-1].Type = "warledger.toy.v2.Event"
				}
				return l
			}),
	} {
		t.Run(name, func(t *testing.T) {
			err := second(there.load(newer, id(), 1<<20))
			wantError(t, err, codes.InvalidArgument, fault.ImportInvalid)
			if len(violations(err)) == 0 {
				t.Errorf("%v does not say what is wrong", err)
			}
		})
	}
	if listed, err := there.games.ListGames(as(), &v1.ListGamesRequest{}); err != nil || len(listed.Games) != 0 {
		t.Errorf("kept %v, %v", listed, err)
	}
}

// TestImportOfEveryCutAndFlip loses the end of a file at any byte, and turns any bit over: nothing of it is kept.
func TestImportOfEveryCutAndFlip(t *testing.T) {
	t.Parallel()
	h := open(t)
	g := h.create()
	must(t, second(h.games.CloseGame(as(g.owner), &v1.CloseGameRequest{Name: g.name, RequestId: id()})))
	file, there := h.export(g.name), open(t)
	stride := max(1, len(file)/400)
	for at := 0; at < len(file); at += stride {
		flipped := bytes.Clone(file)
		flipped[at] ^= 1 << (at % 8)
		for what, data := range map[string][]byte{"cut off": file[:at], "flipped": flipped} {
			if err := second(there.load(data, id(), 1<<20)); status.Code(err) != codes.InvalidArgument {
				t.Fatalf("%s at byte %d of %d: %v", what, at, len(file), err)
			}
		}
	}
	must(t, second(there.load(file, id(), 1<<20)))
}

// TestImportOfAForgedFork claims to come from elsewhere, or changes what was copied.
func TestImportOfAForgedFork(t *testing.T) {
	t.Parallel()
	h, there := open(t), open(t)
	g := h.finished()
	f, out, err := g.fork(func(*v1.ForkGameRequest) {})
	must(t, err)
	must(t, second(h.games.CloseGame(as(f.owner), &v1.CloseGameRequest{Name: f.name, RequestId: id()})))
	file, copied := h.export(f.name), out.Game.ForkedFrom.Records
	changed := func(change func(*logv1.ForkedFrom)) []byte {
		return recreated(t, file, func(c *logv1.GameCreated) { change(c.ForkedFrom) })
	}
	for name, forged := range map[string][]byte{
		"of itself": changed(func(from *logv1.ForkedFrom) {
			from.Game = strings.TrimPrefix(f.name, "games/")
		}),
		"of nothing":               changed(func(from *logv1.ForkedFrom) { from.Records = 0 }),
		"without a hash":           changed(func(from *logv1.ForkedFrom) { from.Hash = nil }),
		"more copies than records": changed(func(from *logv1.ForkedFrom) { from.Records, from.Version = 1000, 1000 }),
		"a version too early":      changed(func(from *logv1.ForkedFrom) { from.Version = from.Records - 1 }),
		"a copy left out": resealed(t,
			file, func(_ *logv1.ExportHeader, h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf {
				if h.Version == copied {
					h.Kind = logv1.RecordKind_RECORD_KIND_TABLE
				}
				return l
			}),
		"an event of a copy changed": resealed(t,
			file, func(_ *logv1.ExportHeader, h *logv1.RecordHeader, l []ledger.Leaf) []ledger.Leaf {
				if h.Version == copied {
					l = l[:len(l)-1]
				}
				return l
			}),
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, second(there.load(forged, id(), 1<<20)), codes.InvalidArgument, fault.ImportInvalid)
		})
	}
	must(t, second(there.load(file, id(), 1<<20)))
}

// TestImportHoldsAForkAgainstItsOrigin has a fork name a game that it does not come from: only where that game
// is can it be found out.
func TestImportHoldsAForkAgainstItsOrigin(t *testing.T) {
	t.Parallel()
	h, there := open(t), open(t)
	origin, other := h.finished(), h.finished()
	fork := func(g *table) []byte {
		f, _, err := g.fork(func(*v1.ForkGameRequest) {})
		must(t, err)
		must(t, second(h.games.CloseGame(as(f.owner), &v1.CloseGameRequest{Name: f.name, RequestId: id()})))
		return h.export(f.name)
	}
	honest, forged := fork(origin), recreated(t, fork(other),
		func(c *logv1.GameCreated) { c.ForkedFrom.Game = strings.TrimPrefix(origin.name, "games/") })
	must(t, second(there.load(h.export(origin.name), id(), 1<<20)))
	must(t, second(there.load(honest, id(), 1<<20)))
	wantError(t, second(there.load(forged, id(), 1<<20)), codes.InvalidArgument, fault.ImportInvalid)
	must(t, second(open(t).load(forged, id(), 1<<20)))
}

func TestImportOfARunningGame(t *testing.T) {
	t.Parallel()
	here, there := open(t), open(t)
	g := here.seated()
	g.do(g.red, "plan 0303")
	g.do(g.blue, "plan 0303")
	wantError(t, second(there.load(here.export(g.name, g.red), id(), 1<<20)), codes.InvalidArgument,
		fault.ImportRedacted)

	whole := here.export(g.name, g.red, g.blue)
	out, err := there.load(whole, id(), 1<<20)
	must(t, err)
	if !out.Game.ReadOnly || out.Game.Over {
		t.Errorf("imported as %v", out.Game)
	}
	if got := there.export(g.name, out.OwnerToken); !bytes.Equal(got, whole) {
		t.Error("the export for the new owner is another file")
	}
	copied := &table{host: there, name: g.name, owner: out.OwnerToken}
	equal(t, "what strangers see", copied.board(0), g.board(0))
	for _, r := range copied.records(true) {
		for _, hidden := range g.records(true) {
			if r.Version == hidden.Version && r.Hidden != hidden.Hidden {
				t.Errorf("record %d hides %d parts, %d at home", r.Version, r.Hidden, hidden.Hidden)
			}
		}
	}
	// Tokens of the origin open nothing, and nobody can go on.
	wantError(t, second(there.games.GetBoard(as(g.red), &v1.GetBoardRequest{Name: g.name})), codes.Unauthenticated,
		fault.TokenUnknown)
	wantError(t, second(there.games.TakeSeat(as(), &v1.TakeSeatRequest{Name: g.name, Seat: "red", RequestId: id()})),
		codes.FailedPrecondition, fault.GameReadOnly)
	wantError(t, second(there.games.CloseGame(as(out.OwnerToken), &v1.CloseGameRequest{Name: g.name, RequestId: id()})),
		codes.FailedPrecondition, fault.GameReadOnly)
}

// otherID is another id of the same shape.
func otherID(id string) string {
	if strings.HasPrefix(id, "a") {
		return "b" + id[1:]
	}
	return "a" + id[1:]
}
