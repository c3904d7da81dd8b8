package lab

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"

	"google.golang.org/protobuf/proto"

	labv1 "github.com/warledger/warledger/proto/warledger/lab/v1"
	"github.com/warledger/warledger/rules"
)

// Bounds of what a program may ask for.
const (
	maxRequest = 32 << 20  // bytes of a request
	maxGames   = 1024      // at once
	maxWorkers = 64        //
	maxPlanes  = 256 << 20 // bytes of the planes of all games
	maxAnswer  = 1 << 30   // bytes of an answer
)

// Serve answers requests until the input ends or ctx is done. A request that can't be carried out is answered by a
// fault. An input that ends within a message, one that announces an absurd message, and a failing output are errors.
func Serve(ctx context.Context, in io.Reader, out io.Writer, registry *rules.Registry, program string) error {
	s := &server{registry: registry, program: program}
	requests, failed := make(chan []byte), make(chan error, 1)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { failed <- read(ctx, in, requests) }()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return err
		case data := <-requests:
			if err := s.answer(data, out); err != nil {
				return err
			}
		}
	}
}

// read reads requests one by one, ahead of their answers by one.
func read(ctx context.Context, in io.Reader, to chan<- []byte) error {
	for {
		var length [4]byte
		if n, err := io.ReadFull(in, length[:]); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("the input ended after %d of 4 bytes of a message's length: %w", n, err)
		}
		size := binary.LittleEndian.Uint32(length[:])
		if size > maxRequest {
			return fmt.Errorf("a request of %d bytes was announced, and %d is the most: the input makes no sense",
				size, maxRequest)
		}
		data := make([]byte, size)
		if n, err := io.ReadFull(in, data); err != nil {
			return fmt.Errorf("the input ended after %d of %d bytes of a message: %w", n, size, err)
		}
		select {
		case to <- data:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// server is one conversation.
type server struct {
	registry *rules.Registry
	program  string
	writer   *writer // nil before something was opened
	answered []byte  // memory of the latest answer
}

// answer carries out a request. Errors are those of the output, and defects of a ruleset.
func (s *server) answer(data []byte, out io.Writer) error {
	var request labv1.Request
	response, err := &labv1.Response{}, error(nil)
	if err = proto.Unmarshal(data, &request); err != nil {
		err = refuse(Malformed, "the bytes are no request: %v", err)
	} else {
		err = s.do(&request, response)
	}
	var refused *Refused
	if errors.As(err, &refused) {
		response.Response = &labv1.Response_Fault{Fault: &labv1.Fault{Reason: labv1.Reason(refused.Reason),
			Message: refused.Message, Game: int32(refused.Game)}}
	} else if err != nil {
		return err
	}
	if size := proto.Size(response); size > maxAnswer {
		return fmt.Errorf("an answer of %d bytes is too long: play fewer games at once", size)
	}
	s.answered, err = proto.MarshalOptions{}.MarshalAppend(append(s.answered[:0], 0, 0, 0, 0), response)
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(s.answered, uint32(len(s.answered)-4))
	_, err = out.Write(s.answered)
	return err
}

func (s *server) do(request *labv1.Request, response *labv1.Response) (err error) {
	switch r := request.GetRequest().(type) {
	case *labv1.Request_Open:
		var opened *labv1.Opened
		opened, err = s.open(r.Open)
		response.Response = &labv1.Response_Opened{Opened: opened}
		return err
	case nil:
		return refuse(Malformed, "the request asks for nothing that this program knows")
	}
	if s.writer == nil {
		return refuse(NotReady, "nothing was opened: say first what is played")
	}
	if look, ok := request.GetRequest().(*labv1.Request_Look); ok {
		var sight *labv1.Sight
		sight, err = s.writer.look(look.Look.GetGame(), look.Look.GetSeat())
		response.Response = &labv1.Response_Sight{Sight: sight}
		return err
	}
	if err := s.move(request); err != nil {
		return err
	}
	batch, err := s.writer.write()
	response.Response = &labv1.Response_Batch{Batch: batch}
	return err
}

// move begins games or makes decisions.
func (s *server) move(request *labv1.Request) error {
	if reset := request.GetReset_(); reset != nil {
		games, err := numbers(reset.GetGames(), 4, "games", binary.LittleEndian.Uint32)
		if err != nil {
			return err
		}
		seeds, err := numbers(reset.GetSeeds(), 8, "seeds", binary.LittleEndian.Uint64)
		if err != nil {
			return err
		}
		list := make([]int, len(games))
		for i, g := range games {
			list[i] = int(g)
		}
		return s.writer.table.Reset(list, seeds)
	}
	step := request.GetStep()
	actions, err := numbers(step.GetActions(), 4, "actions",
		func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) })
	if err != nil {
		return err
	}
	return s.writer.table.Step(actions, step.GetRestart())
}

