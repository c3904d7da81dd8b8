package warledger_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// holding is a wallet with one token of a game.
func holding(game, token string) *warledger.Wallet {
	w := new(warledger.Wallet)
	w.Add(game, token)
	return w
}

// TestTokensOfFiles: a token that was read from a file with its line end opens what it opens.
func TestTokensOfFiles(t *testing.T) {
	t.Parallel()
	w := new(warledger.Wallet)
	red, _ := seated(t, dial(t, newHost(t).addr, warledger.WithTokens(w)), w)
	made, err := red.CreateToken(t.Context(),
		warledger.Grant{Rights: v1.Rights_RIGHTS_ACT, Expires: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{made.Secret + "\n", "\t" + made.Secret + " \r\n"} {
		list, err := red.WithTokens(holding(red.Name(), text)).ListLegal(t.Context(), warledger.LegalQuery{})
		if err != nil || len(list) == 0 {
			t.Errorf("with %q: %d actions, %v", text, len(list), err)
		}
	}
}

// TestMadeTokens has tokens open what they were made for and no more, until they are revoked.
func TestMadeTokens(t *testing.T) {
	t.Parallel()
	w := new(warledger.Wallet)
	red, _ := seated(t, dial(t, newHost(t).addr, warledger.WithTokens(w)), w)
	made := map[v1.Rights]*warledger.Game{}
	names := map[v1.Rights]string{}
	for _, rights := range []v1.Rights{v1.Rights_RIGHTS_SEE, v1.Rights_RIGHTS_ACT, v1.Rights_RIGHTS_OWN} {
		got, err := red.CreateToken(t.Context(),
			warledger.Grant{Rights: rights, Expires: time.Now().Add(time.Hour), Note: "for the test"})
		if err != nil {
			t.Fatal(err)
		}
		if rights != v1.Rights_RIGHTS_OWN && got.Token.Seat != "red" || got.Token.Rights != rights ||
			got.Token.Note != "for the test" {
			t.Errorf("made %v", got.Token)
		}
		made[rights], names[rights] = red.WithTokens(holding(red.Name(), got.Secret)), got.Token.Name
	}
	see, act, own := made[v1.Rights_RIGHTS_SEE], made[v1.Rights_RIGHTS_ACT], made[v1.Rights_RIGHTS_OWN]
	plan := warledger.Move{Notation: "plan 0303", CheckOnly: true}
	if _, err := see.ListLegal(t.Context(), warledger.LegalQuery{}); err != nil {
		t.Errorf("who may see cannot: %v", err)
	}
	if _, err := see.Submit(t.Context(), plan); !errors.Is(err, warledger.ErrTokenTooNarrow) {
		t.Errorf("who may only see acts: %v", err)
	}
	if _, err := act.Submit(t.Context(), plan); err != nil {
		t.Errorf("who may act cannot: %v", err)
	}
	if _, err := act.Leave(t.Context(), "red"); !errors.Is(err, warledger.ErrTokenTooNarrow) {
		t.Errorf("who may act leaves: %v", err)
	}
	if _, err := own.Submit(t.Context(), plan); !errors.Is(err, warledger.ErrNotYourSeat) {
		t.Errorf("the owner acts for red: %v", err)
	}
	if _, err := act.CreateToken(t.Context(),
		warledger.Grant{Rights: v1.Rights_RIGHTS_SEE, Expires: time.Now().Add(time.Hour)}); !errors.Is(err,
		warledger.ErrTokenTooNarrow) {
		t.Errorf("a made token makes another: %v", err)
	}
	listed, err := red.ListTokens(t.Context())
	if err != nil || len(listed) != 3 {
		t.Fatalf("listed %v, %v", listed, err)
	}
	for range 2 { // the second time it is void already
		if err := red.RevokeToken(t.Context(), names[v1.Rights_RIGHTS_ACT]); err != nil {
			t.Error(err)
		}
	}
	if _, err := act.Submit(t.Context(), plan); !errors.Is(err, warledger.ErrTokenRevoked) {
		t.Errorf("after it was revoked: %v", err)
	}
	if err := red.RevokeToken(t.Context(), red.Name()+"/tokens/"+strings.Repeat("a", 16)); !errors.Is(err,
		warledger.ErrTokenNotFound) {
		t.Errorf("one that never was: %v", err)
	}
	if listed, err = red.ListTokens(t.Context()); err != nil || len(listed) != 2 ||
		listed[0].Name != names[v1.Rights_RIGHTS_SEE] {
		t.Errorf("then listed %v, %v", listed, err)
	}
	if _, err := own.Close(t.Context(), "enough"); err != nil {
		t.Errorf("who may do what the owner may cannot: %v", err)
	}
}

// TestTokensExpire waits for the end of a token: calls are refused with it, and the watch that it opened ends.
func TestTokensExpire(t *testing.T) {
	t.Parallel()
	w := new(warledger.Wallet)
	red, _ := seated(t, dial(t, newHost(t).addr, warledger.WithTokens(w)), w)
	got, err := red.CreateToken(t.Context(),
		warledger.Grant{Rights: v1.Rights_RIGHTS_SEE, Expires: time.Now().Add(300 * time.Millisecond)})
	if err != nil {
		t.Fatal(err)
	}
	guest := red.WithTokens(holding(red.Name(), got.Secret))
	for _, err = range guest.Watch(t.Context(), warledger.WatchOptions{}) {
		if err != nil {
			break
		}
	}
	if !errors.Is(err, warledger.ErrTokenExpired) {
		t.Errorf("the watch ended with %v", err)
	}
	if _, err := guest.Get(t.Context()); !errors.Is(err, warledger.ErrTokenExpired) {
		t.Errorf("a call: %v", err)
	}
}

// TestTokensAreBounded has a game refuse more tokens than it may have, and none that it has made before.
func TestTokensAreBounded(t *testing.T) {
	t.Parallel()
	w := new(warledger.Wallet)
	red, _ := seated(t, dial(t, newHost(t).addr, warledger.WithTokens(w)), w)
	grant := warledger.Grant{Rights: v1.Rights_RIGHTS_SEE, Expires: time.Now().Add(time.Hour), ID: uuid.NewString()}
	first, err := red.CreateToken(t.Context(), grant)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < 64; i++ {
		if _, err := red.CreateToken(t.Context(),
			warledger.Grant{Rights: grant.Rights, Expires: grant.Expires, Note: fmt.Sprint(i)}); err != nil {
			t.Fatalf("token %d: %v", i+1, err)
		}
	}
	var full *warledger.Error
	if _, err := red.CreateToken(t.Context(),
		warledger.Grant{Rights: grant.Rights, Expires: grant.Expires}); !errors.Is(err, warledger.ErrTooManyTokens) ||
		!errors.As(err, &full) || full.Metadata["limit"] != "64" {
		t.Errorf("one too many: %v", err)
	}
	if again, err := red.CreateToken(t.Context(), grant); err != nil || again.Secret != first.Secret {
		t.Errorf("made again: %v", err)
	}
	if err := red.RevokeToken(t.Context(), first.Token.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := red.CreateToken(t.Context(),
		warledger.Grant{Rights: grant.Rights, Expires: grant.Expires}); err != nil {
		t.Errorf("with a place free again: %v", err)
	}
}
