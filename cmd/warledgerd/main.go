// Command warledgerd is the server: it keeps games in one file, or in a database, and serves them over gRPC.
//
// Without arguments it serves gRPC on localhost:7480 and the same calls over HTTP (Connect, gRPC-Web, JSON) on
// localhost:7482, with the file warledger.db in the folder it was started in, and answers /metrics, /healthz and
// /readyz on localhost:7481. Every setting is a flag (--help lists them), an environment variable
// (WARLEDGER_LISTEN for --listen) or a key of a JSON file ({"listen": "…"}, read with --config or
// WARLEDGER_CONFIG), the earlier of these winning.
//
// It stops on SIGINT and SIGTERM, in good order; a second signal stops it at once. Exit codes: 0 after a clean stop, 1
// if it could not run, 2 if its settings are wrong, 3 if calls took too long and were cut off, 4 if a second signal cut
// them off. SIGHUP has it read its certificate again.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/warledger/warledger/cmd/internal/secret"
)

func main() {
	stop, reload := make(chan os.Signal, 2), make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	signal.Notify(reload, syscall.SIGHUP)
	os.Exit(run(context.Background(), os.Args[1:], signals{stop, reload}, os.Stdout, os.Stderr))
}

// run is the whole program; it returns its exit code.
func run(ctx context.Context, args []string, sig signals, out, errs io.Writer) int {
	given := slices.Concat(args, []string{os.Getenv("WARLEDGER_STORE"), os.Getenv("WARLEDGER_DB")})
	set, done, err := readSettings(args, out)
	if set != nil { // what the file says too
		given = append(given, set.Store, set.DB)
	}
	passwords := secret.Passwords(given...)
	out, errs = secret.Writer(out, passwords), secret.Writer(errs, passwords)
	if err != nil {
		fmt.Fprintf(errs, "warledgerd: %v\n", err)
		return int(misused)
	}
	if done { // it was asked for help or its version
		return int(clean)
	}
	end, err := serve(ctx, set, sig, out, errs)
	if err != nil {
		fmt.Fprintf(errs, "warledgerd: %v\n", err)
		return int(failed)
	}
	return int(end)
}
