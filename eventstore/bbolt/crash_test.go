package boltstore

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/warledger/warledger/eventstore/storetest"
)

// crashFile names the environment variable that makes this test binary a writer to be killed. With crashPoint it kills
// itself, when it comes to that point for as many times as crashCount says.
const (
	crashFile  = "WARLEDGER_TEST_CRASH_FILE"
	crashPoint = "WARLEDGER_TEST_CRASH_POINT"
	crashCount = "WARLEDGER_TEST_CRASH_COUNT"
)

const crashStreams = 8

// crashRecent is small, so that there are merges between a kill and the next.
const crashRecent = 16 << 10

func crashStream(i int) string { return fmt.Sprint("stream-", i) }

// crashData is what a version of a stream must hold, whichever life of the writer stored it.
func crashData(stream string, version uint64) string {
	return strings.Repeat(fmt.Sprint(stream, " ", version, "; "), 1+int(version%40))
}

// appendUntilKilled appends to several streams at once and prints a line for each append that was acknowledged.
func appendUntilKilled(path string) {
	left, _ := strconv.Atoi(os.Getenv(crashCount))
	s, err := Open(path, Options{recent: crashRecent, hooks: hooks{point(os.Getenv(crashPoint)): func() error {
		if left--; left == 0 {
			self, err := os.FindProcess(os.Getpid())
			if err != nil || self.Kill() != nil {
				os.Exit(1)
			}
			select {} // until it has come
		}
		return nil
	}}})
	if err != nil {
		fmt.Println("failed", err)
		os.Exit(1)
	}
	var wg sync.WaitGroup
	for i := range crashStreams {
		wg.Go(func() {
			c := &storetest.Chain{Stream: crashStream(i)}
			if info, err := s.Head(context.Background(), c.Stream); err == nil {
				c.Version, c.Hash = info.Version, info.Hash
			}
			for {
				version := c.Version + 1
				err := s.Append(context.Background(), c.Next(fmt.Sprint("key-", version), crashData(c.Stream, version)))
				if err != nil {
					fmt.Println("failed", err)
					os.Exit(1)
				}
				os.Stdout.WriteString(fmt.Sprintln("ack", i, version))
			}
		})
	}
	wg.Wait()
}

// TestKilledWriterKeepsWhatItAcknowledged kills a process that appends, at random moments, again and again on one file.
func TestKilledWriterKeepsWhatItAcknowledged(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	acked := make([]uint64, crashStreams)
	for range 12 {
		runUntilKilled(t, path, acked, 1+rand.IntN(300))
		wantAcknowledged(t, path, acked)
	}
}

// TestKilledAtEachPoint has the process die right before and after each sync and rename, in the first life of a file
// and in later ones.
func TestKilledAtEachPoint(t *testing.T) {
	t.Parallel()
	for _, at := range []point{beforeFormat, afterFormat, beforeName, afterName, afterNameSync, beforeOpenSync,
		afterOpenSync, beforeCommit, afterCommit, beforeMerge, afterMerge} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			path := newPath(t)
			acked := make([]uint64, crashStreams)
			for _, count := range []int{1, 2, 5} {
				if count > 1 && !slices.Contains([]point{beforeCommit, afterCommit, beforeMerge, afterMerge}, at) {
					break // a file is made once, and opened once in a life
				}
				runUntilKilled(t, path, acked, -1, crashPoint+"="+string(at), crashCount+"="+strconv.Itoa(count))
				wantAcknowledged(t, path, acked)
			}
			runUntilKilled(t, path, acked, 20)
			wantAcknowledged(t, path, acked)
		})
	}
}

// wantAcknowledged opens the file, or makes it if its maker died too soon, and looks for what was acknowledged.
func wantAcknowledged(t *testing.T, path string, acked []uint64) {
	t.Helper()
	s := mustOpen(t, path, Options{})
	storetest.MustBeSound(t, s)
	for i, version := range acked {
		if version == 0 {
			continue
		}
		all := storetest.ReadAll(t, s, crashStream(i), 0)
		if uint64(len(all)) < version {
			t.Errorf("%s has %d entries, %d were acknowledged", crashStream(i), len(all), version)
		}
		for _, e := range all {
			if string(e.Data) != crashData(crashStream(i), e.Version) || e.Key != fmt.Sprint("key-", e.Version) {
				t.Errorf("%s version %d has changed", crashStream(i), e.Version)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// runUntilKilled kills the writer after so many acknowledgements, and notes those that came through before it died.
func runUntilKilled(t *testing.T, path string, acked []uint64, after int, environment ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), crashFile+"="+path), environment...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines, n := bufio.NewScanner(out), 0; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 3 && words[0] == "ack" {
			stream, _ := strconv.Atoi(words[1])
			acked[stream], _ = strconv.ParseUint(words[2], 10, 64)
		} else {
			t.Errorf("the writer said %q", lines.Text())
		}
		if n == after {
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != -1 {
		t.Errorf("the writer ended by itself, with code %d", code)
	}
}
