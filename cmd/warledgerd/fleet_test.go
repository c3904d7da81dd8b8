package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/postgres"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// weatherSetting is the environment variable that has the slow ones of the tests of bad weather run too: any value.
const weatherSetting = "WARLEDGER_TEST_WEATHER"

// slowWeather skips a test that takes half a minute, unless it is wanted.
func slowWeather(t *testing.T) {
	t.Helper()
	if os.Getenv(weatherSetting) == "" {
		t.Skipf("set %s to run this", weatherSetting)
	}
}

// fleet is two servers on one database, each a process, with players who go from one to the other.
type fleet struct {
	t        *testing.T
	dsn      string
	servers  []*exec.Cmd
	at       []v1.GameServiceClient
	players  []*player
	answered atomic.Int64
	stop     atomic.Bool
	playing  sync.WaitGroup
}

// impatient has calls take so long at most. A call that took longer may be repeated, as one whose server is away.
func impatient(patience time.Duration) grpc.DialOption {
	return grpc.WithUnaryInterceptor(func(ctx context.Context, method string, in, out any, conn *grpc.ClientConn,
		call grpc.UnaryInvoker, o ...grpc.CallOption) error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		err := call(ctx, method, in, out, conn, o...)
		if status.Code(err) == codes.DeadlineExceeded {
			return status.Error(codes.Unavailable, "no answer")
		}
		return err
	})
}

// newFleet starts the servers. Each reaches the database under an address of its own.
func newFleet(t *testing.T, patience time.Duration, dsns ...string) *fleet {
	t.Helper()
	f := &fleet{t: t, dsn: dsns[0]}
	key := onDatabase(t, "")
	for _, dsn := range dsns {
		args := onDatabase(t, dsn, "--log-level", "error")
		cmd, p := spawn(t, "", append(args, "--signing-key", key[len(key)-1])...)
		conn, err := grpc.NewClient(p.grpcAddress(), grpc.WithTransportCredentials(insecure.NewCredentials()),
			impatient(patience))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		f.servers, f.at = append(f.servers, cmd), append(f.at, v1.NewGameServiceClient(conn))
	}
	return f
}

// play has players play until done is called.
func (f *fleet) play(n int) {
	for i := range n {
		p := &player{t: f.t, rnd: rand.New(rand.NewPCG(5, uint64(i)))}
		f.players = append(f.players, p)
		f.playing.Go(func() { f.live(p, i) })
	}
}

// live plays at the servers by turns. Whatever a server does not answer is sent again, to the next one.
func (f *fleet) live(p *player, turn int) {
	ctx, cancel := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	for !f.stop.Load() && !f.t.Failed() {
		if p.begun {
			p.begun = false
			game, from := p.game(), turn
			watching.Go(func() { f.watch(ctx, game, from) })
		}
		turn++
		games := f.at[turn%len(f.at)]
		var err error
		if p.pending != nil {
			err = p.sendAgain(ctx, games)
		} else {
			err = p.step(ctx, games)
		}
		switch {
		case err == nil:
			f.answered.Add(1)
		case gone(err):
			time.Sleep(10 * time.Millisecond)
		default:
			f.t.Errorf("%s: %v", p.where(), err)
		}
	}
}

// watch follows a game at the servers by turns.
func (f *fleet) watch(ctx context.Context, g *played, turn int) {
	for ; ctx.Err() == nil && !f.t.Failed(); turn++ {
		g.watch(ctx, f.t, f.at[turn%len(f.at)])
		time.Sleep(20 * time.Millisecond)
	}
}

// more waits until players got some more answers.
func (f *fleet) more(n int64) {
	f.t.Helper()
	before := f.answered.Load()
	until(f.t, func() bool { return f.answered.Load() >= before+n || f.t.Failed() })
}

// done ends the play. Everything that was answered is there, once, and nothing else; repeated requests get their first
// answers, and the store is sound.
func (f *fleet) done() {
	f.t.Helper()
	f.stop.Store(true)
	f.playing.Wait()
	records := 0
	for i, p := range f.players {
		games := f.at[i%len(f.at)]
		until(f.t, func() bool {
			err := p.sendAgain(context.Background(), games)
			if err != nil && !gone(err) {
				f.t.Fatal(err)
			}
			return err == nil
		})
		if err := p.findAll(context.Background(), games); err != nil {
			f.t.Error(err)
		}
		for _, g := range p.games {
			records += len(g.stored)
		}
	}
	wantSound(f.t, func() (eventstore.Store, error) {
		return postgres.Open(context.Background(), f.dsn, postgres.Options{ReadOnly: true, AcceptLoss: true})
	}, records)
	f.t.Logf("%d answers, %d records", f.answered.Load(), records)
}

// TestDatabaseRestartsUnderTwoServers crashes the database in the middle of appends.
func TestDatabaseRestartsUnderTwoServers(t *testing.T) {
	t.Parallel()
	c := pgtest.New(t)
	dsn, schema := c.Empty(t)
	f := newFleet(t, 20*time.Second, dsn, dsn)
	f.play(4)
	for range 2 {
		f.more(20)
		var locking sync.WaitGroup
		locking.Go(func() { _, _ = c.SQL("lock table " + schema + ".wl_entry in exclusive mode; select pg_sleep(60)") })
		until(t, func() bool {
			return c.MustSQL(t, `select count(*) from pg_stat_activity where application_name = '`+schema+`'
				and wait_event_type = 'Lock'`) != "0"
		})
		err := errors.Join(c.Stop("immediate"), c.Start())
		locking.Wait()
		if err != nil {
			t.Fatal(err)
		}
	}
	f.more(20)
	f.done()
}

