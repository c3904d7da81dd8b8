package ledger

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Parser decodes many records as [Parse] does, in memory that it takes in pieces and uses again, and keeps what
// they repeat once. It serves who looks at each record of a log and keeps none. The zero value is ready. It is not
// safe for concurrent use.
type Parser struct {
	records []parsed
	used    int
	leaves  []Leaf
	// names are those of games, seats and types of payloads, the first few.
	names [parserNames]string
	known int
	ids   strings.Builder
}

// parsed is the memory for a record. The header is decoded here if it is as [Seal] writes it.
type parsed struct {
	record Record
	header logv1.RecordHeader
	time   timestamppb.Timestamp
}

// Pieces of memory that a parser takes, and how many names it keeps.
const (
	parserRecords = 16
	parserIDs     = 4 << 10
	parserNames   = 32
)

// Again gives back the memory of all records so far: they must not be used any more.
func (p *Parser) Again() {
	p.used, p.leaves = 0, p.leaves[:0]
}

// Parse decodes a record as [Parse] does. The record is good until Again.
func (p *Parser) Parse(data []byte) (*Record, error) {
	if p.used == len(p.records) {
		p.records, p.used = make([]parsed, max(parserRecords, 2*len(p.records))), 0
	}
	at := &p.records[p.used]
	p.used++
	at.record = Record{}
	if err := p.decode(data, &at.record); err != nil {
		return nil, err
	}
	at.record.header = &at.header
	at.header.Reset()
	if !p.header(at.record.headerBytes, &at.header, &at.time) {
		at.header.Reset()
		if err := proto.Unmarshal(at.record.headerBytes, &at.header); err != nil {
			return nil, &FormatError{What: fmt.Sprintf("header: %v", err)}
		}
	}
	if what := inspectHeader(&at.header); what != "" {
		return nil, &FormatError{What: "header: " + what}
	}
	return &at.record, nil
}

// room is memory for so many leaves.
func (p *Parser) room(count int) []Leaf {
	if cap(p.leaves)-len(p.leaves) < count {
		p.leaves = make([]Leaf, 0, max(2*cap(p.leaves), count))
	}
	n := len(p.leaves)
	p.leaves = p.leaves[:n+count]
	return p.leaves[n : n+count : n+count]
}

// name makes a string of a name, the same for the same bytes where it can. It says false if the bytes are none
// that a string may have.
func (p *Parser) name(b []byte) (string, bool) {
	if len(b) == 0 {
		return "", true
	}
	for _, s := range p.names[:p.known] {
		if s == string(b) {
			return s, true
		}
	}
	if !utf8.Valid(b) {
		return "", false
	}
	s := string(b)
	if p.known < len(p.names) {
		p.names[p.known] = s
		p.known++
	}
	return s, true
}

// id makes a string of what is another for each record. It returns false if the bytes are not valid in a string.
func (p *Parser) id(b []byte) (string, bool) {
	if len(b) == 0 {
		return "", true
	}
	if p.ids.Cap()-p.ids.Len() < len(b) {
		p.ids = strings.Builder{}
		p.ids.Grow(max(parserIDs, len(b)))
	}
	start := p.ids.Len()
	p.ids.Write(b)
	return p.ids.String()[start:], utf8.Valid(b)
}

// Tags of the fields of RecordHeader and Timestamp.
const (
	tagGame, tagVersion, tagParent, tagTime, tagSeat  = 1<<3 | 2, 2 << 3, 3 << 3, 4<<3 | 2, 5<<3 | 2
	tagCommandID, tagRecordKind, tagHead, tagRevealed = 6<<3 | 2, 7 << 3, 8 << 3, 9 << 3
	tagDiceSource, tagAsked, tagAside, tagCarries     = 10 << 3, 11 << 3, 12 << 3, 13 << 3
	tagSeconds, tagNanos                              = 1 << 3, 2 << 3
)

// header decodes a header into an empty one, if its fields are those of this program, each once, in order and in their
// shortest form. Of any other it says false and may leave some of it: that one is for proto.Unmarshal to judge.
func (p *Parser) header(data []byte, h *logv1.RecordHeader, t *timestamppb.Timestamp) bool {
	c := cursor{buf: data, end: len(data)}
	var ok [3]bool
	h.Game, ok[0] = p.name(c.maybeBytes(tagGame))
	h.Version, h.Parent = c.maybeVarint(tagVersion), c.maybeVarint(tagParent)
	if c.has(tagTime) {
		h.Time = t
		if !clock(c.bytes(tagTime, "a time"), t) {
			return false
		}
	}
	h.Seat, ok[1] = p.name(c.maybeBytes(tagSeat))
	h.CommandId, ok[2] = p.id(c.maybeBytes(tagCommandID))
	kind, head, revealed := c.maybeVarint(tagRecordKind), c.maybeVarint(tagHead), c.maybeVarint(tagRevealed)
	h.Kind, h.Head, h.Revealed = logv1.RecordKind(kind), head, revealed == 1
	h.DiceSource, h.Asked = logv1.DiceSource(c.maybeVarint(tagDiceSource)), c.maybeVarint(tagAsked)
	aside := c.maybeVarint(tagAside)
	h.Aside, h.Carries = aside == 1, c.maybeVarint(tagCarries)
	return ok == [3]bool{true, true, true} && revealed <= 1 && aside <= 1 && c.err == nil && c.at == c.end
}

// clock decodes a time, as header does. Numbers are cut to their size as protobuf cuts them.
func clock(data []byte, t *timestamppb.Timestamp) bool {
	c := cursor{buf: data, end: len(data)}
	t.Seconds, t.Nanos = int64(c.maybeVarint(tagSeconds)), int32(c.maybeVarint(tagNanos))
	return c.err == nil && c.at == c.end
}
