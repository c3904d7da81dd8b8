// Command warledger plays, watches, replays and checks board wargames at a Warledger server, and
// simulates them without one.
//
// What it prints is for people; with -o json it is for programs: the messages of the contract as JSON, on standard
// output. Errors go to standard error and tell by the exit code what kind they are:
//
//	0    done
//	1    failed for another reason than those below
//	2    the command line is wrong
//	3    the rules or the table refuse it: nothing happened
//	4    the game, seat, scenario or rule is not there
//	5    a token is missing or opens something else
//	6    the game has moved on meanwhile: look again
//	7    the server cannot be reached or is not ready
//	8    verify, audit, sim or doctor found something wrong
//	130  interrupted
//
// Tokens of games that were created or joined are kept in a file that nobody else may read, under the folder for
// settings of the system or WARLEDGER_CONFIG_DIR, so that one person can play several seats.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], system())
	stop()
	os.Exit(code)
}
