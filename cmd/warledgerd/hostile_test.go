package main

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// hostileFor is the variable that says how long [TestHostile] runs, such as 10m.
const hostileFor = "WARLEDGER_HOSTILE"

// The addresses of the player and of the stranger. Calls that never become complete have an address of their own: at
// the other one they would be refused for want of units before they could take a place. Nothing but this host is ever
// spoken to.
const (
	hostileFrom = "127.0.0.3"
	halfFrom    = "127.0.0.4"
	honestFrom  = "127.0.0.2"
)

// hostilePatience is how long the stranger goes on for a player who has not made a command yet. Stranger, player and
// program share a machine with other tests, so that the length alone would measure the machine.
const hostilePatience = 3 * time.Minute

// TestHostile has 50 connections of a stranger's two addresses try everything that a stranger can think of, while a
// player at another address plays. The program has its default settings, except that callers on this host have bounds
// too. The player must never be refused anything, and must make progress. Memory and file must stop growing once the
// bounds are reached, which takes minutes: the variable says how many.
func TestHostile(t *testing.T) {
	length := 5 * time.Second
	if text := os.Getenv(hostileFor); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	db := filepath.Join(t.TempDir(), "games.db")
	cmd, p := spawn(t, "", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--db", db,
		"--free-addresses", "192.0.2.0/24")
	ctx, cancel := context.WithTimeout(t.Context(), length+hostilePatience)
	defer cancel()
	t.Logf("operations on %s", p.opsAddress())
	f := newField(t, ctx, p)
	h := &honest{t: t, conn: f.grpc(honestFrom)}
	h.sit(ctx)
	alone := time.Now().Add(min(length/4, 20*time.Second))
	h.play(ctx, func() bool { return time.Now().After(alone) })
	n, p50, p99 := h.since()
	t.Logf("the player alone: %d commands, %s at the median, %s at 99 %%", n, p50, p99)
	h.alone = n
	f.attack()
	f.group.Go(func() { h.play(ctx, func() bool { return false }) })
	var samples []sample
	every := max(time.Second, length/20)
	tick := time.NewTicker(every)
	defer tick.Stop()
	begun := time.Now()
	over := time.After(length)
	for ctx.Err() == nil {
		select {
		case <-over:
			if h.played() == 0 {
				over = time.After(time.Second)
				continue
			}
			cancel()
		case <-tick.C:
			s := f.look(db)
			s.after = time.Since(begun).Round(time.Second)
			s.commands, s.p50, s.p99 = h.since()
			samples = append(samples, s)
			t.Log(s)
		case <-ctx.Done():
		}
	}
	f.end()
	last := f.look(db)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // calls that are cut off are no clean end
	commands, p50, p99 := h.all()
	t.Logf("the player: %d commands, %s at the median, %s at 99 %%, %d games", commands, p50, p99, h.games)
	t.Logf("the stranger:\n%s", f.tally)
	f.judge(samples, last, commands)
}

// sample is the state of the program at one time.
type sample struct {
	after                  time.Duration
	resident, heap, used   float64
	live, file, goroutines float64
	calls, connections     float64
	commands               int
	p50, p99               time.Duration
}

func (s sample) String() string {
	const mib = 1 << 20
	return fmt.Sprintf("%6s: resident %4.0f MiB, heap %4.0f, of it used %4.0f, games %4.0f estimated; file %4.0f MiB; "+
		"%5.0f goroutines, %3.0f calls, %3.0f connections; %5d commands, median %s, 99 %% %s",
		s.after, s.resident/mib, s.heap/mib, s.used/mib, s.live/mib, s.file/mib, s.goroutines, s.calls, s.connections,
		s.commands, s.p50, s.p99)
}

