package dump

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/warledger/warledger/eventstore"
)

// streamPage is how many streams are listed at once.
const streamPage = 100

// Write writes a dump of the store as of one moment. Appends to the store go on meanwhile; a slow w makes its file
// grow, as every snapshot does. A store with a corrupt stream cannot be dumped.
func Write(ctx context.Context, store eventstore.Store, w io.Writer) (r Report, err error) {
	snapshot, err := store.Snapshot(ctx)
	if err != nil {
		return r, fmt.Errorf("dump event store: %w", err)
	}
	defer snapshot.Close()
	d := dumper{ctx: ctx, from: snapshot, w: bufio.NewWriterSize(w, 1<<16), sum: newSum()}
	if err := d.all(); err != nil {
		return d.report, fmt.Errorf("dump event store: %w", err)
	}
	return d.report, nil
}

type dumper struct {
	ctx    context.Context
	from   eventstore.Snapshot
	w      *bufio.Writer
	sum    sum
	buf    []byte
	report Report
}

func (d *dumper) all() error {
	if _, err := d.w.Write(header()); err != nil {
		return err
	}
	for after := ""; ; {
		page, err := d.from.List(d.ctx, "", after, streamPage)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		for _, info := range page {
			if err := d.stream(info); err != nil {
				return fmt.Errorf("stream %q: %w", info.Name, err)
			}
		}
		after = page[len(page)-1].Name
	}
	buf := binary.AppendUvarint(d.buf[:0], d.report.Streams)
	buf = binary.AppendUvarint(buf, d.report.Entries)
	buf = binary.AppendUvarint(buf, d.report.Bytes)
	if err := d.block(kindTrailer, buf); err != nil {
		return err
	}
	return d.w.Flush()
}

func (d *dumper) stream(info eventstore.StreamInfo) error {
	buf := appendBytes(d.buf[:0], info.Name)
	buf = binary.AppendUvarint(buf, info.Version)
	buf = binary.AppendUvarint(buf, info.MetaVersion)
	if err := d.block(kindStream, append(buf, info.Meta...)); err != nil {
		return err
	}
	d.report.Streams++
	for at := uint64(0); at < info.Version; {
		page, err := d.from.ReadAt(d.ctx, info.Name, at+1, blockEntries, blockBytes)
		if err != nil {
			return err
		}
		if len(page.Entries) == 0 {
			return fmt.Errorf("version %d is missing", at+1)
		}
		if err := d.entries(page.Entries); err != nil {
			return err
		}
		at += uint64(len(page.Entries))
	}
	return nil
}

func (d *dumper) entries(list []eventstore.Entry) error {
	buf := binary.AppendUvarint(d.buf[:0], uint64(len(list)))
	for i := range list {
		e := &list[i]
		buf = append(appendBytes(buf, e.Key), e.Hash[:]...)
		buf = appendBytes(buf, e.Data)
		d.report.Entries++
		d.report.Bytes += uint64(len(e.Data))
	}
	return d.block(kindEntries, buf)
}

// block writes a block and keeps the room of its content for the next.
func (d *dumper) block(kind byte, content []byte) error {
	d.buf = content
	for _, part := range [][]byte{blockHeader(kind, len(content)), content, d.sum.block(kind, content)} {
		if _, err := d.w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func appendBytes[T string | []byte](buf []byte, b T) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(b))), b...)
}
