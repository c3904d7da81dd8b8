package discord

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/disgoorg/snowflake/v2"
	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// hold is a seat that somebody on Discord has taken, with the token that opens it.
type hold struct {
	User  snowflake.ID `json:"user"`
	Token string       `json:"token"`
	// Since is a version at which the seat was held so: what was left before is another's.
	Since uint64 `json:"since,omitempty"`
}

// table is a game in a channel.
type table struct {
	// Game is "games/{game}", Channel where it is played.
	Game    string       `json:"game"`
	Channel snowflake.ID `json:"channel"`
	// Creator may close it with the owner's token.
	Creator snowflake.ID `json:"creator"`
	Owner   string       `json:"owner"`
	// Lang is the language of the channel.
	Lang string `json:"lang"`
	// Seats that players on Discord hold.
	Seats map[string]hold `json:"seats"`
	// Former are the last holders of seats that are free now. Their tokens answer when the seat is offered, take it
	// again, and open nothing else.
	Former map[string]hold `json:"former,omitempty"`
	// Told is the version of the last record that was told, and Ended that nothing will come after it.
	Told  uint64 `json:"told"`
	Ended bool   `json:"ended"`
	// Turns says for each seat whether it is to be called when the game waits for it.
	Turns map[string]turn `json:"turns"`
	// Private holds the players who receive messages as direct messages.
	Private map[snowflake.ID]whisper `json:"private,omitempty"`
	// OpenFrom is the time after which the channel shows messages to the table; nil while spectators may not read them.
	OpenFrom *time.Time `json:"open_from,omitempty"`
}

// turn is what is known of a seat's being called.
type turn struct {
	// Called says that the seat was called and nobody else has acted after it acted; Acted that it has acted since.
	Called bool `json:"called"`
	Acted  bool `json:"acted"`
}

// of lists the seats that somebody holds, in order.
func (t *table) of(user snowflake.ID) []string {
	var all []string
	for seat, h := range t.Seats {
		if h.User == user {
			all = append(all, seat)
		}
	}
	slices.Sort(all)
	return all
}

// tokens are those of a player's seats.
func (t *table) tokens(user snowflake.ID) []string {
	var all []string
	for _, seat := range t.of(user) {
		all = append(all, t.Seats[seat].Token)
	}
	return all
}

// intent is a change that was asked of the server and whose answer is not kept yet. Its request's id is as secret as
// the token that it gets.
type intent struct {
	Channel snowflake.ID `json:"channel"`
	User    snowflake.ID `json:"user"`
	Lang    string       `json:"lang"`
	// Create or Take is the request, in the JSON of its message.
	Create json.RawMessage `json:"create,omitempty"`
	Take   json.RawMessage `json:"take,omitempty"`
}

var (
	bucketTables   = []byte("tables")   // by game
	bucketChannels = []byte("channels") // the game of each channel
	bucketIntents  = []byte("intents")  // by the request's id
	bucketChains   = []byte("chains")   // for mutual dice, by game and seat
)

// store keeps what the bridge must remember. It holds tokens: the file is readable by its owner alone.
type store struct{ db *bbolt.DB }

func openStore(file string) (*store, error) {
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: time.Second})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("%s is in use: another bridge runs", file)
	}
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(file, 0o600); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{bucketTables, bucketChannels, bucketIntents, bucketChains, bucketPosts} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &store{db}, nil
}

func (s *store) close() error { return s.db.Close() }

// errNoTable says that there is no game in a channel, or none of a name.
var errNoTable = errors.New("no such table")

// at is the game of a channel.
func (s *store) at(channel snowflake.ID) (*table, error) {
	var t *table
	err := s.db.View(func(tx *bbolt.Tx) (err error) {
		game := tx.Bucket(bucketChannels).Get([]byte(channel.String()))
		if game == nil {
			return errNoTable
		}
		t, err = read(tx, string(game))
		return err
	})
	return t, err
}