// judge checks what must hold on any machine, and after minutes also that nothing grows any more.
func (f *field) judge(samples []sample, last sample, commands int) {
	t := f.t
	if commands == 0 {
		t.Error("the player has made no command")
	}
	// An address may have 64 MiB stored in a day; a file of bbolt is larger than what is in it, and grows by 16 MiB.
	if most := float64(64<<20)*2 + 64<<20; last.file > most {
		t.Errorf("the file has %.0f bytes, more than %.0f", last.file, most)
	}
	if n := f.tally.count("created"); n > 100 {
		t.Errorf("the stranger has made %d games, 100 a day are allowed", n)
	}
	if f.tally.count("RATE_LIMITED") == 0 {
		t.Errorf("nothing was refused, so the test proves little")
	}
	if len(samples) < 10 || samples[len(samples)-1].after < 2*time.Minute {
		return
	}
	for _, what := range []string{"TOO_MANY_CALLS", "created", "served"} {
		if f.tally.count(what) == 0 {
			t.Errorf("nothing came to %s, so the test proves little", what)
		}
	}
	half := len(samples) / 2
	early, late := highest(samples[:half]), highest(samples[half:])
	t.Logf("first half: %.0f MiB resident, %.0f MiB file; second half: %.0f and %.0f",
		early.resident/(1<<20), early.file/(1<<20), late.resident/(1<<20), late.file/(1<<20))
	// A busy machine collects late, so what is resident goes up and down by half. The file may still take what an
	// address may have stored in a day.
	if late.resident > early.resident*1.5+64<<20 || late.file > early.file+64<<20 {
		t.Error("memory or file go on growing")
	}
	for _, wrong := range growth(t, samples) {
		t.Error(wrong)
	}
}

// growth says what of the memory in use goes on growing. It comes and goes with the calls: its least is what stays, and
// its middle shows a slope that one quiet moment would hide. It reaches its bounds in the first third. The games that
// the stranger makes all the while have a bound of their own, which ten minutes do not reach.
func growth(t *testing.T, samples []sample) (wrong []string) {
	third := len(samples) / 3
	before, after := beside(samples[third:2*third]), beside(samples[2*third:])
	for _, q := range []struct {
		what string
		at   float64
		most float64 // MiB
	}{{"the least", 0, 10}, {"the middle", .5, 32}} {
		at := func(sorted []float64) float64 { return sorted[int(q.at*float64(len(sorted)-1))] / (1 << 20) }
		t.Logf("%s in use beside games: %.0f MiB in the second third, %.0f in the last", q.what, at(before), at(after))
		if at(after) > at(before)+q.most {
			wrong = append(wrong, q.what+" of the memory in use beside games goes on growing")
		}
	}
	return wrong
}

// beside is the memory that was in use after a collection, beside what the games in memory are said to take; sorted.
func beside(samples []sample) (sorted []float64) {
	for _, s := range samples {
		sorted = append(sorted, s.used-s.live)
	}
	slices.Sort(sorted)
	return sorted
}

func highest(samples []sample) (most sample) {
	for _, s := range samples {
		most.resident, most.file = math.Max(most.resident, s.resident), math.Max(most.file, s.file)
	}
	return most
}

// look reads the state of the program.
func (f *field) look(db string) (s sample) {
	f.t.Helper()
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get("http://" + f.p.opsAddress() + "/metrics")
	if err != nil {
		f.t.Fatal(err)
	}
	defer answer.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(answer.Body)
	if err != nil {
		f.t.Fatal(err)
	}
	for name, to := range map[string]*float64{
		"process_resident_memory_bytes": &s.resident, "go_memstats_heap_inuse_bytes": &s.heap,
		"go_gc_heap_live_bytes": &s.used, "go_goroutines": &s.goroutines,
		"warledger_live_bytes": &s.live, "warledger_calls": &s.calls, "warledger_connections": &s.connections,
	} {
		*to = families[name].GetMetric()[0].GetGauge().GetValue()
	}
	files, err := filepath.Glob(db + "*")
	if err != nil {
		f.t.Fatal(err)
	}
	for _, name := range files { // with what lies beside it
		if info, err := os.Stat(name); err == nil {
			s.file += float64(info.Size())
		}
	}
	return s
}

// from dials as another address of this host.
func from(address string) *net.Dialer {
	return &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: 10 * time.Second}
}

