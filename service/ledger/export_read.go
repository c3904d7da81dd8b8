package ledger

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"math"

	"google.golang.org/protobuf/proto"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
)

// Export is a game file that is being read.
type Export struct {
	header *logv1.ExportHeader
	src    io.Reader
	base   int64 // where the file begins in src, if it can be read anew
	anew   io.ReaderAt
	fresh  *frames
}

// ReadExport reads the beginning of a game file. It does not close r. If r is an [io.Seeker] and an [io.ReaderAt], as
// files and byte readers are, the records can be read more than once, also several times at once. The error is r's or a
// *[FileError].
func ReadExport(r io.Reader) (*Export, error) {
	e := &Export{src: r}
	if s, ok := r.(io.Seeker); ok {
		var err error
		if e.base, err = s.Seek(0, io.SeekCurrent); err != nil {
			return nil, err
		}
		e.anew, _ = r.(io.ReaderAt)
	}
	f, header, err := openFrames(r)
	if err != nil {
		return nil, err
	}
	e.header, e.fresh = header, f
	return e, nil
}

// Header is the first message of the file, the scenario document in it.
func (e *Export) Header() *logv1.ExportHeader { return e.header }

// Records yields the stored records in order, with limits on their size and number, and checks the checksum at the end:
// the last thing that it yields may be an error, r's or a *[FileError], that makes all before it void. It does not look
// into the records: [AuditExport] does.
func (e *Export) Records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, err := e.begin()
		if err != nil {
			yield(nil, err)
			return
		}
		for n := uint64(1); n <= e.header.Records; n++ {
			data, err := f.frame(n, MaxRecord, "record")
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(data, nil) {
				return
			}
		}
		if err := f.finish(e.header.Records); err != nil {
			yield(nil, err)
		}
	}
}

// begin returns the file behind its header: the first time as it is, then from the start again. Each reading has a
// place of its own, since an audit goes back to the beginning while it reads on.
func (e *Export) begin() (*frames, error) {
	if f := e.fresh; f != nil {
		e.fresh = nil
		return f, nil
	}
	if e.anew == nil {
		return nil,
			errors.New("game file: it can be read only once, since it is no file that can be read from any place")
	}
	f, header, err := openFrames(io.NewSectionReader(e.anew, e.base, math.MaxInt64-e.base))
	if err == nil && !proto.Equal(header, e.header) {
		err = &FileError{What: "the header is another than at the first reading"}
	}
	return f, err
}

// frames reads length-delimited pieces and keeps the checksum of all of them.
type frames struct {
	r   *bufio.Reader
	sum hash.Hash
}

func openFrames(r io.Reader) (*frames, *logv1.ExportHeader, error) {
	f := &frames{r: bufio.NewReaderSize(r, 64<<10), sum: sha256.New()}
	magic := make([]byte, len(ExportMagic))
	if err := f.full(magic, 0, "the first line"); err != nil {
		return nil, nil, err
	}
	if string(magic) != ExportMagic {
		return nil, nil, &FileError{What: fmt.Sprintf("the first line is not %q", ExportMagic[:len(ExportMagic)-1])}
	}
	data, err := f.frame(0, maxExportHeader, "header")
	if err != nil {
		return nil, nil, err
	}
	h := new(logv1.ExportHeader)
	if err := proto.Unmarshal(data, h); err != nil {
		return nil, nil, &FileError{What: fmt.Sprintf("header: %v", err)}
	}
	if h.Format != ExportFormat {
		return nil, nil, &FileError{What: fmt.Sprintf("format %d, this program reads %d", h.Format, ExportFormat)}
	}
	if len(h.ScenarioDocument) > MaxDocument {
		return nil, nil,
			&FileError{What: fmt.Sprintf("the scenario document has %d bytes, more than %d",
				len(h.ScenarioDocument), MaxDocument)}
	}
	return f, h, nil
}

// frame reads a piece: its length in the shortest form, and as many bytes.
func (f *frames) frame(record uint64, limit int, what string) ([]byte, error) {
	n, one := uint64(0), make([]byte, 1)
	for shift := 0; ; shift += 7 {
		if err := f.full(one, record, "the length of the "+what); err != nil {
			return nil, err
		}
		n |= uint64(one[0]&0x7f) << shift
		if one[0] < 0x80 {
			if one[0] == 0 {
				return nil, &FileError{record, "the length of the " + what + " is 0 or not in its shortest form"}
			}
			break
		}
		if shift >= 28 {
			return nil, &FileError{record, "the length of the " + what + " is no sensible number"}
		}
	}
	if n > uint64(limit) {
		return nil, &FileError{record, fmt.Sprintf("the %s has %d bytes, more than %d", what, n, limit)}
	}
	return f.piece(int(n), record, what)
}

// piece reads n bytes. Memory grows with what is there, not with what the file claims.
func (f *frames) piece(n int, record uint64, what string) ([]byte, error) {
	const trusted = 64 << 10
	if n <= trusted {
		data := make([]byte, n)
		return data, f.full(data, record, "the "+what)
	}
	var buf bytes.Buffer
	got, err := io.CopyN(io.MultiWriter(&buf, f.sum), f.r, int64(n))
	if errors.Is(err, io.EOF) {
		return nil, &FileError{record, fmt.Sprintf("the file ends in the %s, after %d of %d bytes", what, got, n)}
	}
	return buf.Bytes(), err
}

func (f *frames) full(b []byte, record uint64, what string) error {
	_, err := io.ReadFull(f.r, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &FileError{record, "the file ends before the end of " + what}
	}
	f.sum.Write(b)
	return err
}

func (f *frames) finish(records uint64) error {
	want := f.sum.Sum(nil)
	got := make([]byte, len(want))
	if err := f.full(got, 0, "the checksum"); err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return &FileError{
			What: fmt.Sprintf("the checksum after record %d is %x, computed was %x: the file was damaged or changed",
				records, got, want),
		}
	}
	if _, err := f.r.ReadByte(); err == nil {
		return &FileError{What: fmt.Sprintf("there is more after the checksum behind record %d", records)}
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}
