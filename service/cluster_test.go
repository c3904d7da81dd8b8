package service_test

import (
	"os"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/memory"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// cluster starts several servers on one store, as several machines would run them.
func cluster(t testing.TB, n int, set ...func(*setting)) (hosts []*host) {
	t.Helper()
	var handle func() eventstore.Store
	if os.Getenv(storeVariable) == "postgres" {
		handle = onPostgreSQL(t)
	} else {
		first := memory.New()
		t.Cleanup(func() { must(t, first.Close()) })
		handle = shares(t, first)
	}
	for range n {
		store := handle()
		hosts = append(hosts, open(t, append(slices.Clone(set), func(s *setting) { s.store = store })...))
	}
	return hosts
}

// on is the same game at another server.
func (g *table) on(h *host) *table {
	other := *g
	other.host = h
	return &other
}

// TestMetadataOfTwoServers has one server change what is kept beside a game's log, while another has the game in memory
// as it was before. What the other then writes loses nothing of that; a third server, which reads it all anew, says so.
func TestMetadataOfTwoServers(t *testing.T) {
	t.Parallel()
	void := func(t *testing.T, g *table, token string) {
		t.Helper()
		_, err := g.games.GetGame(as(token), &v1.GetGameRequest{Name: g.name})
		wantError(t, err, codes.Unauthenticated, fault.TokenRevoked)
	}
	two := func(t *testing.T, g *table, _ string) {
		t.Helper()
		out, err := v1.NewAccessServiceClient(g.conn).ListTokens(as(g.red), &v1.ListTokensRequest{Parent: g.name})
		if must(t, err); len(out.Tokens) != 2 {
			t.Errorf("red has the tokens %v, want two", out.Tokens)
		}
	}
	revoke := func(t *testing.T, g *table, token *v1.CreateTokenResponse) {
		t.Helper()
		_, err := v1.NewAccessServiceClient(g.conn).RevokeToken(as(g.red),
			&v1.RevokeTokenRequest{Name: token.Token.Name})
		must(t, err)
	}
	record := func(g *table) { g.do(g.red, "plan 0303") }
	for name, tt := range map[string]struct {
		here, there func(t *testing.T, g *table, token *v1.CreateTokenResponse)
		want        func(t *testing.T, g *table, token string)
	}{
		"a revoked token stays void after a record": {
			here:  revoke,
			there: func(_ *testing.T, g *table, _ *v1.CreateTokenResponse) { record(g) },
			want:  void,
		},
		"a revoked token stays void after another is made": {
			here:  revoke,
			there: func(_ *testing.T, g *table, _ *v1.CreateTokenResponse) { g.made(g.blue, "", v1.Rights_RIGHTS_ACT) },
			want:  void,
		},
		"a new token stays after a record": {
			here:  func(_ *testing.T, g *table, _ *v1.CreateTokenResponse) { g.made(g.red, "", v1.Rights_RIGHTS_SEE) },
			there: func(_ *testing.T, g *table, _ *v1.CreateTokenResponse) { record(g) },
			want:  two,
		},
		"a new token stays after another is made": {
			here:  func(_ *testing.T, g *table, _ *v1.CreateTokenResponse) { g.made(g.red, "", v1.Rights_RIGHTS_SEE) },
			there: func(_ *testing.T, g *table, _ *v1.CreateTokenResponse) { g.made(g.blue, "", v1.Rights_RIGHTS_ACT) },
			want:  two,
		},
		"the list shows a record after a token is made": {
			here:  func(_ *testing.T, g *table, _ *v1.CreateTokenResponse) { record(g) },
			there: func(_ *testing.T, g *table, _ *v1.CreateTokenResponse) { g.made(g.blue, "", v1.Rights_RIGHTS_ACT) },
			want: func(t *testing.T, g *table, _ string) {
				t.Helper()
				list, err := g.games.ListGames(as(), &v1.ListGamesRequest{})
				must(t, err)
				if len(list.Games) != 1 || list.Games[0].Version != 4 {
					t.Errorf("the list shows %v, want version 4", list.Games)
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hosts := cluster(t, 3)
			g := hosts[0].seated()
			token := g.made(g.red, "", v1.Rights_RIGHTS_ACT)
			there := g.on(hosts[1])
			if v := there.game(token.Secret).Version; v != 3 {
				t.Fatalf("the other server has version %d", v)
			}
			tt.here(t, g, token)
			tt.there(t, there, token)
			for _, h := range hosts[1:] {
				tt.want(t, g.on(h), token.Secret)
			}
		})
	}
}
