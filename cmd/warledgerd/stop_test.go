package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/server"
)

// asProgram is the environment variable that has the test's binary be the program, with its arguments; dieAt names the
// step of stopping at which it kills itself.
const (
	asProgram = "WARLEDGERD_TEST_ARGS"
	dieAt     = "WARLEDGERD_TEST_DIE_AT"
)

func runAsProgram(args []string) int {
	onStep = func(step string) {
		if step == os.Getenv(dieAt) {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until it has come
		}
	}
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, syscall.SIGTERM)
	return run(context.Background(), args, signals{stop: stop}, os.Stdout, os.Stderr)
}

// spawn starts the program as a process of its own.
func spawn(t *testing.T, step string, args ...string) (*exec.Cmd, *process) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asProgram+"="+strings.Join(args, "\n"), dieAt+"="+step)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // where the test has not ended it
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, &process{t: t, line: line}
}

func dial(t *testing.T, address string) (v1.GameServiceClient, *grpc.ClientConn) {
	t.Helper()
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	return v1.NewGameServiceClient(conn), conn
}

// TestKilledAtEachStep kills the stopping program at each of its steps; what it had acknowledged is there
// when it is started again.
func TestKilledAtEachStep(t *testing.T) {
	t.Parallel()
	steps := []server.Step{server.StepNotServing, server.StepDrain, server.StepLeave, server.StepCalls,
		server.StepClose, stepClosing}
	db := filepath.Join(t.TempDir(), "games.db")
	args := []string{"--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--db", db,
		"--with-toy"}
	var names []string
	for _, step := range steps {
		cmd, p := spawn(t, string(step), args...)
		games, conn := dial(t, p.grpcAddress())
		for _, name := range names {
			if _, err := games.GetGame(context.Background(), &v1.GetGameRequest{Name: name}); err != nil {
				t.Errorf("before %q: %s: %v", step, name, err)
			}
		}
		made, err := games.CreateGame(context.Background(), &v1.CreateGameRequest{
			RequestId: uuid.NewString(), Ruleset: "rulesets/toy",
			Source: &v1.CreateGameRequest_Scenario{Scenario: "ridge"},
		})
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, made.Game.Name)
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
			t.Errorf("at %q it ended with %v", step, cmd.ProcessState)
		}
		_ = conn.Close()
	}
	p := launch(t, args...)
	games, conn := dial(t, p.grpcAddress())
	list, err := games.ListGames(context.Background(), &v1.ListGamesRequest{})
	if err != nil || len(list.Games) != len(steps) {
		t.Errorf("%d games, want %d: %v", len(list.GetGames()), len(steps), err)
	}
	_ = conn.Close()
	p.interrupt()
}

// hold keeps a call running that never ends by itself.
func hold(t *testing.T, address string) *grpc.ClientConn {
	t.Helper()
	_, conn := dial(t, address)
	stream, err := reflectionpb.NewServerReflectionClient(conn).ServerReflectionInfo(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(
		&reflectionpb.ServerReflectionRequest{MessageRequest: &reflectionpb.ServerReflectionRequest_ListServices{}},
	); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	return conn
}

// TestExitCodes has the program end in each way that it can after it has served.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	args := func(more ...string) []string {
		return append([]string{"--listen", "127.0.0.1:0", "--web", "off", "--ops", "off", "--db",
			filepath.Join(t.TempDir(), "x.db")}, more...)
	}
	patient := launch(t, args()...)
	patient.signals <- os.Interrupt
	if code := <-patient.code; code != int(clean) {
		t.Errorf("nothing to wait for: exit code %d", code)
	}
	strict := launch(t, args("--grace", "1ms")...)
	conn := hold(t, strict.grpcAddress())
	strict.signals <- os.Interrupt
	if code := <-strict.code; code != int(cutOff) {
		t.Errorf("calls that take longer than the grace: exit code %d", code)
	}
	_ = conn.Close()
	slow := launch(t, args("--grace", "1h", "--drain", "1h")...)
	conn = hold(t, slow.grpcAddress())
	slow.signals <- os.Interrupt
	slow.signals <- os.Interrupt
	if code := <-slow.code; code != int(hurried) {
		t.Errorf("a second signal: exit code %d", code)
	}
	_ = conn.Close()
}
