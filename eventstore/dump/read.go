package dump

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/eventstore/internal/cutter"
)

// Read restores a dump into a store. The store must be empty, or hold a part of the dump: streams that it has must be
// the beginnings of the dump's, told by the hashes of their heads, and are gone on with. So a restore that was broken
// off can be repeated. A stream gets its metadata with its last entries. Nobody else may write the store meanwhile; if
// somebody does, the restore ends with a conflict.
//
// An error wraps [ErrForeign], [ErrNewer], [ErrTruncated], [ErrDamaged] or [ErrOther], or is that of r or the store.
// What came before the place that it names is stored then, since a dump is read only once.
func Read(ctx context.Context, r io.Reader, store eventstore.Store) (Report, error) {
	d := restorer{ctx: ctx, r: bufio.NewReaderSize(r, 1<<16), to: store, sum: newSum(),
		existing: existing{store: store}}
	if err := d.all(); err != nil {
		return d.report, fmt.Errorf("restore event store: %w", err)
	}
	return d.report, nil
}

type restorer struct {
	ctx     context.Context
	r       *bufio.Reader
	sum     sum
	content bytes.Buffer

	to       eventstore.Store
	existing existing
	report   Report

	// What follows is of the stream that is being restored.
	dumped eventstore.StreamInfo
	held   eventstore.StreamInfo // what the store had of it; zero if nothing
	at     uint64                // version that was reached
	hash   eventstore.Hash       // of that
}

