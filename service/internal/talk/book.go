package talk

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
)

// keptReports is the number of reports kept from each seat. A new report replaces the seat's oldest one, so nobody can
// crowd out the reports of others.
const keptReports = 10

// amend changes the book of a game for a seat, or for the owner if that is empty, and returns the settings that apply
// afterwards. Everybody who follows the talk looks at the book again, so nobody may change it more often than they may
// write.
func (t *Talk) amend(
	ctx context.Context, e *Ear, seat string, f func(*logv1.TalkBook) error,
) (out *v1.Talk, err error) {
	err = change(ctx, t, streams.TalkBook(e.Game), newBook, func(book *logv1.TalkBook, _ uint64) error {
		err := f(book)
		out = t.state(e, book)
		if err != nil {
			return err
		}
		now := t.host.Clock()
		if book.Marks, err = t.host.Limits.pause(book.Marks, seat, now); err != nil {
			return err
		}
		book.Marks = append(book.Marks, &logv1.TalkMark{Seat: seat, Time: timestamppb.New(now)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// LetSpectators says whether spectators may read what is said at the table.
func (t *Talk) LetSpectators(ctx context.Context, e *Ear, read bool) (*v1.Talk, error) {
	return t.amend(ctx, e, "", func(book *logv1.TalkBook) error {
		if book.Spectators == read {
			return errSame
		}
		book.Spectators = read
		return nil
	})
}

// Mute keeps a seat from writing to others, or takes that back. It goes by the seat, whoever holds it: where
// seats are free for the asking, its holder could leave it and come back as somebody else.
func (t *Talk) Mute(ctx context.Context, e *Ear, seat string, mute bool) (*v1.Talk, error) {
	return t.amend(ctx, e, "", func(book *logv1.TalkBook) error {
		if muted(book, seat) == mute {
			return errSame
		}
		book.Muted = slices.DeleteFunc(book.Muted, func(s *logv1.TalkSitting) bool { return s.Seat == seat })
		if mute {
			book.Muted = append(book.Muted, e.now(seat))
		}
		return nil
	})
}

// Ignore has one seat not read another, or takes that back. It lasts as long as the listener sits there, also when the
// other seat is left and taken again.
func (t *Talk) Ignore(ctx context.Context, e *Ear, listener, speaker string, ignore bool) (*v1.Talk, error) {
	pair := &logv1.TalkDeafness{Listener: e.now(listener), Speaker: e.now(speaker)}
	return t.amend(ctx, e, listener, func(book *logv1.TalkBook) error {
		had := slices.ContainsFunc(book.Deaf, func(d *logv1.TalkDeafness) bool {
			return same(d.Listener, pair.Listener) && d.Speaker.GetSeat() == speaker
		})
		if had == ignore {
			return errSame
		}
		book.Deaf = slices.DeleteFunc(book.Deaf, func(d *logv1.TalkDeafness) bool {
			return d.Listener.GetSeat() == listener && d.Speaker.GetSeat() == speaker
		})
		if ignore {
			book.Deaf = append(book.Deaf, pair)
		}
		return nil
	})
}

// Report tells the owner of a message that the caller may read and did not write.
func (t *Talk) Report(ctx context.Context, e *Ear, reporter rules.Seat, id, reason string) error {
	p, m, err := t.find(ctx, e, id)
	if err != nil {
		return err
	}
	seat := e.About.SeatID(reporter)
	switch {
	case m == nil, p.audience == v1.Audience_AUDIENCE_SELF,
		p.audience == v1.Audience_AUDIENCE_SIDE && !p.seats.Has(reporter):
		return NotFound(e.Game, id)
	case e.wrote(m):
		var faults fault.Violations
		faults.Add("name", "expected a message of another seat")
		return faults.Err(fault.ValidationFailed)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "warledger/report/1/%s/%s/%s", e.Game, id, seat))
	report := &logv1.TalkReport{
		Id: tokens.Spelling.EncodeToString(sum[:])[:16], Message: id, Private: p.audience != v1.Audience_AUDIENCE_TABLE,
		Speaker: m.Seat, Reporter: seat, Reason: reason, Time: timestamppb.New(t.host.Clock()),
	}
	if !report.Private { // the writer may delete it
		report.Quote = m
	}
	if err := t.host.Charge(ctx, proto.Size(report)); err != nil {
		return err
	}
	_, err = t.amend(ctx, e, seat, func(book *logv1.TalkBook) error {
		mine := 0
		for _, r := range book.Reports {
			if r.Id == report.Id {
				return errSame
			}
			if r.Reporter == seat {
				mine++
			}
		}
		if mine >= keptReports {
			oldest := slices.IndexFunc(book.Reports, func(r *logv1.TalkReport) bool { return r.Reporter == seat })
			book.Reports = slices.Delete(book.Reports, oldest, oldest+1)
		}
		book.Reports = append(book.Reports, report)
		return nil
	})
	return err
}

// Reports lists the reports to the owner. A message that was not said at the table is not shown.
func (t *Talk) Reports(ctx context.Context, e *Ear) (out []*v1.Report, err error) {
	book, err := t.book(ctx, e.Game)
	if err != nil {
		return nil, err
	}
	table := e.at(v1.Audience_AUDIENCE_TABLE, rules.NoSeat)
	for _, r := range book.Reports {
		shown := &v1.Report{
			Name: streams.Games + e.Game + "/reports/" + r.Id, Seat: r.Speaker, Reporter: r.Reporter, Reason: r.Reason,
			CreateTime: r.Time, Private: r.Private,
		}
		if r.Quote != nil {
			shown.Message = e.message(table, r.Quote)
		}
		out = append(out, shown)
	}
	return out, nil
}
