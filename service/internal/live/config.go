package live

import (
	"context"
	"log/slog"
	"time"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/documents"
)

// Config is what games in memory need of the service around them.
type Config struct {
	// Registry has the rulesets, Store the logs, and Scenarios what is played.
	Registry  *rules.Registry
	Store     eventstore.Store
	Scenarios *documents.Store
	// Clock gives the time of records.
	Clock func() time.Time
	// MaxGames is how many games stay in memory, games in use aside. MaxBytes is how much memory games and scenarios
	// may take, 0 for no bound. MaxPositions is how many positions of the past are kept of each game.
	MaxGames, MaxBytes, MaxPositions int
	// Charge makes a call pay for the bytes of a log that are folded for it.
	Charge func(ctx context.Context, bytes int)
	// Admit refuses records that the caller may not store.
	Admit func(ctx context.Context, entries []eventstore.Entry) error
	// Changed is told of each moment that is published after a change, before the writer lets another in. recorded is
	// true if records were appended, false if only what is kept beside the log has changed.
	Changed func(l *Game, m *Moment, recorded bool)
	// Followed is told of each moment that is published because others changed the game in the store.
	Followed func(l *Game, m *Moment)
	// Lasting is what lists show of a game and only changes of the table and of the metadata
	// change; Passing is the rest.
	Lasting, Passing func(l *Game, m *Moment) *logv1.GameSummary
	// Metrics counts what happens, and Log gets what nobody else is told.
	Metrics Metrics
	Log     *slog.Logger
}

// Metrics counts what happens to games in memory.
type Metrics interface {
	// Lookup counts a game that was asked for; folded is false if it was in memory.
	Lookup(folded bool)
	// Folded is told how long it took to fold a game.
	Folded(time.Duration)
	// Appended is told how long an append took, or that it failed.
	Appended(time.Duration, error)
	// ReadOn is told how many records were read on that others had stored; 0 if only what is kept beside the log had
	// changed.
	ReadOn(records int)
}