func (f *field) grpc(address string) *grpc.ClientConn {
	f.t.Helper()
	conn, err := grpc.NewClient(f.p.grpcAddress(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithStaticStreamWindowSize(64<<10),
		grpc.WithContextDialer(func(ctx context.Context, to string) (net.Conn, error) {
			return from(address).DialContext(ctx, "tcp", to)
		}))
	if err != nil {
		f.t.Fatal(err)
	}
	f.closing = append(f.closing, func() { _ = conn.Close() })
	return conn
}

// honest is a player who holds both seats of a game.
type honest struct {
	t      *testing.T
	conn   *grpc.ClientConn
	name   string
	tokens map[string]string
	games  int

	mu     sync.Mutex
	took   []time.Duration
	looked int
	// alone is how many commands were made before the stranger came.
	alone int
}

// sit begins a game and takes its seats.
func (h *honest) sit(ctx context.Context) {
	games := v1.NewGameServiceClient(h.conn)
	made, err := games.CreateGame(ctx, &v1.CreateGameRequest{
		RequestId: uuid.NewString(), Ruleset: "rulesets/anniversary",
		Source: &v1.CreateGameRequest_Scenario{Scenario: "1941"},
	}, grpc.WaitForReady(true))
	if err != nil {
		h.wrong(ctx, err)
		return
	}
	h.name, h.tokens = made.Game.Name, map[string]string{}
	h.games++
	for _, seat := range made.Game.Seats {
		out, err := games.TakeSeat(ctx,
			&v1.TakeSeatRequest{Name: h.name, Seat: seat.Id, Holder: "honest", RequestId: uuid.NewString()})
		if err != nil {
			h.wrong(ctx, err)
			return
		}
		h.tokens[seat.Id] = out.SeatToken
	}
}

// wrong reports an error that a player must never get.
func (h *honest) wrong(ctx context.Context, err error) {
	if end, _ := ctx.Deadline(); ctx.Err() == nil && time.Until(end) > time.Second { // the server may see the end first
		h.t.Errorf("the player: %v", err)
	}
}

// play makes legal commands until the time is over, ten a second at most, as a quick bot would within
// what a token may ask for.
//
// Enough is asked between two commands: a command that was cut off could still be carried out behind the next list.
func (h *honest) play(ctx context.Context, enough func() bool) {
	games := v1.NewGameServiceClient(h.conn)
	pace := time.NewTicker(100 * time.Millisecond)
	defer pace.Stop()
	for n := 0; ctx.Err() == nil && !enough(); n++ {
		now, err := games.GetGame(ctx, &v1.GetGameRequest{Name: h.name})
		if err != nil {
			h.wrong(ctx, err)
			return
		}
		if len(now.Game.WaitingFor) == 0 {
			h.sit(ctx)
			continue
		}
		as := bearer(ctx, h.tokens[now.Game.WaitingFor[0]])
		list, err := games.ListLegalActions(as, &v1.ListLegalActionsRequest{Name: h.name})
		if err != nil {
			h.wrong(ctx, err)
			return
		}
		if len(list.Actions) == 0 {
			h.t.Error("the player has nothing to do")
			return
		}
		choice := list.Actions[n*7919%len(list.Actions)]
		begun := time.Now()
		_, err = games.SubmitCommand(as,
			&v1.SubmitCommandRequest{Name: h.name, CommandId: uuid.NewString(),
				Form: &v1.SubmitCommandRequest_Notation{Notation: choice.Command}})
		if err != nil {
			h.wrong(ctx, err)
			return
		}
		h.mu.Lock()
		h.took = append(h.took, time.Since(begun))
		h.mu.Unlock()
		select {
		case <-pace.C:
		case <-ctx.Done():
		}
	}
}

// since is how many commands were made since the last time, and how long half and nearly all of them took at most.
func (h *honest) since() (n int, p50, p99 time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	part := h.took[h.looked:]
	h.looked = len(h.took)
	return quantiles(part)
}

// played is how many commands were made since the stranger came.
func (h *honest) played() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.took) - h.alone
}

// all is like since for all commands from when the stranger came.
func (h *honest) all() (n int, p50, p99 time.Duration) { return quantiles(h.took[h.alone:]) }

func quantiles(took []time.Duration) (n int, p50, p99 time.Duration) {
	if len(took) == 0 {
		return 0, 0, 0
	}
	sorted := slices.Sorted(slices.Values(took))
	at := func(q float64) time.Duration {
		return sorted[int(q*float64(len(sorted)-1))].Round(10 * time.Microsecond)
	}
	return len(took), at(.5), at(.99)
}

// tally counts the outcomes of calls.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (t *tally) add(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[what]++
}

func (t *tally) count(what string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[what]
}

func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for what, n := range t.counts {
		lines = append(lines, fmt.Sprintf("%9d %s", n, what))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// outcome is the reason of an error, or its code.
func outcome(err error) string {
	if err == nil {
		return "served"
	}
	st := status.Convert(err)
	for _, d := range st.Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	return st.Code().String()
}
