package service

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warledger/warledger/eventstore"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/internal/computers"
	"github.com/warledger/warledger/service/internal/documents"
	"github.com/warledger/warledger/service/internal/heads"
	"github.com/warledger/warledger/service/internal/keyrings"
	"github.com/warledger/warledger/service/internal/listings"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/notice"
	"github.com/warledger/warledger/service/internal/talk"
	"github.com/warledger/warledger/service/internal/uploads"
)

// Config is what a service is made of. Registry and Store are needed; all else has a default.
type Config struct {
	// Registry has the rulesets on offer.
	Registry *rules.Registry
	// Store keeps the logs. Whoever opened it closes it, after the service.
	Store eventstore.Store
	// Clock gives the time of records; time.Now if nil.
	Clock func() time.Time
	// Entropy gives secrets; crypto/rand if nil. It must be a cryptographic generator.
	Entropy io.Reader
	// Identities checks the tokens of an identity provider, for owners who would rather sign in; nil if none exists.
	Identities Identities
	// SignIn signs people in with that provider on a page; nil if pages cannot.
	SignIn SignIn
	// OwnersLogIn lets only a caller with such a token create games.
	OwnersLogIn bool
	// Admission bounds what one caller may ask for; nil admits every call.
	Admission Admission
	// Signing signs checkpoints; nil for none.
	Signing *Signing
	// Logger gets a line for every call; silent if nil.
	Logger *slog.Logger
	// Metrics registers what is counted; nothing is registered if nil.
	Metrics prometheus.Registerer
	// Room reports whether the store has room for new games, besides the room kept for existing ones; nil if it always
	// has.
	Room func() bool
	// Limits bound what the service keeps and gives.
	Limits Limits
	// House are the server's own computers. Whoever runs them offers them with their tokens: see [Service.HouseToken].
	House []House
	// Notices say how people hear of what happens while they do not look.
	Notices Notices
	// Talk bounds what people say to each other.
	Talk Talk
	// Keyrings says what is kept for people who sign in.
	Keyrings Keyrings
}

// Keyrings says what is kept for people who sign in. The zero value keeps nothing.
type Keyrings = keyrings.Config

// SignIn signs people in with an identity provider.
type SignIn = keyrings.Provider

// Redemption is what the code of an identity provider is exchanged with.
type Redemption = keyrings.Redemption

// Signed is who has signed in.
type Signed = keyrings.Signed

// Talk bounds what people say to each other in a game. The zero value has its defaults.
type Talk = talk.Limits

// Signing is what checkpoints are signed with.
type Signing = heads.Signing

// Notices are how people hear of what happens while they do not look. The zero value tells nobody anything; deadlines
// are kept all the same.
type Notices = notice.Config

// House is a computer of the server's own.
type House = computers.House

// Limits bound what the service keeps in memory and gives at once. A zero field has its default.
type Limits struct {
	// LiveGames is how many games stay in memory, watched ones aside; 4096.
	LiveGames int
	// Idle is how long a game stays in memory that nobody asks for; 10 minutes.
	Idle time.Duration
	// Checkpoints is how many positions of the past are kept of each game in memory; 64.
	Checkpoints int
	// Listings is how many legal lists are kept for the next ones to be made quicker, a megabyte or two each; 16,
	// and none if negative.
	Listings int
	// Scenarios is how many loaded scenarios are kept; 64.
	Scenarios int
	// Watchers is how many watches are served at once; 10000.
	Watchers int
	// GameWatchers is how many watches one game has at once; no bound of its own if 0.
	GameWatchers int
	// Games is how many games the store keeps; no bound if 0.
	Games int
	// GameBytes is how large a game's log may grow, in bytes, before nothing but leaving, resigning and closing is
	// stored; no bound if 0.
	GameBytes int
	// Audits is how many audits run at once; others wait. 2.
	Audits int
	// AuditTime is how long one audit may take, that of an import included; 5 minutes.
	AuditTime time.Duration
	// Imports is how many files are taken in at once; 16.
	Imports int
	// CallerImports is how many files one caller has taken in at once, if the admission can tell callers apart; 2.
	CallerImports int
	// ImportMemory is how many bytes all files that are taken in hold together, at least ImportBytes; 128 MiB.
	ImportMemory int
	// ImportBytes is how large a file may be that is taken in, in bytes; 60 MiB, which is also the most.
	ImportBytes int
	// Previews is how many previews are worked out at once; others wait. 2.
	Previews int
	// Lists is how many long pages of games or records are made at once, while others wait; 16.
	Lists int
	// Loads is how many scenario documents are loaded at once, while others wait; 2.
	Loads int
	// LiveBytes is how many bytes games and scenarios in memory may take, as estimated; no bound if 0.
	LiveBytes int
	// OwnerGames is how many games the store keeps for one owner who has signed in; no bound if 0.
	OwnerGames int
	// Computers is how many computers of strangers are on offer at once; 64, and none if negative.
	Computers int
	// CallerComputers is how many of those one caller may offer, if the admission can tell callers apart; 8.
	CallerComputers int
	// ComputerSeats is how many seats all computers play at once; 256.
	ComputerSeats int
	// CallerComputerSeats is how many of those seats one caller may have given away, if the admission can tell callers
	// apart; 12.
	CallerComputerSeats int
	// MinHeartbeat is the shortest time between heartbeats that a watcher may ask for; 1 second.
	MinHeartbeat time.Duration
}

