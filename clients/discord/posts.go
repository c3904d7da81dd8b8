package discord

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/disgoorg/snowflake/v2"
	"go.etcd.io/bbolt"
)

// post is where a message of the talk was posted on Discord.
type post struct {
	Channel snowflake.ID `json:"channel"`
	Message snowflake.ID `json:"message"`
	// Time is when it was said, and Sum the checksum of the posted text.
	Time time.Time `json:"time"`
	Sum  string    `json:"sum"`
}

// bucketPosts holds the posts of the talk, by game, by user, and by the message's name.
var bucketPosts = []byte("posts")

func postKey(game string, user snowflake.ID, name string) []byte {
	return []byte(game + " " + user.String() + " " + name)
}

// postOf returns where a message was posted for a user, 0 for the channel; posted is false if it was not.
func (s *store) postOf(game string, user snowflake.ID, name string) (p post, posted bool, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		data := tx.Bucket(bucketPosts).Get(postKey(game, user, name))
		if posted = data != nil; !posted {
			return nil
		}
		return json.Unmarshal(data, &p)
	})
	return p, posted, err
}

// posts returns all posts for a user, by the message's name.
func (s *store) posts(game string, user snowflake.ID) (map[string]post, error) {
	all := make(map[string]post)
	prefix := postKey(game, user, "")
	err := s.db.View(func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketPosts).Cursor()
		for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
			var p post
			if err := json.Unmarshal(v, &p); err != nil {
				return err
			}
			all[string(k[len(prefix):])] = p
		}
		return nil
	})
	return all, err
}

// openFrom records the time after which the channel shows messages, unless one is recorded already.
func (s *store) openFrom(game string, newest time.Time) error {
	return s.change(game, func(t *table) {
		if t.OpenFrom == nil {
			t.OpenFrom = &newest
		}
	})
}

func (s *store) keepPost(game string, user snowflake.ID, name string, p post) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		return put(tx, bucketPosts, string(postKey(game, user, name)), p)
	})
}

func (s *store) dropPost(game string, user snowflake.ID, name string) error {
	return s.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketPosts).Delete(postKey(game, user, name)) })
}
