package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	warledger "github.com/warledger/warledger/clients/go"
	adminv1 "github.com/warledger/warledger/proto/warledger/admin/v1"
	"github.com/warledger/warledger/proto/warledger/admin/v1/adminv1connect"
)

// adminCmd is for the operator of a server.
type adminCmd struct {
	Ops       string `help:"The server's port for operations. By default localhost:7481 if the server is on this host." env:"WARLEDGER_OPS" placeholder:"HOST:PORT"`
	TokenFile string `help:"File with the server's admin token." env:"WARLEDGER_ADMIN_TOKEN_FILE" placeholder:"FILE"`

	Stats   adminStatsCmd   `cmd:"" help:"Print figures of the server and its store."`
	Check   adminCheckCmd   `cmd:"" help:"Examine everything stored: at the running server, or with --db or --store without one."`
	Compact adminCompactCmd `cmd:"" help:"Write a file of games anew without the room left free in it, without the server."`
	Backup  adminBackupCmd  `cmd:"" help:"Copy all games to a file while the server runs, or with --db or --store without it. The file holds the secrets of every game."`
	Restore adminRestoreCmd `cmd:"" help:"Put a backup where a server will look for its games, without the server."`
	Migrate adminMigrateCmd `cmd:"" help:"Move all games from a file to a database, or back, without the server."`
	Reopen  adminReopenCmd  `cmd:"" help:"Let servers serve games again where they were before they were moved."`
	Tokens  adminTokensCmd  `cmd:"" help:"List what opens a game, make it void, or replace what was lost."`
}

// operations calls the server's administration. The token is sent to no other host than the one that was named.
func (a *app) operations() (adminv1connect.AdminServiceClient, error) {
	c := &a.line.Admin
	if c.Ops == "" && !warledger.OnThisHost(a.line.Server) {
		return nil, usageError{fmt.Sprintf("name the port for operations of %s in --ops: only that of a server on "+
			"this host is known", a.line.Server)}
	}
	if c.Ops == "" {
		c.Ops = "localhost:7481"
	}
	if c.TokenFile == "" {
		return nil, usageError{
			"name the file with the server's admin token in --token-file or WARLEDGER_ADMIN_TOKEN_FILE",
		}
	}
	data, err := os.ReadFile(c.TokenFile)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true // one command, one call
	return adminv1connect.NewAdminServiceClient(
		&http.Client{Transport: &bearer{transport, strings.TrimSpace(string(data))}}, "http://"+
			c.Ops, connect.WithGRPCWeb()), nil
}

// bearer adds a token to each request.
type bearer struct {
	next  http.RoundTripper
	token string
}

// RoundTrip sends the request with the token.
func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

// ofServer makes an error that the exit code can be told from.
func (a *app) ofServer(err error) error {
	var e *connect.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	if e.Code() == connect.CodeUnimplemented {
		return status.Error(codes.Unimplemented,
			"that server has no administration on this port: it needs --admin-token-file")
	}
	if e.Code() == connect.CodeUnavailable {
		return status.Errorf(codes.Unavailable, "the port for operations, %s, does not answer: %s "+
			"(--ops names another)", a.line.Admin.Ops, e.Message())
	}
	return status.Error(codes.Code(e.Code()), e.Message())
}

type adminStatsCmd struct{}

// Run prints figures.
func (adminStatsCmd) Run(a *app) error {
	c, err := a.operations()
	if err != nil {
		return err
	}
	out, err := c.GetStats(a.ctx, connect.NewRequest(&adminv1.GetStatsRequest{}))
	if err != nil {
		return a.ofServer(err)
	}
	m := out.Msg
	return a.message(m, func() {
		perBatch, perCommit := 0.0, time.Duration(0)
		if m.Batches > 0 {
			perBatch = float64(m.Appends) / float64(m.Batches)
			perCommit = m.CommitDuration.AsDuration() / time.Duration(m.Batches)
		}
		a.table([][]string{
			{"started", m.StartTime.AsTime().Local().Format(time.RFC3339)},
			{"games stored", fmt.Sprint(m.StoredGames)}, {"games in memory", fmt.Sprint(m.LiveGames)},
			{"watches", fmt.Sprint(m.Watchers)},
			{"appends", fmt.Sprintf("%d, %d refused", m.Appends, m.RefusedAppends)},
			{"entries", fmt.Sprintf("%d, %d bytes", m.Entries, m.Bytes)},
			{"commits", fmt.Sprintf("%d, %d failed, %.1f appends each, at most %d, %s each",
				m.Batches, m.FailedBatches, perBatch, m.LargestBatch, perCommit.Round(time.Microsecond))},
		})
	})
}

type adminTokensCmd struct {
	List    adminTokenListCmd    `cmd:"" default:"withargs" help:"List what opens a game."`
	Revoke  adminTokenRevokeCmd  `cmd:"" help:"Make a token void at once."`
	Reissue adminTokenReissueCmd `cmd:"" help:"Give a new token for the owner's, or a held seat's, that was lost."`
}

type adminTokenListCmd struct {
	Game string `arg:"" help:"Name of the game (\"games/...\")."`
}

// Run lists tokens.
func (c adminTokenListCmd) Run(a *app) error {
	client, err := a.operations()
	if err != nil {
		return err
	}
	out, err := client.ListTokens(a.ctx, connect.NewRequest(&adminv1.ListTokensRequest{Parent: gameOf(c.Game)}))
	if err != nil {
		return a.ofServer(err)
	}
	return a.message(out.Msg, func() {
		rows := [][]string{a.heads("SEAT", "RIGHTS", "HOLDER", "EXPIRES", "TOKEN", "NOTE")}
		for _, t := range out.Msg.Tokens {
			seat, expires := t.Seat, "never"
			if seat == "" {
				seat = "(owner)"
			}
			if t.ExpireTime != nil {
				expires = t.ExpireTime.AsTime().Local().Format(time.DateTime)
			}
			rows = append(rows, []string{seat, t.Rights, orDash(t.Holder), expires, t.Name, t.Note})
		}
		a.table(rows)
	})
}

// gameOf completes the name of a game.
func gameOf(given string) string {
	if strings.HasPrefix(given, "games/") {
		return given
	}
	return "games/" + given
}

type adminTokenRevokeCmd struct {
	Token string `arg:"" help:"Name of the token (\"games/.../tokens/...\"), as list gives it."`
}

// Run makes a token void.
func (c adminTokenRevokeCmd) Run(a *app) error {
	client, err := a.operations()
	if err != nil {
		return err
	}
	out, err := client.RevokeToken(a.ctx, connect.NewRequest(&adminv1.RevokeTokenRequest{Name: c.Token}))
	if err != nil {
		return a.ofServer(err)
	}
	return a.message(out.Msg, func() { a.say("%s opens nothing any more\n", c.Token) })
}

type adminTokenReissueCmd struct {
	Game string `arg:"" help:"Name of the game (\"games/...\")."`
	Seat string `arg:"" optional:"" help:"Id of the seat; the owner if not given."`
}

// Run prints a new token.
func (c adminTokenReissueCmd) Run(a *app) error {
	client, err := a.operations()
	if err != nil {
		return err
	}
	out, err := client.ReissueToken(a.ctx, connect.NewRequest(&adminv1.ReissueTokenRequest{
		Parent: gameOf(c.Game), Seat: c.Seat, RequestId: uuid.NewString(),
	}))
	if err != nil {
		return a.ofServer(err)
	}
	return a.message(out.Msg, func() { a.say("%s\n", out.Msg.Secret) })
}
