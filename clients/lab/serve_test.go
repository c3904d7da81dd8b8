package lab

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"google.golang.org/protobuf/proto"

	labv1 "github.com/warledger/warledger/proto/warledger/lab/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
)

// outpost is a registry of Outpost alone, made once: it changes no more.
var outpost = sync.OnceValues(func() (*rules.Registry, error) { return rules.NewRegistry(toy.Ruleset()) })

func registry(tb testing.TB) *rules.Registry {
	tb.Helper()
	r, err := outpost()
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// framed is a request with its length.
func framed(tb testing.TB, r *labv1.Request) []byte {
	tb.Helper()
	data, err := proto.Marshal(r)
	if err != nil {
		tb.Fatal(err)
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(data))), data...)
}

func opening(change func(*labv1.Open)) *labv1.Request {
	o := &labv1.Open{Ruleset: "toy", Scenario: "ridge", Games: 2, Seed: 1, Observe: true, Rows: true}
	if change != nil {
		change(o)
	}
	return &labv1.Request{Request: &labv1.Request_Open{Open: o}}
}

func resetting(games, seeds []byte) *labv1.Request {
	return &labv1.Request{Request: &labv1.Request_Reset_{Reset_: &labv1.Reset{Games: games, Seeds: seeds}}}
}

func stepping(actions ...int32) *labv1.Request {
	var data []byte
	for _, a := range actions {
		data = binary.LittleEndian.AppendUint32(data, uint32(a))
	}
	return &labv1.Request{Request: &labv1.Request_Step{Step: &labv1.Step{Actions: data}}}
}

func looking(game, seat uint32) *labv1.Request {
	return &labv1.Request{Request: &labv1.Request_Look{Look: &labv1.Look{Game: game, Seat: seat}}}
}

// served is what Serve answers to an input, and how it ends.
func served(tb testing.TB, in io.Reader) ([]*labv1.Response, error) {
	tb.Helper()
	var out bytes.Buffer
	ended := Serve(tb.Context(), in, &out, registry(tb), "test")
	var all []*labv1.Response
	for data := out.Bytes(); len(data) > 0; {
		n := binary.LittleEndian.Uint32(data)
		r := new(labv1.Response)
		if err := proto.Unmarshal(data[4:4+n], r); err != nil {
			tb.Fatal(err)
		}
		all, data = append(all, r), data[4+n:]
	}
	return all, ended
}

func TestServePlays(t *testing.T) {
	t.Parallel()
	var in []byte
	for _, r := range []*labv1.Request{opening(nil), resetting(nil, nil), stepping(0, -1), looking(1, 1)} {
		in = append(in, framed(t, r)...)
	}
	got, err := served(t, iotest.OneByteReader(bytes.NewReader(in)))
	if err != nil || len(got) != 4 {
		t.Fatalf("%d answers, %v", len(got), err)
	}
	opened, batch, sight := got[0].GetOpened(), got[2].GetBatch(), got[3].GetSight()
	games, rows := 2, 0
	for i := range games {
		rows += int(binary.LittleEndian.Uint32(batch.GetCounts()[4*i:]))
	}
	planes, scalars := 2*len(opened.GetPlanes())*len(opened.GetSpaces()), 2*len(opened.GetScalars())
	for what, length := range map[string][2]int{
		"ground":  {len(opened.GetGroundValues()), 2 * len(opened.GetGround()) * len(opened.GetSpaces())},
		"seats":   {len(batch.GetSeats()), 2 * games},
		"rows":    {len(batch.GetRows()), 2 * rows * len(opened.GetRow())},
		"planes":  {len(batch.GetPlanes()), games * planes},
		"scalars": {len(batch.GetScalars()), games * scalars},
		"rewards": {len(batch.GetRewards()), 4 * games * len(opened.GetSeats())},
		"sight":   {len(sight.GetPlanes()) + len(sight.GetScalars()), planes + scalars},
	} {
		if length[0] != length[1] {
			t.Errorf("%s: %d bytes, expected %d", what, length[0], length[1])
		}
	}
	if d := binary.LittleEndian.Uint32(batch.GetDecisions()); d != 1 {
		t.Errorf("the first game has made %d decisions", d)
	}
}