func (d *restorer) all() error {
	if err := d.header(); err != nil {
		return err
	}
	for {
		kind, content, err := d.block()
		if err != nil {
			return err
		}
		if done := d.at == d.dumped.Version; done == (kind == kindEntries) {
			return damaged("stream %q has %d of %d entries before a block %q",
				d.dumped.Name, d.at, d.dumped.Version, kind)
		}
		c := &cutter.Reader{Rest: content, Short: errShort}
		switch kind {
		case kindStream:
			err = d.stream(c)
		case kindEntries:
			err = d.entries(c)
		case kindTrailer:
			return d.trailer(c)
		default:
			err = damaged("a block of the unknown kind %q", kind)
		}
		if err != nil {
			return err
		}
	}
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// cut tells an end of the file from other errors of reading.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}

// cut says where.
func (d *restorer) cut(err error) error {
	return fmt.Errorf("%w after stream %q version %d", cut(err), d.dumped.Name, d.at)
}

func (d *restorer) header() error {
	got := make([]byte, len(header()))
	n, err := io.ReadFull(d.r, got)
	switch text := got[:min(n, len(magic))]; {
	case err != nil && cut(err) != ErrTruncated:
		return err
	case n == 0 || !bytes.HasPrefix([]byte(magic), text):
		return ErrForeign
	case err != nil:
		return ErrTruncated
	}
	switch v := binary.BigEndian.Uint32(got[len(magic):]); {
	case v > format:
		return fmt.Errorf("%w: it has format %d, and this program reads formats up to %d", ErrNewer, v, format)
	case v == 0:
		return damaged("there is no format 0")
	}
	return nil
}

// block reads the next block. Room for its content is made as the content comes.
func (d *restorer) block() (kind byte, content []byte, err error) {
	head := make([]byte, len(blockHeader(0, 0)))
	if _, err := io.ReadFull(d.r, head); err != nil {
		return 0, nil, d.cut(err)
	}
	kind, length := head[0], binary.BigEndian.Uint32(head[1:])
	if length > maxContent {
		return 0, nil, damaged("a block of %d bytes, and at most %d are allowed", length, maxContent)
	}
	d.content.Reset()
	if _, err := io.CopyN(&d.content, d.r, int64(length)); err != nil {
		return 0, nil, d.cut(err)
	}
	var want [sha256.Size]byte
	if _, err := io.ReadFull(d.r, want[:]); err != nil {
		return 0, nil, d.cut(err)
	}
	if !bytes.Equal(want[:], d.sum.block(kind, d.content.Bytes())) {
		return 0, nil, damaged("a block after stream %q version %d does not match its sum", d.dumped.Name, d.at)
	}
	return kind, d.content.Bytes(), nil
}

// stream begins with the next stream.
func (d *restorer) stream(c *cutter.Reader) error {
	info := eventstore.StreamInfo{Name: string(c.Bytes()), Version: c.Number(), MetaVersion: c.Number()}
	info.Meta = bytes.Clone(c.Rest)
	switch bad := errors.Join(c.Err, eventstore.CheckName(info.Name), eventstore.CheckMeta(info.Meta)); {
	case bad != nil:
		return damaged("a stream: %v", bad)
	case info.Name <= d.dumped.Name:
		return damaged("stream %q comes after %q", info.Name, d.dumped.Name)
	case info.Version == 0 || info.MetaVersion == 0 && len(info.Meta) > 0:
		return damaged("stream %q has version %d, metadata version %d and %d bytes of metadata",
			info.Name, info.Version, info.MetaVersion, len(info.Meta))
	}
	held, err := d.existing.find(d.ctx, info.Name)
	if err != nil {
		return err
	}
	if held.Version > info.Version {
		return fmt.Errorf("%w: stream %q has version %d, and %d in the dump",
			ErrOther, info.Name, held.Version, info.Version)
	}
	d.dumped, d.held, d.at, d.hash = info, held, 0, eventstore.Hash{}
	d.report.Streams++
	return nil
}

// entries stores those of a block that the store does not have.
func (d *restorer) entries(c *cutter.Reader) error {
	n := c.Number()
	if n == 0 || n > blockEntries || n > d.dumped.Version-d.at {
		return damaged("stream %q has a block of %d entries at version %d", d.dumped.Name, n, d.at+1)
	}
	list := make([]eventstore.Entry, 0, n)
	for range n {
		e := eventstore.Entry{Version: d.at + 1, Prev: d.hash, Key: string(c.Bytes()), Hash: cutHash(c),
			Data: c.Bytes()}
		if c.Err != nil {
			return damaged("stream %q version %d: %v", d.dumped.Name, e.Version, c.Err)
		}
		d.at, d.hash = e.Version, e.Hash
		d.report.Entries++
		d.report.Bytes += uint64(len(e.Data))
		if e.Version == d.held.Version && e.Hash != d.held.Hash {
			return fmt.Errorf("%w: stream %q has another version %d than the dump", ErrOther, d.dumped.Name, e.Version)
		}
		if e.Version > d.held.Version {
			list = append(list, e)
		}
	}
	if len(c.Rest) > 0 {
		return damaged("stream %q version %d: something follows the entries", d.dumped.Name, d.at)
	}
	return d.store(list)
}

// store appends entries, with the metadata if they are the last; or only sets those.
func (d *restorer) store(list []eventstore.Entry) (err error) {
	a := eventstore.Append{Stream: d.dumped.Name, Expected: d.at - uint64(len(list)), Entries: list}
	// A stream whose metadata were never set stays so.
	same := bytes.Equal(d.held.Meta, d.dumped.Meta) && (d.dumped.MetaVersion == 0 || d.held.MetaVersion > 0)
	if d.at == d.dumped.Version && !same {
		a.Meta, a.MetaExpected = append([]byte{}, d.dumped.Meta...), d.held.MetaVersion
	}
	switch {
	case len(list) > 0:
		if err = d.to.Append(d.ctx, a); err == nil {
			d.report.Stored += uint64(len(list))
		}
	case a.Meta != nil:
		err = d.to.SetMeta(d.ctx, a.Stream, a.Meta, a.MetaExpected)
	}
	var invalid *eventstore.InvalidError
	var used *eventstore.KeyUsedError
	if errors.As(err, &invalid) || errors.As(err, &used) {
		return damaged("%v", err)
	}
	return err
}

func (d *restorer) trailer(c *cutter.Reader) error {
	said := Report{Streams: c.Number(), Entries: c.Number(), Bytes: c.Number(), Stored: d.report.Stored}
	if c.Err != nil || len(c.Rest) > 0 || said != d.report {
		return damaged("it says that it holds %d streams, %d entries and %d bytes, and holds %d, %d and %d",
			said.Streams, said.Entries, said.Bytes, d.report.Streams, d.report.Entries, d.report.Bytes)
	}
	switch _, err := d.r.ReadByte(); {
	case err == nil:
		return damaged("something follows its end")
	case cut(err) != ErrTruncated:
		return err
	}
	_, err := d.existing.find(d.ctx, "")
	return err
}
