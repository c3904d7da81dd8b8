package service

import (
	"context"
	"crypto/subtle"
	"encoding/binary"
	"slices"
	"strings"

	"google.golang.org/grpc/metadata"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
)

// right says who may make a call.
type right int

const (
	// forAnyone needs no game and looks at no token.
	forAnyone right = iota
	// forViewers is for anyone; what is shown depends on the seats that the caller holds.
	forViewers
	// forSeats needs the token of a seat of the game.
	forSeats
	// forOwner needs the owner's token.
	forOwner
	// forSeatsAndOwner needs either.
	forSeatsAndOwner
)

// rights has a line for every call of the services. A test holds it against the contract.
var rights = map[string]right{
	v1.CatalogService_ListRulesets_FullMethodName:     forAnyone,
	v1.CatalogService_GetRuleset_FullMethodName:       forAnyone,
	v1.CatalogService_ListScenarios_FullMethodName:    forAnyone,
	v1.CatalogService_GetScenario_FullMethodName:      forAnyone,
	v1.CatalogService_ValidateScenario_FullMethodName: forAnyone,
	v1.CatalogService_ListRules_FullMethodName:        forAnyone,
	v1.CatalogService_GetRule_FullMethodName:          forAnyone,
	v1.GameService_CreateGame_FullMethodName:          forAnyone,
	v1.GameService_ListGames_FullMethodName:           forAnyone,
	v1.GameService_GetGame_FullMethodName:             forViewers,
	v1.GameService_TakeSeat_FullMethodName:            forViewers,
	v1.GameService_LeaveSeat_FullMethodName:           forSeatsAndOwner,
	v1.GameService_Resign_FullMethodName:              forSeats,
	v1.GameService_CloseGame_FullMethodName:           forOwner,
	v1.GameService_SubmitCommand_FullMethodName:       forSeats,
	v1.GameService_PreviewCommand_FullMethodName:      forSeats,
	v1.GameService_Undo_FullMethodName:                forSeats,
	v1.GameService_AnswerUndo_FullMethodName:          forSeats,
	v1.GameService_Redo_FullMethodName:                forSeats,
	v1.GameService_ListLegalActions_FullMethodName:    forSeats,
	v1.GameService_GetBoard_FullMethodName:            forViewers,
	v1.GameService_GetPosition_FullMethodName:         forViewers,
	v1.GameService_ListRecords_FullMethodName:         forViewers,
	v1.GameService_WatchGame_FullMethodName:           forViewers,
	v1.GameService_AuditGame_FullMethodName:           forViewers,
	v1.GameService_ExportGame_FullMethodName:          forViewers,
}

// caller is who calls, as far as one game is concerned.
type caller struct {
	seats rules.Seats
	owner bool
}

// tokensOf reads the bearer tokens of a call.
func tokensOf(ctx context.Context) ([]string, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	var tokens []string
	for _, value := range md.Get("authorization") {
		// Some clients can set a header only once and join the values as HTTP does.
		for one := range strings.SplitSeq(value, ",") {
			scheme, token, ok := strings.Cut(strings.TrimSpace(one), " ")
			token = strings.TrimSpace(token)
			if !ok || !strings.EqualFold(scheme, "bearer") || !wellFormed(token) {
				return nil, fault.New(fault.TokenMalformed, "expected \"Bearer wl_…\" in the metadata \"authorization\"")
			}
			tokens = append(tokens, token)
		}
	}
	if len(tokens) > 2*rules.MaxSeats {
		return nil, fault.New(fault.TokenMalformed, "%d tokens, more than a game has seats", len(tokens))
	}
	return tokens, nil
}

// identify says which seats the tokens open. Every token must be one of the game.
func identify(about *rules.About, meta *logv1.GameMeta, tokens []string) (caller, error) {
	var c caller
	for _, token := range tokens {
		hash := hashOf(token)
		found := false
		if same(hash, meta.OwnerTokenHash) {
			c.owner, found = true, true
		}
		for i, seat := range about.Seats {
			if same(hash, meta.SeatTokenHashes[seat.ID]) {
				c.seats |= rules.SeatsOf(rules.Seat(i))
				found = true
			}
		}
		if found {
			continue
		}
		for _, old := range meta.RevokedTokenHashes {
			if same(hash, old) {
				return caller{}, fault.New(fault.TokenRevoked, "a token of this call was revoked: its seat has been left")
			}
		}
		return caller{}, fault.New(fault.TokenUnknown, "a token of this call is none of this game's")
	}
	return c, nil
}

