package service_test

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/service/fault"
)

// TestBattlesThatCannotBeCalculated: what is too much or unreadable is refused before anything is looked at, and so are
// battles of rules that have no calculator.
func TestBattlesThatCannotBeCalculated(t *testing.T) {
	t.Parallel()
	g := facing(open(t))
	numbers, ids := map[string]int32{}, []string(nil)
	for i := range 101 {
		id := fmt.Sprint("unit-", i)
		numbers[id] = 1
		ids = append(ids, id)
	}
	long := strings.Repeat("x", 200)
	type request = v1.CalculateBattleRequest
	none, wrong := func(*request) {}, codes.InvalidArgument
	for name, c := range map[string]struct {
		change func(r *request)
		token  string
		code   codes.Code
		reason fault.Reason
	}{
		"no calculator": {none, "", codes.FailedPrecondition, fault.NoCalculator},
		"for a seat":    {none, g.red, codes.FailedPrecondition, fault.NoCalculator},
		"another's eyes": {func(r *request) { r.Viewer = "blue" }, g.red, codes.PermissionDenied,
			fault.NotYourSeat},
		"a late version":  {func(r *request) { r.Version = 999 }, "", codes.OutOfRange, fault.VersionNotFound},
		"no game":         {func(r *request) { r.Name = "games/x" }, "", wrong, fault.ValidationFailed},
		"a long space":    {func(r *request) { r.Space = long }, "", wrong, fault.ValidationFailed},
		"a long kind":     {func(r *request) { r.Kind = long }, "", wrong, fault.ValidationFailed},
		"many numbers":    {func(r *request) { r.Attacker.Numbers = numbers }, "", wrong, fault.ValidationFailed},
		"many traits":     {func(r *request) { r.Defender.Traits = ids }, "", wrong, fault.ValidationFailed},
		"many losses":     {func(r *request) { r.Attacker.Losses = ids }, "", wrong, fault.ValidationFailed},
		"a long party":    {func(r *request) { r.Attacker.Party = long }, "", wrong, fault.ValidationFailed},
		"a long loss":     {func(r *request) { r.Attacker.Losses = []string{long} }, "", wrong, fault.ValidationFailed},
		"a long trait":    {func(r *request) { r.Defender.Traits = []string{long} }, "", wrong, fault.ValidationFailed},
		"another tongue":  {func(r *request) { r.LanguageCode = "xx" }, "", wrong, fault.ValidationFailed},
		"a strange token": {none, "wl_s_nothing", codes.Unauthenticated, fault.TokenMalformed},
	} {
		req := &v1.CalculateBattleRequest{Name: g.name, Space: "0101", Attacker: &v1.BattleForce{Entered: true},
			Defender: &v1.BattleForce{}}
		c.change(req)
		ctx := as()
		if c.token != "" {
			ctx = as(c.token)
		}
		t.Run(name, func(t *testing.T) {
			wantError(t, second(g.games.CalculateBattle(ctx, req)), c.code, c.reason)
		})
	}
}
