package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// retold is a file with other events of its table. Every hash is computed again.
func retold(t testing.TB, file []byte, change func(*logv1.TableEvent)) []byte {
	return resealed(t, file, func(_ *logv1.ExportHeader, h *logv1.RecordHeader, leaves []ledger.Leaf) []ledger.Leaf {
		if h.Kind != logv1.RecordKind_RECORD_KIND_TABLE {
			return leaves
		}
		for i := range leaves {
			e := new(logv1.TableEvent)
			must(t, leaves[i].Decode(e))
			change(e)
			var err error
			leaves[i], err = ledger.NewLeaf(leaves[i].Kind, leaves[i].Audience, leaves[i].Schema, e)
			must(t, err)
		}
		return leaves
	})
}

// escapes is a text that takes over a terminal.
const escapes = "\x1b[31m\x1b]0;owned\a"

// TestImportHoldsTextsToTheShapeOfCalls imports sound files with texts that no call may send.
func TestImportHoldsTextsToTheShapeOfCalls(t *testing.T) {
	t.Parallel()
	h := open(t)
	file := h.export(h.finished().name)
	holder := func(text string) []byte {
		return retold(t, file, func(e *logv1.TableEvent) {
			if e.GetSeatTaken() != nil {
				e.GetSeatTaken().Holder = text
			}
		})
	}
	reason := func(text string) []byte {
		return retold(t, file, func(e *logv1.TableEvent) {
			if e.GetGameClosed() != nil {
				e.GetGameClosed().Reason = text
			}
		})
	}
	title := func(text string) []byte {
		return recreated(t, file, func(c *logv1.GameCreated) { c.Title = text })
	}
	command := func(text string) []byte {
		return resealed(t,
			file, func(_ *logv1.ExportHeader, r *logv1.RecordHeader, leaves []ledger.Leaf) []ledger.Leaf {
				if r.Version == 4 {
					r.CommandId = text
				}
				return leaves
			})
	}
	program := func(text string) []byte {
		return remade(t, file, func(h *logv1.ExportHeader, r [][]byte) [][]byte { h.Program = text; return r })
	}
	for _, test := range []struct {
		name, field string
		file        []byte
	}{
		{"a long title", "data.records[1].title", title(strings.Repeat("A", 201))},
		{"a title of a megabyte", "data.records[1].title", title(strings.Repeat("A", 1<<20))},
		{"a title with control characters", "data.records[1].title", title(escapes)},
		{"a long holder", "data.records[2].seat_taken.holder", holder(strings.Repeat("ä", 81))},
		{"a holder with control characters", "data.records[2].seat_taken.holder", holder(escapes)},
		{"a long reason", "game_closed.reason", reason(strings.Repeat("A", 501))},
		{"a reason with control characters", "game_closed.reason", reason("two\nlines")},
		{"a long id", "data.records[4].command_id", command(strings.Repeat("A", 101))},
		{"an id with control characters", "data.records[4].command_id", command(escapes)},
		{"a long program", "data.program", program(strings.Repeat("A", 501))},
		{"a program with control characters", "data.program", program(escapes)},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := second(open(t).load(test.file, id(), 1<<20))
			wantError(t, err, codes.InvalidArgument, fault.ImportInvalid)
			if found := fmt.Sprint(violations(err)); !strings.Contains(found, test.field) {
				t.Errorf("%s does not name %s", found, test.field)
			}
		})
	}
	for name, fitting := range map[string][]byte{
		"title": title(strings.Repeat("将", 200)), "holder": holder(strings.Repeat("ä", 80)),
		"reason": reason(strings.Repeat("A", 500)),
	} {
		if err := second(open(t).load(fitting, id(), 1<<20)); err != nil {
			t.Errorf("a fitting %s: %v", name, err)
		}
	}
}

// TestImportOfManyFaults: a record of a file may hold a million texts that no call may send. The file is refused with
// the first of them, and a record with too many elements is not decoded.
func TestImportOfManyFaults(t *testing.T) {
	t.Parallel()
	h := open(t)
	sound := h.export(h.finished().name)
	for n, want := range map[int]string{1_000: "control character", 100_000: "fields and list elements"} {
		file := retold(t, sound, func(e *logv1.TableEvent) {
			if e.GetSeatTaken() != nil {
				e.Event = &logv1.TableEvent_UndoAsked{UndoAsked: &logv1.UndoAsked{
					Needed: slices.Repeat([]string{"\x01"}, n)}}
			}
		})
		err := second(open(t).load(file, id(), 1<<20))
		wantError(t, err, codes.InvalidArgument, fault.ImportInvalid)
		bad := detail[*errdetails.BadRequest](status.Convert(err))
		if got := len(bad.GetFieldViolations()); got > 60 {
			t.Errorf("%d texts: %d faults are listed", n, got)
		}
		if text := status.Convert(err).Message(); !strings.Contains(text, want) {
			t.Errorf("%d texts: %s", n, text)
		}
	}
	file := recreated(t, sound, func(c *logv1.GameCreated) {
		c.Deadlines = &logv1.Deadlines{DaysOff: make([]logv1.Weekday, 100_000)}
	})
	if err := second(open(t).load(file, id(), 1<<20)); !strings.Contains(fmt.Sprint(err), "list elements") {
		t.Errorf("many days off: %v", err)
	}
}

