package talk

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/warledger/warledger/eventstore"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
)

// pageBytes is how large the messages that are in no page may grow before the oldest become a page.
const pageBytes = 8 << 10

// pageStream names the stream of a page.
func pageStream(room string, number uint64) string {
	return room + "/" + strconv.FormatUint(number, 10)
}

// edit is a room that is being changed. Pages never change: messages of a page that does not stay as it is go back to
// those that are in none.
//
// No page is lost from sight. All who change a room from one version agree whether it needs another page, and under
// which number. Only one of them can create that page. If another one's change of the room is stored, that change has
// the page emptied.
type edit struct {
	*logv1.TalkRoom
	talk   *Talk
	stream string
	// base is the version that is changed, and full is true if it needs another page.
	base uint64
	full bool
	// said is the number of bytes that the change adds.
	said int
}

// changeRoom changes a room by a function that may run several times. pay is told once how many bytes it adds.
func (t *Talk) changeRoom(
	ctx context.Context, stream string, pay func(bytes int) error, f func(context.Context, *edit) error,
) error {
	var e *edit
	paid := false
	err := change(ctx, t, stream, newRoom, func(room *logv1.TalkRoom, version uint64) error {
		e = &edit{TalkRoom: room, talk: t, stream: stream, base: version, full: sizeOf(room.Messages) >= pageBytes}
		old := room.Trash
		room.Trash = nil
		if err := f(ctx, e); err != nil {
			return err
		}
		if !paid {
			if err := pay(e.said); err != nil {
				return err
			}
			paid = true
		}
		e.empty(ctx, old)
		return e.turnOver(ctx)
	})
	if err == nil {
		e.empty(ctx, slices.Clone(e.Trash))
	}
	return err
}

// turnOver makes a page of the oldest messages that are in none, if the room needs one.
func (e *edit) turnOver(ctx context.Context) error {
	if !e.full {
		return nil
	}
	n, size := 0, 0
	for ; n < len(e.Messages) && size < pageBytes; n++ {
		size += proto.Size(e.Messages[n])
	}
	if size < pageBytes {
		n = 0 // the change has made room; the page keeps others from creating it
	}
	number := e.base + 1
	data, err := proto.Marshal(&logv1.TalkRoom{Messages: e.Messages[:n]})
	if err != nil {
		return err
	}
	err = e.talk.store(ctx, pageStream(e.stream, number), data, 0, false)
	switch {
	case lost(err): // somebody else changes the room, or was interrupted
		e.Trash = append(e.Trash, number)
		return nil
	case err != nil:
		return fault.FromStore(err)
	}
	if n > 0 {
		e.Pages = append(e.Pages, describe(number, e.Messages[:n]))
		e.Messages = slices.Clone(e.Messages[n:])
	}
	return nil
}

// describe makes the description of a page.
func describe(number uint64, list []*logv1.TalkMessage) *logv1.TalkPage {
	page := &logv1.TalkPage{Number: number}
	for _, m := range list {
		page.Prints = binary.BigEndian.AppendUint16(page.Prints, fingerprint(m.Id))
		at := slices.IndexFunc(page.Shares, func(s *logv1.TalkShare) bool { return s.Seat == m.Seat })
		if at < 0 {
			at = len(page.Shares)
			page.Shares = append(page.Shares, &logv1.TalkShare{Seat: m.Seat})
		}
		page.Shares[at].Messages++
		page.Shares[at].Bytes += uint32(proto.Size(m))
	}
	return page
}

func fingerprint(id string) uint16 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	sum := h.Sum32()
	return uint16(sum>>16) ^ uint16(sum)
}

// mayHave reports whether a page may have a message.
func mayHave(p *logv1.TalkPage, id string) bool {
	want := fingerprint(id)
	for prints := p.Prints; len(prints) >= 2; prints = prints[2:] {
		if binary.BigEndian.Uint16(prints) == want {
			return true
		}
	}
	return false
}

func sizeOf(list []*logv1.TalkMessage) (n int) {
	for _, m := range list {
		n += proto.Size(m)
	}
	return n
}

// release takes a page out of the room, and keeps some of its messages among those that are in none.
func (e *edit) release(at int, keep []*logv1.TalkMessage) {
	e.Trash = append(e.Trash, e.Pages[at].Number)
	e.Pages = slices.Delete(e.Pages, at, at+1)
	e.Messages = append(keep, e.Messages...)
	slices.SortStableFunc(e.Messages, bySaid)
}