// numbers reads a list of numbers of so many bytes each.
func numbers[T any](data []byte, size int, what string, read func([]byte) T) ([]T, error) {
	if len(data)%size != 0 {
		return nil, refuse(Malformed, "%d bytes of %s are no list of numbers of %d bytes", len(data), what, size)
	}
	list := make([]T, 0, len(data)/size)
	for ; len(data) > 0; data = data[size:] {
		list = append(list, read(data))
	}
	return list, nil
}

// open says what is played, and what the numbers of the answers mean.
func (s *server) open(o *labv1.Open) (*labv1.Opened, error) {
	cfg, err := configure(s.registry, o)
	if err != nil {
		return nil, err
	}
	t := cfg.Ruleset.Tensors(cfg.Scenario)
	if t == nil {
		return nil, refuse(Unknown, "%s says nothing in numbers", cfg.Ruleset.About().Name)
	}
	if size := 2 * len(t.Planes) * len(t.Spaces) * cfg.Games; o.GetObserve() && size > maxPlanes {
		return nil, outOfRange(-1, "the planes of %d games take %d bytes, and %d is the most",
			cfg.Games, size, maxPlanes)
	}
	s.writer = newWriter(NewTable(cfg), t, o.GetObserve(), o.GetRows())
	about := cfg.Ruleset.About()
	opened := &labv1.Opened{Program: s.program, RulesVersion: about.Version, Spaces: t.Spaces, Pieces: t.Pieces,
		Ground: columns(t.Ground), Planes: columns(t.Planes), Scalars: columns(t.Scalars), Row: columns(t.Row)}
	opened.GroundValues = make([]byte, 2*len(t.GroundValues))
	put(opened.GroundValues, t.GroundValues)
	for _, seat := range about.Seats {
		opened.Seats = append(opened.Seats, seat.ID)
	}
	for _, kind := range about.Commands {
		opened.Kinds = append(opened.Kinds, kind.ID)
	}
	return opened, nil
}

func columns(list []rules.Column) []*labv1.Column {
	all := make([]*labv1.Column, len(list))
	for i, c := range list {
		all[i] = &labv1.Column{Id: c.ID, Note: c.Note}
	}
	return all
}

// configure finds what is to be played.
func configure(registry *rules.Registry, o *labv1.Open) (cfg Config, err error) {
	set, ok := registry.Find(o.GetRuleset())
	if !ok {
		return cfg, refuse(Unknown, "there is no ruleset %.40q", o.GetRuleset())
	}
	doc := o.GetDocument()
	for _, d := range set.ScenarioDocuments() {
		if len(doc) == 0 && d.ID == o.GetScenario() {
			doc = d.Data
		}
	}
	if len(doc) == 0 {
		return cfg, refuse(Unknown, "%s has no scenario %.40q", o.GetRuleset(), o.GetScenario())
	}
	sc, faults := set.LoadScenario(doc)
	if faults.Refused() || sc == nil {
		return cfg, refuse(Unknown, "the scenario can't be played: %v", faults)
	}
	options, err := set.About().NewOptions(o.GetOptions())
	if err != nil {
		return cfg, refuse(Unknown, "%v", err)
	}
	if o.GetGames() < 1 || o.GetGames() > maxGames {
		return cfg, outOfRange(-1, "%d games at once, expected 1 to %d", o.GetGames(), maxGames)
	}
	if o.GetWorkers() > maxWorkers {
		return cfg, outOfRange(-1, "%d workers, expected 0 to %d", o.GetWorkers(), maxWorkers)
	}
	workers := int(o.GetWorkers())
	if workers == 0 {
		workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	return Config{Ruleset: set, Scenario: sc, Options: options, Games: int(o.GetGames()), Seed: o.GetSeed(),
		Workers: workers, Limit: int(o.GetLimit()), Offers: o.GetOffers()}, nil
}
