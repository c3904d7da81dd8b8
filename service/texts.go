package service

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/ledger"
)

// texts are the strings of a game file that are written for people, with the most characters that a call may send for
// them. All other strings of a file are ids.
var texts = map[protoreflect.FullName]int{
	"warledger.log.v1.GameCreated.title":    live.MaxTitle,
	"warledger.log.v1.SeatTaken.holder":     live.MaxHolder,
	"warledger.log.v1.GameClosed.reason":    live.MaxReason,
	"warledger.log.v1.Roll.reason":          live.MaxReason,
	"warledger.log.v1.ExportHeader.program": live.MaxReason,
}

// strings holds all strings of a message that comes in by a file against the shape that calls hold them against.
func (s *shape) strings(field string, m proto.Message) {
	check := func(at protopath.Path, of protoreflect.FullName, text string) {
		n := len(s.faults)
		if most, ok := texts[of]; ok {
			s.text(field, text, most)
		} else {
			s.id(field, text)
		}
		for _, found := range s.faults[n:] { // the path is written out only if it is needed
			found.Field += at[1:].String()
		}
	}
	// Nothing in check or Range returns an error.
	_ = protorange.Range(m.ProtoReflect(), func(v protopath.Values) error {
		var of protoreflect.FullName
		for _, step := range v.Path {
			if step.Kind() == protopath.FieldAccessStep {
				of = step.FieldDescriptor().FullName()
			}
		}
		last := v.Index(-1)
		if text, ok := last.Value.Interface().(string); ok {
			check(v.Path, of, text)
		}
		if last.Step.Kind() == protopath.MapIndexStep {
			if key, ok := last.Step.MapIndex().Interface().(string); ok {
				check(v.Path, "", key)
			}
		}
		return nil
	})
}

// texts refuses a file with a text that no call may send.
func (f *file) texts() error {
	var sh shape
	sh.strings("data", f.header)
	command, event := f.set.NewCommand(), f.set.About().EventType
	for _, r := range f.records {
		field := fmt.Sprintf("data.records[%d]", r.Version())
		sh.strings(field, r.Header())
		for i := range r.Leaves() {
			leaf := &r.Leaves()[i]
			sh.id(field+".type", leaf.Type)
			for _, known := range []proto.Message{new(logv1.GameCreated), new(logv1.TableEvent), new(logv1.Roll), command, event} {
				if leaf.Is(known) {
					sh.leaf(field, leaf, known)
				}
			}
		}
		if len(sh.faults) >= mostFindings {
			break
		}
	}
	return sh.faults.Err(fault.ImportInvalid)
}

func (s *shape) leaf(field string, leaf *ledger.Leaf, known proto.Message) {
	m := known.ProtoReflect().New().Interface()
	if err := leaf.Decode(m); err != nil {
		s.faults.Add(field, "%s", err)
		return
	}
	s.strings(field, m)
}

// pageBytes is how many bytes the answer of a list may have; the element that reaches them is its last.
const pageBytes = 1 << 20

// shortPage is how many games or records are made for an answer at any time. A longer page waits for a place, because
// an answer that is half made takes memory.
const shortPage = 100

// listing takes a place for a page of a list. Call done when it is made.
func (s *Service) listing(ctx context.Context, size int) (done func(), err error) {
	if size <= shortPage {
		return func() {}, nil
	}
	select {
	case s.lists <- struct{}{}:
		return func() { <-s.lists }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// page counts the bytes of the answer of a list.
type page int

func (p *page) add(m proto.Message) { *p += page(proto.Size(m)) }

// full reports whether the page ends here.
func (p page) full() bool { return p >= pageBytes }
