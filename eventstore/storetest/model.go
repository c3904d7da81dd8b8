package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/warledger/warledger/eventstore"
	"pgregory.net/rapid"
)

// model is the contract in its plainest form.
type model struct {
	streams map[string][]eventstore.Entry
	meta    map[string]string
	metas   map[string]uint64 // how often they were set
}

func (m *model) append(a eventstore.Append) error {
	old := m.streams[a.Stream]
	for _, e := range a.Entries {
		if i := slices.IndexFunc(old, func(o eventstore.Entry) bool { return e.Key != "" && o.Key == e.Key }); i >= 0 {
			return &eventstore.KeyUsedError{Stream: a.Stream, Key: e.Key, Version: uint64(i) + 1}
		}
	}
	if n := uint64(len(old)); n != a.Expected {
		return &eventstore.ConflictError{Stream: a.Stream, Expected: a.Expected, Current: n}
	}
	if current := m.metas[a.Stream]; a.Meta != nil && a.MetaExpected != current &&
		a.MetaExpected != eventstore.AnyMeta {
		return &eventstore.MetaConflictError{Stream: a.Stream, Expected: a.MetaExpected, Current: current}
	}
	if len(old) > 0 && old[len(old)-1].Hash != a.Entries[0].Prev {
		return &eventstore.LinkError{Stream: a.Stream, Version: a.Expected + 1, Prev: a.Entries[0].Prev,
			Want: old[len(old)-1].Hash}
	}
	m.streams[a.Stream] = append(old, a.Entries...)
	if a.Meta != nil {
		m.meta[a.Stream] = string(a.Meta)
		m.metas[a.Stream]++
	}
	return nil
}

func (m *model) setMeta(stream, meta string, expected uint64) error {
	if current := m.metas[stream]; expected != current && expected != eventstore.AnyMeta {
		return &eventstore.MetaConflictError{Stream: stream, Expected: expected, Current: current}
	}
	m.meta[stream] = meta
	m.metas[stream]++
	return nil
}

// drawMeta is right about the metadata version most of the time.
func (m *model) drawMeta(r *rapid.T, stream string) uint64 {
	switch rapid.IntRange(0, 9).Draw(r, "metadata mistake") {
	case 0:
		return rapid.Uint64Range(0, 5).Draw(r, "metadata version")
	case 1:
		return eventstore.AnyMeta
	}
	return m.metas[stream]
}

func (m *model) head(stream string) Chain {
	c := Chain{Stream: stream}
	if all := m.streams[stream]; len(all) > 0 {
		c.Version, c.Hash = uint64(len(all)), all[len(all)-1].Hash
	}
	return c
}

// testModel runs random operations against the store and the model, with the store reopened between them, and wants the
// same answers.
func testModel(t *testing.T, open Factory) {
	rapid.Check(t, func(r *rapid.T) {
		e := open(t)
		s := e.Store
		defer func() {
			MustBeSound(t, s)
			_ = s.Close()
		}()
		m := &model{
			streams: make(map[string][]eventstore.Entry), meta: make(map[string]string), metas: make(map[string]uint64),
		}
		stream := rapid.SampledFrom([]string{"a", "a/b", "b", "ü"})
		key := rapid.SampledFrom([]string{"", "", "k1", "k2", "k3", "k4"})
		r.Repeat(map[string]func(*rapid.T){
			"append": func(r *rapid.T) {
				a := m.drawAppend(r, stream.Draw(r, "stream"), key)
				mustAgree(r, "append", m.append(a), s.Append(ctx, a))
			},
			"set meta": func(r *rapid.T) {
				name, meta := stream.Draw(r, "stream"), rapid.StringN(0, 3, -1).Draw(r, "meta")
				expected := m.drawMeta(r, name)
				err := s.SetMeta(ctx, name, []byte(meta), expected)
				if _, exists := m.streams[name]; exists {
					mustAgree(r, "set meta", m.setMeta(name, meta, expected), err)
				} else if !errors.Is(err, eventstore.ErrNotFound) {
					r.Fatalf("set meta of no stream: %v", err)
				}
			},
			"lookup": func(r *rapid.T) {
				name, k := stream.Draw(r, "stream"), key.Draw(r, "key")
				want := slices.IndexFunc(m.streams[name], func(e eventstore.Entry) bool {
					return k != "" && e.Key == k
				}) + 1
				if v, found, err := s.Lookup(ctx, name, k); v != uint64(want) || found != (want > 0) || err != nil {
					r.Fatalf("lookup of %q in %q = %d, %v, %v, want %d", k, name, v, found, err, want)
				}
			},
			"reopen": func(r *rapid.T) {
				if e.Reopen != nil {
					s = e.Reopen(t)
				}
			},
			"": func(r *rapid.T) { mustMatch(r, t, m, s, stream.Draw(r, "stream")) },
		})
	})
}

// drawAppend is right about the head most of the time.
func (m *model) drawAppend(r *rapid.T, stream string, key *rapid.Generator[string]) eventstore.Append {
	c := m.head(stream)
	switch rapid.IntRange(0, 9).Draw(r, "mistake") {
	case 0:
		c.Version = rapid.Uint64Range(0, 5).Draw(r, "expected")
		if c.Version == 0 {
			c.Hash = eventstore.Hash{}
		}
	case 1:
		if c.Version > 0 {
			c.Hash[0]++
		}
	}
	a := c.Next(key.Draw(r, "key"), rapid.SliceOfN(rapid.StringN(0, 20, -1), 1, 3).Draw(r, "data")...)
	if rapid.Bool().Draw(r, "with meta") {
		a.Meta, a.MetaExpected = []byte(rapid.StringN(0, 3, -1).Draw(r, "meta")), m.drawMeta(r, stream)
	}
	return a
}

func mustAgree(r *rapid.T, what string, want, got error) {
	if diff := gocmp.Diff(fmt.Sprintf("%T %v", want, want), fmt.Sprintf("%T %v", got, got)); diff != "" {
		r.Fatalf("%s (-model +store):\n%s", what, diff)
	}
}

func mustMatch(r *rapid.T, t testing.TB, m *model, s eventstore.Store, stream string) {
	var want []eventstore.StreamInfo
	for name := range m.streams {
		c := m.head(name)
		want = append(want,
			eventstore.StreamInfo{Name: name, Version: c.Version, Hash: c.Hash, Meta: bytesOrNil(m.meta[name]),
				MetaVersion: m.metas[name]})
	}
	slices.SortFunc(want, func(a, b eventstore.StreamInfo) int { return cmp.Compare(a.Name, b.Name) })
	got, err := s.List(ctx, "", "", 0)
	if diff := gocmp.Diff(want, got); diff != "" || err != nil {
		r.Fatalf("list: %v (-model +store):\n%s", err, diff)
	}
	if !slices.ContainsFunc(got, func(i eventstore.StreamInfo) bool { return i.Name == stream }) {
		return
	}
	if n, err := s.Count(ctx, ""); n != uint64(len(want)) || err != nil {
		r.Fatalf("count = %d, %v, want %d", n, err, len(want))
	}
	if diff := gocmp.Diff(m.streams[stream], ReadAll(t, s, stream, rapid.IntRange(0, 3).Draw(r, "limit"))); diff != "" {
		r.Fatalf("entries of %q (-model +store):\n%s", stream, diff)
	}
}

func bytesOrNil(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}