func (s *store) table(game string) (*table, error) {
	var t *table
	err := s.db.View(func(tx *bbolt.Tx) (err error) {
		t, err = read(tx, game)
		return err
	})
	return t, err
}

func read(tx *bbolt.Tx, game string) (*table, error) {
	data := tx.Bucket(bucketTables).Get([]byte(game))
	if data == nil {
		return nil, errNoTable
	}
	t := new(table)
	if err := json.Unmarshal(data, t); err != nil {
		return nil, fmt.Errorf("table of %s: %w", game, err)
	}
	if t.Seats == nil {
		t.Seats = make(map[string]hold)
	}
	if t.Former == nil {
		t.Former = make(map[string]hold)
	}
	if t.Turns == nil {
		t.Turns = make(map[string]turn)
	}
	if t.Private == nil {
		t.Private = make(map[snowflake.ID]whisper)
	}
	return t, nil
}

// tables lists all, by game.
func (s *store) tables() ([]*table, error) {
	var all []*table
	err := s.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketTables).ForEach(func(game, _ []byte) error {
			t, err := read(tx, string(game))
			all = append(all, t)
			return err
		})
	})
	return all, err
}

// change changes a table and keeps it.
func (s *store) change(game string, do func(*table)) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		t, err := read(tx, game)
		if err != nil {
			return err
		}
		do(t)
		return put(tx, bucketTables, game, t)
	})
}

// settle keeps the outcome of an intent in one step: do is given the table that it is of, a new one if none exists.
func (s *store) settle(id, game string, do func(*table)) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		t, err := read(tx, game)
		if errors.Is(err, errNoTable) {
			t, err = &table{Game: game, Seats: map[string]hold{}, Former: map[string]hold{}, Turns: map[string]turn{},
				Private: map[snowflake.ID]whisper{}}, nil
		}
		if err != nil {
			return err
		}
		do(t)
		if err := put(tx, bucketTables, game, t); err != nil {
			return err
		}
		// A channel forgets the game that it had before.
		key := []byte(t.Channel.String())
		if old := tx.Bucket(bucketChannels).Get(key); old != nil && string(old) != game {
			if err := tx.Bucket(bucketTables).Delete(old); err != nil {
				return err
			}
		}
		if err := tx.Bucket(bucketChannels).Put(key, []byte(game)); err != nil {
			return err
		}
		return tx.Bucket(bucketIntents).Delete([]byte(id))
	})
}

// errBusy says that a channel has a game that goes on.
var errBusy = errors.New("the channel has a game")

// intend keeps what is about to be asked. A game is not begun where one goes on or another is being begun.
func (s *store) intend(id string, i intent) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		if i.Create != nil {
			if err := free(tx, i.Channel); err != nil {
				return err
			}
		}
		return put(tx, bucketIntents, id, i)
	})
}

func free(tx *bbolt.Tx, channel snowflake.ID) error {
	if game := tx.Bucket(bucketChannels).Get([]byte(channel.String())); game != nil {
		if t, err := read(tx, string(game)); err != nil || !t.Ended {
			return errors.Join(errBusy, err)
		}
	}
	return tx.Bucket(bucketIntents).ForEach(func(_, data []byte) error {
		var other intent
		if err := json.Unmarshal(data, &other); err != nil {
			return err
		}
		if other.Create != nil && other.Channel == channel {
			return errBusy
		}
		return nil
	})
}

// drop forgets an intent that the server refused.
func (s *store) drop(id string) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketIntents).Delete([]byte(id)) })
}

func (s *store) intents() (map[string]intent, error) {
	all := make(map[string]intent)
	err := s.db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketIntents).ForEach(func(id, data []byte) error {
			var i intent
			err := json.Unmarshal(data, &i)
			all[string(id)] = i
			return err
		})
	})
	return all, err
}

func put(tx *bbolt.Tx, bucket []byte, key string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return tx.Bucket(bucket).Put([]byte(key), data)
}
