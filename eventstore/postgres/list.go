package postgres

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/warledger/warledger/eventstore"
)

// beyond is text that comes after every name, since it is longer than any and of the last character.
var beyond = strings.Repeat(string(utf8.MaxRune), eventstore.MaxName/utf8.UTFMax+1)

// bounds say which names begin with a prefix and come after a name, in terms of text: the database compares text, and
// takes none that is not UTF-8.
type bounds struct {
	from, after, to string
	// What follows is nil where the text says it all.
	exactPrefix, exactAfter []byte
}

// between returns the bounds. Of a prefix or name that is not valid UTF-8 the valid beginning gives the text, and the
// bytes themselves are compared then.
func between(prefix, after string) bounds {
	var b bounds
	begin := valid(prefix)
	if begin != prefix {
		b.exactPrefix = []byte(prefix)
	}
	b.from, b.to = begin, next(begin)
	if b.after = valid(after); b.after != after {
		b.exactAfter = []byte(after)
		b.from, b.after = max(b.from, b.after), ""
		return b
	}
	b.from = max(b.from, after)
	return b
}

// valid returns the longest valid beginning.
func valid(s string) string {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size <= 1 || r == 0 { // PostgreSQL's text has no NUL
			return s[:i]
		}
		i += size
	}
	return s
}

// next returns the first text after all that begin with a prefix. Bytes of UTF-8 are ordered as characters are.
func next(prefix string) string {
	for prefix != "" {
		last, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		switch {
		case last == 0xd7ff: // surrogates are no characters
			return prefix + "\ue000"
		case last < utf8.MaxRune:
			return prefix + string(last+1)
		}
	}
	return beyond
}

const within = ` from wl_stream where name >= $1 and name <> $2 and name < $3
	and ($4::bytea is null or substring(convert_to(name, 'UTF8') for length($4)) = $4)
	and ($5::bytea is null or convert_to(name, 'UTF8') > $5)`

func (b bounds) arguments() []any { return []any{b.from, b.after, b.to, b.exactPrefix, b.exactAfter} }

// List implements [eventstore.Store].
func (s *Store) List(ctx context.Context, prefix, after string, limit int) (page []eventstore.StreamInfo, err error) {
	err = s.read(ctx, func(ctx context.Context, q querier) (err error) {
		page, err = list(ctx, q, prefix, after, limit)
		return err
	})
	return page, err
}

func list(ctx context.Context, q querier, prefix, after string, limit int) (page []eventstore.StreamInfo, err error) {
	if limit <= 0 {
		limit = eventstore.DefaultPage
	}
	rows, _ := q.Query(ctx, `select name, version, hash, meta, meta_version`+within+` order by name limit $6`,
		append(between(prefix, after).arguments(), limit)...)
	var name string
	var h head
	var corrupt error
	_, err = pgx.ForEachRow(rows, []any{&name, &h.version, &h.hash, &h.meta, &h.metaVersion}, func() error {
		if corrupt != nil {
			return nil
		}
		info, err := h.info(name)
		if err != nil {
			corrupt = err
			return nil
		}
		page = append(page, info)
		return nil
	})
	if err == nil && len(page) == 0 {
		err = corrupt
	}
	return page, err
}

// Count implements [eventstore.Store].
func (s *Store) Count(ctx context.Context, prefix string) (n uint64, err error) {
	err = s.read(ctx, func(ctx context.Context, q querier) error {
		var count int64
		err := q.QueryRow(ctx, `select count(*)`+within, between(prefix, "").arguments()...).Scan(&count)
		n = uint64(count)
		return err
	})
	return n, err
}
