package service

import (
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/rulestest/toy"
	"github.com/warledger/warledger/service/internal/streams"
)

// BenchmarkResume begins with 10,000 games that have deadlines: none of them is folded.
func BenchmarkResume(b *testing.B) {
	store := memory.New()
	defer store.Close()
	meta, err := proto.Marshal(&logv1.GameMeta{
		Summary: &logv1.GameSummary{}, Clocks: &logv1.ClockState{NextDue: timestamppb.New(time.Now().Add(time.Hour))},
	})
	if err != nil {
		b.Fatal(err)
	}
	const games = 10_000
	for i := range games {
		for _, stream := range []string{streams.Game(fmt.Sprint(i)), streams.Book(fmt.Sprint(i))} {
			if err := store.Append(b.Context(), eventstore.Append{
				Stream: stream, Entries: []eventstore.Entry{{Data: []byte("x")}}, Meta: meta,
			}); err != nil {
				b.Fatal(err)
			}
		}
	}
	reg, err := rules.NewRegistry(toy.Ruleset())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s, err := New(Config{Registry: reg, Store: store})
		if err != nil {
			b.Fatal(err)
		}
		for s.notices.Running() < games {
			time.Sleep(time.Millisecond)
		}
		s.Close()
	}
}