func (l Limits) withDefaults() Limits {
	orInt := func(n *int, usual int) {
		if *n <= 0 {
			*n = usual
		}
	}
	orInt(&l.LiveGames, 4096)
	orInt(&l.Checkpoints, 64)
	orInt(&l.Scenarios, 64)
	if l.Listings == 0 {
		l.Listings = 16
	}
	l.Listings = max(0, l.Listings)
	orInt(&l.Watchers, 10_000)
	orInt(&l.Audits, 2)
	orInt(&l.Previews, 2)
	orInt(&l.Lists, 16)
	orInt(&l.Loads, 2)
	orInt(&l.Imports, 16)
	orInt(&l.CallerImports, 2)
	orInt(&l.ImportBytes, uploads.MaxFile)
	l.ImportBytes = min(l.ImportBytes, uploads.MaxFile)
	orInt(&l.ImportMemory, 128<<20)
	l.ImportMemory = max(l.ImportMemory, l.ImportBytes)
	if l.Computers == 0 {
		l.Computers = 64
	}
	l.Computers = max(0, l.Computers)
	orInt(&l.ComputerSeats, 256)
	orInt(&l.CallerComputers, 8)
	orInt(&l.CallerComputerSeats, 12)
	if l.Idle <= 0 {
		l.Idle = 10 * time.Minute
	}
	if l.AuditTime <= 0 {
		l.AuditTime = 5 * time.Minute
	}
	if l.MinHeartbeat <= 0 {
		l.MinHeartbeat = time.Second
	}
	return l
}

// Service implements the catalogue and the games. Use [New].
type Service struct {
	registry *rules.Registry
	store    eventstore.Store
	ownClock func() time.Time
	skew     atomic.Int64 // what the clock of a shared store is ahead of ownClock, in ns; 0 while they agree
	// comparing guards the comparison of the clocks.
	comparing sync.Mutex
	entropy   io.Reader
	log       *slog.Logger
	limits    Limits
	metrics   *metrics

	admission   Admission
	room        func() bool
	watched     tally
	listening   tally
	stored      storedGames
	identities  Identities
	ownersLogIn bool
	listings    listings.Lists
	scenarios   *documents.Store
	games       *live.Games
	imports     *uploads.Table
	heads       *heads.Log
	notices     *notice.Notices
	talk        *talk.Talk
	keyrings    *keyrings.Server
	computers   *computers.Desk
	houseTokens map[string]string // by id
	titles      sync.Map          // the rulesets in the order of each language but English

	watchers  chan struct{} // one place for each watch
	audits    chan struct{} // one place for each audit
	previews  chan struct{} // one place for each preview
	lists     chan struct{} // one place for each long page of a list
	leaving   chan struct{} // closed by Leave
	leaveOnce sync.Once
	closed    chan struct{}
	closeOnce sync.Once
	janitor   sync.WaitGroup
}

// catalogServer and the others keep the services' methods apart, since each embeds what the contract may add.
type (
	catalogServer struct {
		v1.UnimplementedCatalogServiceServer
		*Service
	}
	gameServer struct {
		v1.UnimplementedGameServiceServer
		*Service
	}
	accessServer struct {
		v1.UnimplementedAccessServiceServer
		*Service
	}
	historyServer struct {
		v1.UnimplementedHistoryServiceServer
		*Service
	}
	checkpointServer struct {
		v1.UnimplementedCheckpointServiceServer
		*Service
	}
	deadlineServer struct {
		v1.UnimplementedDeadlineServiceServer
		*Service
	}
	computerServer struct {
		v1.UnimplementedComputerServiceServer
		*Service
	}
	talkServer struct {
		v1.UnimplementedTalkServiceServer
		*Service
	}
	notificationServer struct {
		v1.UnimplementedNotificationServiceServer
		*Service
	}
)

// Admission decides whether a call may begin, by the caller and how much it has asked for lately. The context has the
// peer and the metadata of the call. done is called when the call has ended.
type Admission interface {
	// Admit lets a call begin, or says why it may not.
	Admit(ctx context.Context, method string) (done func(), err error)
	// Caller names who makes a call, for what callers share; empty for one who is not bounded.
	Caller(ctx context.Context) string
	// Checked is called once the tokens of a call were checked. It says whether they opened something, and names the
	// person whom an identity provider knows, if any. An unchecked token counts for nothing: it may be invented.
	Checked(ctx context.Context, person string, opened bool)
	// Charge takes units for work that a call turned out to need, such as folding a game. It refuses nothing.
	Charge(ctx context.Context, units int)
	// Game takes a place for a game that a call creates, or returns an error. undo gives it back if the game was not
	// created.
	Game(ctx context.Context) (undo func(), err error)
	// Store counts bytes that are to be stored for a call, or returns an error if they may not be.
	Store(ctx context.Context, bytes int) error
}

// anyone admits every call.
type anyone struct{}

func (anyone) Admit(context.Context, string) (func(), error) { return func() {}, nil }

func (anyone) Caller(context.Context) string { return "" }

func (anyone) Checked(context.Context, string, bool) {}

func (anyone) Charge(context.Context, int) {}

func (anyone) Game(context.Context) (func(), error) { return func() {}, nil }

func (anyone) Store(context.Context, int) error { return nil }

// Identity is who somebody is, as an identity provider says.
type Identity struct {
	// Subject names a person for ever and at any provider: issuer and subject, in a spelling of their own.
	Subject string
	// Expires is when what the provider said stops being worth anything.
	Expires time.Time
}

// Identities checks the tokens of identity providers. An error says that a token is worth nothing; callers are told no
// more than that, unless it is a [fault.Error].
type Identities interface {
	Identify(ctx context.Context, token string) (Identity, error)
}

// clock is the server's clock, or that of a shared store while the two disagree: the time of a seat runs from the time
// of the record before, so that a record with a wrong time would cost a player the difference.
func (s *Service) clock() time.Time { return s.ownClock().Add(time.Duration(s.skew.Load())) }
