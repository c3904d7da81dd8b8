package main

import (
	"context"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"
	"google.golang.org/grpc"

	"github.com/warledger/warledger/clients/bot"
	"github.com/warledger/warledger/clients/bot/greedy"
	"github.com/warledger/warledger/clients/bot/search"
	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/cmd/internal/rulesets"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/server"
)

// kind is a kind of computer that the server runs itself.
type kind struct {
	service.House
	description string
	strength    v1.Strength
	// plays reports whether it plays a ruleset, and make makes its bot.
	plays func(ruleset string) bool
	make  func(ruleset string) (bot.Bot, error)
}

// kinds are the computers of the server's own.
func kinds() []kind {
	return []kind{
		{
			House:       service.House{ID: "greedy", Title: "Greedy"},
			description: "Plays by rules of thumb, without looking far ahead.",
			strength:    v1.Strength_STRENGTH_EASY,
			plays:       func(ruleset string) bool { return slices.Contains(greedy.Rulesets(), ruleset) },
			make:        easy,
		}, {
			House:       service.House{ID: "strong", Title: "Strong"},
			description: "Looks ahead: plays moves on from what its seat knows, and takes what does best.",
			strength:    v1.Strength_STRENGTH_STRONG,
			plays:       func(ruleset string) bool { return slices.Contains(search.Rulesets(), ruleset) },
			make:        strong,
		}, {
			House:       service.House{ID: "random", Title: "Random"},
			description: "Plays random moves.",
			strength:    v1.Strength_STRENGTH_CHANCE,
			plays:       func(string) bool { return true },
			make:        func(string) (bot.Bot, error) { return bot.NewRandom(rand.Uint64()), nil },
		},
	}
}

// easy makes the greedy bot of a ruleset, which judges how it stands as the strong one does.
func easy(ruleset string) (bot.Bot, error) {
	b, err := greedy.New(ruleset, rand.Uint64())
	if err != nil {
		return nil, err
	}
	return search.Judging(ruleset, b), nil
}

// longestThought bounds the mean time of a decision of the strong computer, where the processor is slow.
const longestThought = time.Second

// strong makes the strong bot of a ruleset.
func strong(ruleset string) (bot.Bot, error) {
	budget := search.Budget{Positions: search.Usual(ruleset), Time: longestThought}
	b, err := search.Strong(ruleset, rand.Uint64(), budget)
	if err != nil {
		return nil, err
	}
	reg, err := rulesets.Registry(false)
	if err != nil {
		return nil, err
	}
	set, _ := reg.Find(ruleset)
	return b.At(set), nil
}

// house lists the computers of the server's own. Their names are kept for them even while they do not play.
func house() (all []service.House) {
	for _, k := range kinds() {
		all = append(all, k.House)
	}
	return all
}

// orNone is a limit of the service, where 0 would be the default.
func orNone(n int) int {
	if n == 0 {
		return -1
	}
	return n
}

// orUnbounded is a limit of the service for a setting of which 0 means no bound.
func orUnbounded(n int) int {
	if n == 0 {
		return math.MaxInt
	}
	return n
}

// crews are the computers of the server's own at work. The zero value does nothing.
type crews struct {
	client *warledger.Client
	cancel context.CancelFunc
	work   sync.WaitGroup
}

// longestStart is how long the server waits at its start until its computers are on offer.
const longestStart = 5 * time.Second

// start has them play, and waits until they are on offer. They reach the server as any stranger's program would, but
// through a pipe within the process. They share a bound on how many think at once, so that people's commands do not
// wait for them.
func (c *crews) start(
	set *settings, reg *rules.Registry, svc *service.Service, srv *server.Server, metrics prometheus.Registerer,
	log *slog.Logger,
) error {
	if set.OwnComputerSeats == 0 {
		return nil
	}
	thought, err := thoughts(metrics)
	if err != nil {
		return err
	}
	if c.client, err = warledger.Dial("passthrough:///inside", warledger.WithPlaintext(),
		warledger.WithBackoff(100*time.Millisecond, 10*time.Second),
		warledger.WithGRPC(grpc.WithContextDialer(srv.Inside))); err != nil {
		return err
	}
	var ctx context.Context
	ctx, c.cancel = context.WithCancel(context.Background())
	turns := semaphore.NewWeighted(int64(set.OwnComputerThreads))
	var offered sync.WaitGroup
	defer offered.Wait()
	for _, k := range kinds() {
		crew := crewOf(set, k, repertoire(reg, k), turns, log)
		thinks := thought.WithLabelValues(k.ID)
		crew.Decided = func(_ *v1.ComputerSeat, took time.Duration) { thinks.Observe(took.Seconds()) }
		if len(crew.Offer.Repertoire) == 0 {
			continue
		}
		crew.Client, crew.Account = c.client, svc.HouseToken(k.ID)
		offered.Add(1)
		ready := sync.OnceFunc(offered.Done)
		crew.Offered = func(*v1.Computer) { ready() }
		c.work.Go(func() {
			defer ready()
			defer time.AfterFunc(longestStart, ready).Stop()
			if err := crew.Run(ctx); err != nil {
				log.Error("a computer is not on offer", "computer", k.ID, "error", err)
			}
		})
	}
	return nil
}

// thoughts measures how long the computers think.
func thoughts(metrics prometheus.Registerer) (*prometheus.HistogramVec, error) {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "warledger", Name: "computer_decision_seconds",
		Help:    "Time for which the server's own computers thought for a decision, without the wait for their turn.",
		Buckets: prometheus.ExponentialBuckets(.0001, 4, 9),
	}, []string{"computer"})
	return h, metrics.Register(h)
}

// crewOf is the crew of a kind.
func crewOf(
	set *settings, k kind, plays []*v1.Repertoire, turns *semaphore.Weighted, log *slog.Logger,
) *bot.Crew {
	return &bot.Crew{
		Make: k.make, Turns: turns, Percent: set.OwnComputerPercent,
		Offer: &v1.OfferComputerRequest{Title: k.Title, Description: k.description,
			MaxSeats: int32(set.OwnComputerSeats), Repertoire: plays},
		Failed: func(seat *v1.ComputerSeat, err error) {
			log.Warn("a computer's seat failed", "computer", k.ID, "game", seat.Name, "seat", seat.Seat, "error", err)
		},
	}
}

// repertoire is what a kind plays of what the server offers.
func repertoire(reg *rules.Registry, k kind) (all []*v1.Repertoire) {
	for _, set := range reg.All() {
		if name := set.About().Name; k.plays(name) {
			all = append(all, &v1.Repertoire{Ruleset: "rulesets/" + name, Strength: k.strength})
		}
	}
	return all
}

// stop ends them. Their seats wait for the next start.
func (c *crews) stop() {
	if c.client == nil {
		return
	}
	c.cancel()
	c.work.Wait()
	_ = c.client.Close()
}