// older is a store with the game of a file, as a server kept it that did not look at texts.
func older(t testing.TB, sound, file []byte, summary func(*logv1.GameSummary)) eventstore.Store {
	t.Helper()
	h := open(t)
	out, err := h.load(sound, id(), 1<<20)
	must(t, err)
	info, err := h.store.Head(t.Context(), out.Game.Name)
	must(t, err)
	meta, err := ledger.DecodeMeta(info.Meta)
	must(t, err)
	summary(meta.Summary)
	kept, err := proto.Marshal(meta)
	must(t, err)
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	scenarios, err := h.store.List(t.Context(), "", "", 1000)
	must(t, err)
	for _, s := range scenarios {
		if s.Name == out.Game.Name {
			continue
		}
		entries, err := h.store.Read(t.Context(), s.Name, 1, 100, 1<<24)
		must(t, err)
		must(t, store.Append(t.Context(), eventstore.Append{Stream: s.Name, Entries: entries, Meta: s.Meta}))
	}
	var entries []eventstore.Entry
	_ = remade(t, file, func(_ *logv1.ExportHeader, records [][]byte) [][]byte {
		for _, data := range records {
			r, err := ledger.Open(data)
			must(t, err)
			entries = append(entries,
				eventstore.Entry{Version: r.Version(), Key: r.Header().CommandId, Prev: r.Prev(), Hash: r.Hash(),
					Data: data})
		}
		return records
	})
	must(t, store.Append(t.Context(), eventstore.Append{Stream: out.Game.Name, Entries: entries, Meta: kept}))
	return store
}

// TestOlderTextsAreShownShort has a server go on with a file whose texts came in before texts were looked at.
func TestOlderTextsAreShownShort(t *testing.T) {
	t.Parallel()
	long := escapes + strings.Repeat("長", 80_000)
	h := open(t)
	sound := h.export(h.finished().name)
	file := retold(t, recreated(t, sound, func(c *logv1.GameCreated) { c.Title = long }), func(e *logv1.TableEvent) {
		if e.GetSeatTaken() != nil {
			e.GetSeatTaken().Holder = long
		}
	})
	store := older(t, sound, file, func(g *logv1.GameSummary) {
		g.Title, g.Holders, g.Result = long, map[string]string{"red": long, "blue": long}, long
	})
	there := open(t, func(s *setting) { s.store = store })
	listed, err := there.games.ListGames(as(), &v1.ListGamesRequest{})
	must(t, err)
	if len(listed.Games) != 1 {
		t.Fatalf("listed %d games", len(listed.Games))
	}
	g := listed.Games[0]
	whole, err := there.games.GetGame(as(), &v1.GetGameRequest{Name: g.Name})
	must(t, err)
	fork, err := there.history().ForkGame(as(), &v1.ForkGameRequest{Name: g.Name, RequestId: id(), Private: true})
	must(t, err)
	shown := map[string]string{"listed title": g.Title, "listed ending": g.Ending.Text, "title": whole.Game.Title,
		"title of a fork": fork.Game.Title}
	for _, seat := range append(g.Seats, whole.Game.Seats...) {
		shown["holder of "+seat.Id] += seat.Holder
	}
	for what, text := range shown {
		if text == "" || strings.ContainsFunc(text, unicode.IsControl) || utf8.RuneCountInString(text) > 500 {
			t.Errorf("%s: %d characters, %.40q", what, utf8.RuneCountInString(text), text)
		}
	}
}

// TestListOfGamesIsBoundedByBytes lists many games with long texts.
func TestListOfGamesIsBoundedByBytes(t *testing.T) {
	t.Parallel()
	const games = 700
	store := memory.New()
	t.Cleanup(func() { must(t, store.Close()) })
	for i := range games {
		game := fmt.Sprintf("%s%s",
			strings.Repeat("a", 23), string([]byte{'a' + byte(i/676), 'a' + byte(i/26%26), 'a' + byte(i%26)}))
		meta, err := proto.Marshal(&logv1.GameMeta{Summary: &logv1.GameSummary{
			Game: game, Title: strings.Repeat("長", 200), Ruleset: "toy", Over: true, Result: strings.Repeat("長", 500),
		}})
		must(t, err)
		entry := eventstore.Entry{Version: 1, Data: []byte("x")}
		must(t, store.Append(t.Context(),
			eventstore.Append{Stream: "games/" + game, Entries: []eventstore.Entry{entry}, Meta: meta}))
	}
	h := open(t, func(s *setting) { s.store = store })
	var names []string
	for token, pages := "", 0; ; pages++ {
		page, err := h.games.ListGames(as(), &v1.ListGamesRequest{PageSize: 1000, PageToken: token})
		must(t, err)
		if size := proto.Size(page); size > 1<<20+8<<10 {
			t.Errorf("page %d has %d bytes", pages, size)
		}
		for _, g := range page.Games {
			names = append(names, g.Name)
		}
		if token = page.NextPageToken; token == "" {
			if pages == 0 {
				t.Error("all games came in one page")
			}
			break
		}
	}
	if len(names) != games {
		t.Errorf("%d games were listed, expected %d", len(names), games)
	}
}
