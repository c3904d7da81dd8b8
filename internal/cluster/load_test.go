//go:build linux

package cluster

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/warledger/warledger/clients/bot"
	warledger "github.com/warledger/warledger/clients/go"
	"github.com/warledger/warledger/eventstore/postgres/pgtest"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// loadGames is how many games are played at once, two bots in each.
const loadGames = 64

// BenchmarkBots has bots of the SDK play whole games at one server on PostgreSQL, and says what a command costs the
// server and the database with all that comes with it: the lists of what may be done, the watches of both seats, new
// games and seats.
func BenchmarkBots(b *testing.B) {
	for _, played := range [][2]string{{"toy", "ridge"}, {"downfall", "olympic"}} {
		b.Run(played[0], func(b *testing.B) {
			d := pgtest.New(b)
			server, target := serveLoad(b, d.DSN())
			client := dialLoad(b, target)
			postmaster := pidOf(b, filepath.Join(d.Socket(), "data", "postmaster.pid"))
			var commands atomic.Int64
			ctx, stop := context.WithCancel(b.Context())
			defer stop()
			serverBegan, databaseBegan := cpu(server), family(postmaster)
			b.ResetTimer()
			begun := time.Now()
			var playing sync.WaitGroup
			for i := range loadGames {
				playing.Go(func() {
					for seed := uint64(i); ctx.Err() == nil; seed += loadGames {
						if err := botGame(ctx, client, played, seed, func(*v1.Record) {
							if commands.Add(1) >= int64(b.N) {
								stop()
							}
						}); err != nil && ctx.Err() == nil {
							b.Error(err)
							return
						}
					}
				})
			}
			playing.Wait()
			took, n := time.Since(begun), float64(commands.Load())
			b.ReportMetric(n/took.Seconds(), "commands/s")
			b.ReportMetric(float64((cpu(server)-serverBegan).Microseconds())/n, "server-µs/command")
			b.ReportMetric(float64((family(postmaster)-databaseBegan).Microseconds())/n, "database-µs/command")
		})
	}
}

// botGame plays one game to its end.
func botGame(
	ctx context.Context, client *warledger.Client, played [2]string, seed uint64, told func(*v1.Record),
) error {
	made, err := client.Create(ctx, &v1.CreateGameRequest{Ruleset: "rulesets/" + played[0],
		Source: &v1.CreateGameRequest_Scenario{Scenario: played[1]}})
	if err != nil {
		return err
	}
	failed := make(chan error, len(made.Game.Seats))
	for i, s := range made.Game.Seats {
		sat, err := client.Game(made.Game.Name, s.Id).Take(ctx, s.Id, "bot", nil)
		if err != nil {
			return err
		}
		p := &bot.Player{Bot: bot.NewRandom(seed + uint64(i)<<32), AgreeToUndo: true, Played: told,
			Game: client.Game(made.Game.Name, s.Id).WithTokens(warledger.TokenFunc(
				func(context.Context, string) ([]string, error) { return []string{sat.SeatToken}, nil }))}
		go func() {
			_, err := p.Play(ctx)
			failed <- err
		}()
	}
	for range made.Game.Seats {
		if e := <-failed; e != nil && err == nil {
			err = e
		}
	}
	return err
}

// BenchmarkWatches opens watches, each by a connection of its own, and says what each costs the server while nothing
// happens.
func BenchmarkWatches(b *testing.B) {
	d := pgtest.New(b)
	server, target := serveLoad(b, d.DSN())
	client := dialLoad(b, target)
	var names []string
	for range min(b.N, 1000) {
		made, err := client.Create(b.Context(), &v1.CreateGameRequest{Ruleset: "rulesets/toy",
			Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"}})
		if err != nil {
			b.Fatal(err)
		}
		names = append(names, made.Game.Name)
	}
	before := resident(b, server)
	ctx, stop := context.WithCancel(b.Context())
	var watching sync.WaitGroup
	for i := range b.N {
		own, err := warledger.Dial(target)
		if err != nil {
			b.Fatal(err)
		}
		caught := make(chan struct{})
		watching.Go(func() {
			defer own.Close()
			for u, err := range own.Game(names[i%len(names)], "").Watch(ctx, warledger.WatchOptions{}) {
				if err == nil && u.CaughtUp != nil {
					close(caught)
				}
			}
		})
		<-caught
	}
	b.ReportMetric(float64(resident(b, server)-before)/float64(b.N)/1024, "KiB/watch")
	postmaster := pidOf(b, filepath.Join(d.Socket(), "data", "postmaster.pid"))
	serverBegan, databaseBegan, begun := cpu(server), family(postmaster), time.Now()
	time.Sleep(20 * time.Second)
	took := time.Since(begun).Seconds() * float64(b.N)
	b.ReportMetric(float64((cpu(server)-serverBegan).Microseconds())/took, "server-µs/watch/s")
	b.ReportMetric(float64((family(postmaster)-databaseBegan).Microseconds())/took, "database-µs/watch/s")
	stop()
	watching.Wait()
}

// serveLoad starts a server on a database, and returns its process and its address.
func serveLoad(b *testing.B, store string) (pid int, target string) {
	b.Helper()
	cmd := exec.Command(product(b), "--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--store", store,
		"--signing-key", filepath.Join(b.TempDir(), "key"), "--with-toy", "--own-computer-seats", "0", "--log-level",
		"error", "--games", "0")
	cmd.SysProcAttr, cmd.Stderr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	_, rest, _ := strings.Cut(line, " on ")
	target, _, found := strings.Cut(rest, ",")
	if err != nil || !found {
		b.Fatalf("it says %q: %v", line, err)
	}
	return cmd.Process.Pid, target
}

func dialLoad(b *testing.B, target string) *warledger.Client {
	b.Helper()
	client, err := warledger.Dial(target)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = client.Close() })
	return client
}

func pidOf(b *testing.B, file string) int {
	b.Helper()
	text, err := os.ReadFile(file)
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err2 := strconv.Atoi(first)
	if err != nil || err2 != nil {
		b.Fatal(err, err2)
	}
	return pid
}

// tick is the unit of processor times in /proc.
const tick = 10 * time.Millisecond

// stat is what /proc has about a process: its parent, its time, and that of its children that have ended.
func stat(pid int) (parent int, own, ended time.Duration) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 15 {
		return 0, 0, 0
	}
	n := func(i int) int {
		v, _ := strconv.Atoi(fields[i])
		return v
	}
	return n(1), tick * time.Duration(n(11)+n(12)), tick * time.Duration(n(13)+n(14))
}

// cpu is the processor's time that a process has used.
func cpu(pid int) time.Duration {
	_, own, _ := stat(pid)
	return own
}

// family is that of a process and its children, also of those that have ended.
func family(pid int) time.Duration {
	_, own, ended := stat(pid)
	sum := own + ended
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range all {
		child, _ := strconv.Atoi(filepath.Base(p))
		if parent, own, _ := stat(child); parent == pid {
			sum += own
		}
	}
	return sum
}

// resident is the memory of a process in bytes.
func resident(b *testing.B, pid int) int {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		b.Fatal(err)
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize()
}