// TestFaults: what can't be carried out is answered in words, and the conversation goes on.
func TestFaults(t *testing.T) {
	t.Parallel()
	const malformed, unknown, outside = labv1.Reason_REASON_MALFORMED, labv1.Reason_REASON_UNKNOWN,
		labv1.Reason_REASON_OUT_OF_RANGE
	strange := map[string]string{"x": "1"}
	for name, c := range map[string]struct {
		request *labv1.Request
		reason  labv1.Reason
		says    string
	}{
		"nothing":              {&labv1.Request{}, malformed, "asks for nothing"},
		"an unknown ruleset":   {opening(func(o *labv1.Open) { o.Ruleset = "chess" }), unknown, "chess"},
		"an unknown scenario":  {opening(func(o *labv1.Open) { o.Scenario = "x" }), unknown, "no scenario"},
		"a bad document":       {opening(func(o *labv1.Open) { o.Document = []byte("{") }), unknown, "played"},
		"an unknown option":    {opening(func(o *labv1.Open) { o.Options = strange }), unknown, "x"},
		"no games":             {opening(func(o *labv1.Open) { o.Games = 0 }), outside, "1 to 1024"},
		"too many games":       {opening(func(o *labv1.Open) { o.Games = 1 << 31 }), outside, "1 to 1024"},
		"too many workers":     {opening(func(o *labv1.Open) { o.Workers = 1 << 20 }), outside, "64"},
		"half a number":        {resetting([]byte{1, 2}, nil), malformed, "2 bytes of games"},
		"half a seed":          {resetting(nil, []byte{1, 2, 3, 4}), malformed, "4 bytes of seeds"},
		"a game far away":      {resetting([]byte{255, 255, 255, 255}, nil), outside, "no game"},
		"an action too far":    {stepping(0, 99), outside, "action 99 of"},
		"too few actions":      {stepping(0), outside, "1 actions for 2 games"},
		"a look at no game":    {looking(2, 0), outside, "no game 2"},
		"a look of no seat":    {looking(0, 2), outside, "no seat 2"},
		"a huge game, no seat": {looking(1<<32-1, 0), outside, "no game"},
	} {
		in := append(framed(t, opening(nil)), framed(t, resetting(nil, nil))...)
		in = append(append(in, framed(t, c.request)...), framed(t, stepping(0, 0))...)
		got, err := served(t, bytes.NewReader(in))
		if err != nil || len(got) != 4 {
			t.Errorf("%s: %d answers, %v", name, len(got), err)
			continue
		}
		f := got[2].GetFault()
		if f.GetReason() != c.reason || !strings.Contains(f.GetMessage(), c.says) {
			t.Errorf("%s: got %v, expected %v with %q", name, got[2], c.reason, c.says)
		}
		if got[3].GetBatch() == nil {
			t.Errorf("%s: the conversation did not go on: %v", name, got[3])
		}
	}
	got, err := served(t, bytes.NewReader(framed(t, stepping(0))))
	if err != nil || len(got) != 1 || got[0].GetFault().GetReason() != labv1.Reason_REASON_NOT_READY {
		t.Errorf("a step before all else: %v, %v", got, err)
	}
	got, err = served(t, bytes.NewReader([]byte{3, 0, 0, 0, 255, 255, 255}))
	if err != nil || len(got) != 1 || got[0].GetFault().GetReason() != labv1.Reason_REASON_MALFORMED {
		t.Errorf("bytes that are no message: %v, %v", got, err)
	}
}

// TestBrokenInputs: an input that ends within a message, or makes no sense, ends the conversation in words.
func TestBrokenInputs(t *testing.T) {
	t.Parallel()
	whole := framed(t, opening(nil))
	for name, c := range map[string]struct {
		in   []byte
		says string
	}{
		"half a length":    {whole[:2], "2 of 4 bytes"},
		"half a message":   {whole[:len(whole)-3], "the input ended after"},
		"an absurd length": {[]byte{255, 255, 255, 255, 1}, "makes no sense"},
		"the last length":  {binary.LittleEndian.AppendUint32(nil, maxRequest), "the input ended after 0 of"},
		"one byte more":    {binary.LittleEndian.AppendUint32(nil, maxRequest+1), "makes no sense"},
	} {
		if _, err := served(t, bytes.NewReader(c.in)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, expected %q", name, err, c.says)
		}
	}
	if got, err := served(t, bytes.NewReader(nil)); err != nil || len(got) != 0 {
		t.Errorf("an empty input: %v, %v", got, err)
	}
}

// TestServeStops: it ends when its reader is gone, and when it is told to, though no input comes.
func TestServeStops(t *testing.T) {
	t.Parallel()
	in, feed := io.Pipe()
	answers, out := io.Pipe()
	if err := answers.CloseWithError(io.ErrClosedPipe); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = feed.Write(framed(t, opening(nil))) }()
	if err := Serve(t.Context(), in, out, registry(t), "test"); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("with nobody to read: %v", err)
	}
	silent, speaker := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := Serve(ctx, silent, io.Discard, registry(t), "test"); !errors.Is(err, context.Canceled) {
		t.Errorf("told to stop: %v", err)
	}
	_ = speaker.Close()
}

// FuzzServe: no input makes it panic or hang.
func FuzzServe(f *testing.F) {
	f.Add(append(append(framed(f, opening(nil)), framed(f, resetting(nil, nil))...), framed(f, stepping(0, 1))...))
	f.Add(append(framed(f, opening(nil)), framed(f, looking(1, 1))...))
	f.Add([]byte{1, 0, 0, 0, 8})
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			t.Skip("longer inputs only repeat")
		}
		_, _ = served(t, bytes.NewReader(data))
	})
}