// TestOneServerIsCutOff cuts the way of one server to the database, while appends are under way and then for good. The
// other one goes on, and the first one serves again when the way is open.
func TestOneServerIsCutOff(t *testing.T) {
	t.Parallel()
	c := database.Cluster(t)
	dsn, _ := c.Empty(t)
	proxy := c.NewProxy(t)
	f := newFleet(t, 300*time.Millisecond, dsn, strings.Replace(dsn, c.Socket(), proxy.Socket(), 1))
	f.play(4)
	f.more(20)
	proxy.Stall()
	f.more(20)
	proxy.Cut()
	f.more(20)
	f.done()
}

// pausedFor pauses a server in the middle of its commands.
func pausedFor(t *testing.T, pause time.Duration) {
	dsn, _ := database.Cluster(t).Empty(t)
	f := newFleet(t, time.Second, dsn, dsn)
	f.play(4)
	f.more(20)
	signal := func(s syscall.Signal) {
		t.Helper()
		if err := f.servers[1].Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	resumed := time.After(pause)
	f.more(20)
	<-resumed
	signal(syscall.SIGCONT)
	f.more(20)
	f.done()
}

// TestAServerIsPaused pauses a server for a moment.
func TestAServerIsPaused(t *testing.T) {
	t.Parallel()
	pausedFor(t, time.Second)
}

// TestAServerIsPausedForLong pauses a server for longer than an append may take.
func TestAServerIsPausedForLong(t *testing.T) {
	slowWeather(t)
	t.Parallel()
	pausedFor(t, 15*time.Second)
}

// TestSlowDatabaseUnderTwoServers has every answer of the database take half a second.
func TestSlowDatabaseUnderTwoServers(t *testing.T) {
	slowWeather(t)
	t.Parallel()
	c := database.Cluster(t)
	dsn, _ := c.Empty(t)
	proxy := c.NewProxy(t)
	slow := strings.Replace(dsn, c.Socket(), proxy.Socket(), 1)
	f := newFleet(t, time.Minute, slow, slow)
	f.dsn = dsn
	f.play(4)
	f.more(20)
	proxy.Slow(500 * time.Millisecond)
	f.more(20)
	proxy.Slow(0)
	f.more(20)
	f.done()
}

// TestDatabaseLosesItsStandby stops the only synchronous standby. Callers learn after ten seconds that
// there is no answer. With the standby all is well again, and what was uncertain is stored once.
func TestDatabaseLosesItsStandby(t *testing.T) {
	slowWeather(t)
	t.Parallel()
	c := pgtest.New(t)
	standby := c.Standby(t)
	c.MustSQL(t, "alter system set synchronous_standby_names = '*'", "select pg_reload_conf()")
	until(t, func() bool { return c.MustSQL(t, "select sync_state from pg_stat_replication") == "sync" })
	dsn, _ := c.Empty(t)
	f := newFleet(t, time.Minute, dsn, dsn)
	f.play(4)
	f.more(20)
	if err := standby.Stop("immediate"); err != nil {
		t.Fatal(err)
	}
	late := &player{t: t, rnd: rand.New(rand.NewPCG(5, 9))}
	request := late.create()
	if _, _, err := request.send(context.Background(), f.at[0]); !gone(err) {
		t.Errorf("without its standby the database stores a game: %v", err)
	}
	if err := standby.Start(); err != nil {
		t.Fatal(err)
	}
	f.more(20)
	for _, games := range f.at {
		if _, _, err := request.send(context.Background(), games); err != nil {
			t.Error(err)
		}
	}
	f.players = append(f.players, late)
	f.done()
}

// TestDatabaseIsFull has the database refuse to write for want of room. Callers learn that, reading works, and with
// room the same request is answered.
func TestDatabaseIsFull(t *testing.T) {
	t.Parallel()
	c := database.Cluster(t)
	dsn, schema := c.Empty(t)
	p := launch(t, onDatabase(t, dsn)...)
	games, conn := dial(t, p.grpcAddress())
	defer conn.Close()
	ctx, one := context.Background(), &player{t: t, rnd: rand.New(rand.NewPCG(9, 1))}
	for one.game() == nil || one.game().blue == "" {
		if err := one.step(ctx, games); err != nil {
			t.Fatal(err)
		}
	}
	c.MustSQL(t, `create function `+schema+`.full() returns trigger language plpgsql as
		$$begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end$$`,
		`create trigger full_ before insert on `+schema+`.wl_entry execute function `+schema+`.full()`)
	again := one.create()
	_, _, err := again.send(ctx, games)
	wantRefusal(t, err, codes.ResourceExhausted, "STORE_FULL")
	if err := one.findAll(ctx, games); err != nil {
		t.Errorf("reading from a full database: %v", err)
	}
	c.MustSQL(t, `drop trigger full_ on `+schema+`.wl_entry`)
	before := len(one.games)
	for range 2 {
		if _, _, err := again.send(ctx, games); err != nil {
			t.Error(err)
		}
	}
	if len(one.games) != before+1 {
		t.Errorf("%d games were made of one request", len(one.games)-before)
	}
	until(t, func() bool { code, _ := p.get("/readyz"); return code == 200 })
	p.interrupt()
}