func bySaid(a, b *logv1.TalkMessage) int {
	return cmp.Or(a.Time.AsTime().Compare(b.Time.AsTime()), cmp.Compare(a.Id, b.Id))
}

// remove removes a message.
func (e *edit) remove(ctx context.Context, id string) error {
	found, page, list, err := e.find(ctx, id)
	switch {
	case err != nil:
		return err
	case found == nil:
		return errSame
	}
	left := slices.DeleteFunc(slices.Clone(list), func(m *logv1.TalkMessage) bool { return m.Id == id })
	if page < 0 {
		e.Messages = left
	} else {
		e.release(page, left)
	}
	return nil
}

// clear forgets everything that was said.
func (e *edit) clear() {
	trash := e.Trash
	for _, p := range e.Pages {
		trash = append(trash, p.Number)
	}
	proto.Reset(e.TalkRoom)
	e.Trash = trash
}

// find looks for a message; nil if none exists. page is where it is, -1 for in none, and list the messages there.
func (e *edit) find(
	ctx context.Context, id string,
) (m *logv1.TalkMessage, page int, list []*logv1.TalkMessage, err error) {
	if m := find(e.TalkRoom, id); m != nil {
		return m, -1, e.Messages, nil
	}
	for i, p := range e.Pages {
		if !mayHave(p, id) {
			continue
		}
		kept, _, err := e.talk.page(ctx, e.stream, p.Number)
		if err != nil {
			return nil, 0, nil, err
		}
		if m := find(kept, id); m != nil {
			return m, i, kept.Messages, nil
		}
	}
	return nil, -1, nil, nil
}

// errEmptied says that a page has been emptied, because its room has changed meanwhile.
var errEmptied = errors.New("the page has been emptied")

// page reads a page, and says how large it is.
func (t *Talk) page(ctx context.Context, stream string, number uint64) (*logv1.TalkRoom, int, error) {
	name := pageStream(stream, number)
	info, exists, err := t.head(ctx, name)
	switch {
	case err != nil:
		return nil, 0, err
	case !exists, len(info.Meta) == 0:
		return nil, 0, errEmptied
	}
	kept := newRoom()
	return kept, len(info.Meta), decode(name, info.Meta, kept)
}

// empty empties the streams of pages. What fails is tried again with the next change, which finds it in the trash
// still.
func (e *edit) empty(ctx context.Context, numbers []uint64) {
	ctx = context.WithoutCancel(ctx)
	for _, number := range numbers {
		name := pageStream(e.stream, number)
		info, exists, err := e.talk.head(ctx, name)
		if err == nil && exists && len(info.Meta) > 0 {
			err = e.talk.host.Store.SetMeta(ctx, name, nil, eventstore.AnyMeta)
		}
		if err != nil && !slices.Contains(e.Trash, number) {
			e.Trash = append(e.Trash, number)
		}
	}
}

// gather adds the messages of its pages to a room that was read. Pages that were read before are taken from had.
func gather(
	ctx context.Context, t *Talk, stream string, room *logv1.TalkRoom, had map[uint64]*readPage,
) (map[uint64]*readPage, error) {
	if len(room.Pages) == 0 {
		return nil, nil
	}
	pages := make(map[uint64]*readPage, len(room.Pages))
	var all []*logv1.TalkMessage
	for _, p := range room.Pages {
		one := had[p.Number]
		if one == nil {
			kept, bytes, err := t.page(ctx, stream, p.Number)
			if err != nil {
				return nil, err
			}
			one = &readPage{kept.Messages, bytes}
		}
		pages[p.Number] = one
		all = append(all, one.messages...)
	}
	room.Messages = append(all, room.Messages...)
	slices.SortStableFunc(room.Messages, bySaid)
	return pages, nil
}

// readPage is a page that was read. Nobody changes it.
type readPage struct {
	messages []*logv1.TalkMessage
	// bytes is the size of its encoding.
	bytes int
}

// rereads is how often a room is read again whose pages are emptied meanwhile.
const rereads = 20

// torn is the error of a room whose page is gone although the room has not changed.
func torn(stream string) error {
	return fault.New(fault.LogCorrupt, "the talk of the game is damaged").
		Because(fmt.Errorf("%s: a page is missing", stream))
}