func same(hash tokenHash, kept []byte) bool { return subtle.ConstantTimeCompare(hash[:], kept) == 1 }

// admit decides whether the caller may make a call at all.
func admit(method string, about *rules.About, c caller, tokens int) error {
	r, ok := rights[method]
	switch {
	case !ok:
		return fault.New(fault.Internal, "the call %s has no rights", method)
	case r == forAnyone, r == forViewers:
		return nil
	case tokens == 0:
		return fault.New(fault.TokenRequired, "the call needs a token of the game")
	case r == forOwner && !c.owner:
		return fault.New(fault.NotOwner, "only the owner of the game may do that")
	case r == forSeats && c.seats == 0:
		return fault.New(fault.NotYourSeat, "the caller holds no seat of the game").With("seat", "", "holds", seatList(about, c.seats))
	}
	return nil
}

// seat finds the seat that a request is about: the one named, or the only one that the caller holds.
func (c caller) seat(about *rules.About, id string) (rules.Seat, error) {
	if id == "" {
		if c.seats.Len() != 1 {
			list := seatList(about, c.seats)
			return rules.NoSeat, fault.New(fault.SeatRequired, "the caller holds %s: expected one of them in seat", list).With("seats", list)
		}
		for seat := range c.seats.Each {
			return seat, nil
		}
	}
	seat, err := seatNamed(about, id)
	if err == nil && !c.seats.Has(seat) {
		err = fault.New(fault.NotYourSeat, "the caller does not hold the seat %s", id).With("seat", id, "holds", seatList(about, c.seats))
	}
	return seat, err
}

func seatNamed(about *rules.About, id string) (rules.Seat, error) {
	seat, ok := about.SeatByID(id)
	if !ok {
		known := seatList(about, about.AllSeats())
		return rules.NoSeat, fault.New(fault.SeatNotFound, "there is no seat %q, expected one of %s", clip(id), known).
			With("seat", clip(id), "known", known).Resource("seat", clip(id))
	}
	return seat, nil
}

// seatIDs lists the ids of seats in order.
func seatIDs(about *rules.About, seats rules.Seats) []string {
	var ids []string
	for seat := range seats.Each {
		ids = append(ids, about.SeatID(seat))
	}
	return ids
}

func seatList(about *rules.About, seats rules.Seats) string {
	return strings.Join(seatIDs(about, seats), ",")
}

// viewerKey names a viewer in a resume token: a byte for how it was narrowed, then the seats.
type viewerKey [5]byte

// view is how a caller looks at a game.
type view struct {
	// seats whose sight it has.
	seats rules.Seats
	// narrowed is true if the caller asked to see less than it may.
	narrowed bool
}

// spectatorID is the viewer that holds no seat.
const spectatorID = "spectator"

// view reads the field viewer of a request. A running game shows a caller no seat but its own; one that is over shows all.
func (c caller) view(about *rules.About, field string, over bool) (view, error) {
	switch field {
	case "":
		return view{seats: c.seats}, nil
	case spectatorID:
		return view{narrowed: true}, nil
	}
	seat, err := seatNamed(about, field)
	if err != nil {
		return view{}, err
	}
	if !over && !c.seats.Has(seat) {
		return view{}, fault.New(fault.NotYourSeat, "the caller does not hold the seat %s", field).
			With("seat", field, "holds", seatList(about, c.seats))
	}
	return view{seats: rules.SeatsOf(seat), narrowed: true}, nil
}

// viewer is what rules know of it. When the game is over everyone is the auditor, unless they ask for less.
func (w view) viewer(over bool) rules.Viewer {
	return rules.Viewer{Seats: w.seats, All: over && !w.narrowed}
}

func (w view) key() (k viewerKey) {
	if w.narrowed {
		k[0] = 1
	}
	binary.BigEndian.PutUint32(k[1:], uint32(w.seats))
	return k
}

// revoke makes the token of a seat void and remembers it, so that its holder is told why it opens nothing.
func revoke(meta *logv1.GameMeta, seat string) {
	const remembered = 256
	if hash := meta.SeatTokenHashes[seat]; hash != nil {
		meta.RevokedTokenHashes = append(meta.RevokedTokenHashes, hash)
		if extra := len(meta.RevokedTokenHashes) - remembered; extra > 0 {
			meta.RevokedTokenHashes = slices.Delete(meta.RevokedTokenHashes, 0, extra)
		}
		delete(meta.SeatTokenHashes, seat)
	}
}
