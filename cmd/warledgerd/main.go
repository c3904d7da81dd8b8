// Command warledgerd is the server: it keeps games in one file and serves them over gRPC.
//
// Without arguments it serves gRPC on localhost:7480 and the same calls over HTTP (Connect, gRPC-Web, JSON) on localhost:7482, with the file
// warledger.db in the folder it was started in, and answers /metrics, /healthz and /readyz on localhost:7481. Every setting is a flag (--help lists them), an environment variable (WARLEDGER_LISTEN for
// --listen) or a key of a JSON file ({"listen": "…"}, read with --config or WARLEDGER_CONFIG), the earlier of these winning.
//
// It stops on SIGINT and SIGTERM, in good order; a second signal stops it at once. Exit codes: 0 after a clean stop, 1 if it could
// not run, 2 if its settings are wrong, 3 if calls had to be cut off.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	os.Exit(run(context.Background(), os.Args[1:], signals, os.Stdout, os.Stderr))
}

// run is the whole program; it returns its exit code.
func run(ctx context.Context, args []string, signals <-chan os.Signal, out, errs io.Writer) int {
	set, done, err := readSettings(args, out)
	if err != nil {
		fmt.Fprintf(errs, "warledgerd: %v\n", err)
		return 2
	}
	if done { // it was asked for help or its version
		return 0
	}
	clean, err := serve(ctx, set, signals, out, errs)
	switch {
	case err != nil:
		fmt.Fprintf(errs, "warledgerd: %v\n", err)
		return 1
	case !clean:
		return 3
	}
	return 0
}
