package service

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warledger/warledger/languages"
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
	"github.com/warledger/warledger/rules"
	"github.com/warledger/warledger/rules/dice"
	"github.com/warledger/warledger/service/deadline"
	"github.com/warledger/warledger/service/elements"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/live"
	"github.com/warledger/warledger/service/internal/streams"
	"github.com/warledger/warledger/service/internal/tokens"
	"github.com/warledger/warledger/service/ledger"
)

// Sizes of what a request may hold.
const (
	maxEntropy   = 64 // bytes
	maxDocument  = 4 << 20
	maxNotation  = 4096 // bytes
	maxCommand   = 64 << 10
	maxManual    = 1000 // dice
	maxID        = 100  // bytes of an id of a seat, piece, space, kind or rule
	maxOptions   = 200
	maxPageToken = 512
)

var (
	rulesetName  = regexp.MustCompile(`^rulesets/([a-z][a-z0-9-]{0,39})$`)
	scenarioName = regexp.MustCompile(`^rulesets/([a-z][a-z0-9-]{0,39})/scenarios/([a-z0-9][a-z0-9-]{0,99})$`)
	computerName = regexp.MustCompile(`^computers/([a-z0-9][a-z0-9-]{0,39})$`)
	tokenName    = regexp.MustCompile(`^games/([a-z2-7]{26})/tokens/([a-z2-7]{16})$`)
)

// shape checks the fields of a request one by one and collects everything that is wrong.
type shape struct{ faults fault.Violations }

func (s *shape) err() error { return s.faults.Err(fault.ValidationFailed) }

// game reads the name of a game and gives its id.
func (s *shape) game(field, name string) string {
	id, ok := strings.CutPrefix(name, streams.Games)
	if !ok || len(id) != tokens.GameIDChars || strings.ContainsFunc(id, notSpelling) {
		s.faults.Add(field, "%q is not the name of a game, expected \"games/\" and %d of a-z and 2-7",
			clip(name), tokens.GameIDChars)
		return ""
	}
	return id
}

func notSpelling(r rune) bool { return (r < 'a' || r > 'z') && (r < '2' || r > '7') }

// token reads the name of a token and gives the game's id and its own.
func (s *shape) token(field, name string) (game, token string) {
	m := tokenName.FindStringSubmatch(name)
	if m == nil {
		s.faults.Add(field, "expected \"games/…/tokens/…\", as ListTokens gives it") // not quoted: it might be a token
		return "", ""
	}
	return m[1], m[2]
}

func (s *shape) ruleset(field, name string) string {
	m := rulesetName.FindStringSubmatch(name)
	if m == nil {
		s.faults.Add(field, "%q is not the name of a ruleset, expected \"rulesets/\" and its id", clip(name))
		return ""
	}
	return m[1]
}

// computer reads the name of a computer and gives its id.
func (s *shape) computer(field, name string) string {
	m := computerName.FindStringSubmatch(name)
	if m == nil {
		s.faults.Add(field, "expected \"computers/…\", as ListComputers gives it") // not quoted: it might be a token
		return ""
	}
	return m[1]
}

func (s *shape) scenario(field, name string) (ruleset, scenario string) {
	m := scenarioName.FindStringSubmatch(name)
	if m == nil {
		s.faults.Add(field, "%q is not the name of a scenario, expected \"rulesets/…/scenarios/…\"", clip(name))
		return "", ""
	}
	return m[1], m[2]
}

// request reads the id of a request. It must be a UUID in its usual spelling, so that one id has one spelling.
func (s *shape) request(field, text string) uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil || id.String() != text || id == uuid.Nil {
		s.faults.Add(field, "expected a UUID in lower case, as in \"0b8f5c1e-7d6a-4f0e-9a52-3c8e1d2f4b60\"")
		return uuid.Nil
	}
	return id
}

// secretRequest reads the id of a request that gives a token, which must not be guessed.
func (s *shape) secretRequest(field, text string) uuid.UUID {
	id := s.request(field, text)
	if id != uuid.Nil && id.Version() != 4 && id.Version() != 7 {
		s.faults.Add(field, "expected a random UUID, of version 4 or 7, not %d", id.Version())
	}
	return id
}

// text checks a text for people: valid, not too long, on one line unless lines are allowed.
func (s *shape) text(field, text string, characters int) {
	if n := utf8.RuneCountInString(text); n > characters {
		s.faults.Add(field, "%d characters, at most %d are allowed", n, characters)
	}
	if wrong := live.Wrong(text); wrong != "" {
		s.faults.Add(field, "%s", wrong)
	}
}

// printable refuses what could take over the terminal of a reader.
func (s *shape) printable(field, text string) {
	if strings.ContainsFunc(text, live.Trick) {
		s.faults.Add(field, "control characters are not allowed")
	}
}

// id checks an id that some list holds; empty passes.
func (s *shape) id(field, id string) {
	if len(id) > maxID {
		s.faults.Add(field, "%d bytes, at most %d are allowed", len(id), maxID)
	}
	s.printable(field, id)
}

func (s *shape) size(field string, n, limit int) {
	if n > limit {
		s.faults.Add(field, "%d bytes, at most %d are allowed", n, limit)
	}
}

func (s *shape) language(field, code string) rules.Lang {
	if code == "" {
		return rules.English
	}
	if tag, ok := languages.Match(code); ok {
		return rules.Lang(tag)
	}
	s.faults.Add(field, "%q is not offered, expected one of %q", clip(code), languages.Tags())
	return rules.English
}

// page reads a page size: 0 means the default, and more than the limit means the limit.
func (s *shape) page(field string, size int32, usual, limit int) int {
	switch {
	case size < 0:
		s.faults.Add(field, "%d, expected 0 to %d", size, limit)
	case size == 0:
		return usual
	}
	return min(int(size), limit)
}

// joinPolicy reads who may take a free seat; nothing given passes.
func (s *shape) joinPolicy(field string, p logv1.JoinPolicy) logv1.JoinPolicy {
	if _, known := logv1.JoinPolicy_name[int32(p)]; !known {
		s.faults.Add(field, "%d is no policy", p)
	}
	return p
}

func (s *shape) dice(field string, values []uint32) {
	if len(values) > maxManual {
		s.faults.Add(field, "%d dice, at most %d are allowed", len(values), maxManual)
	}
}

// clip keeps error messages short.
func clip(s string) string {
	if len(s) <= 60 {
		return s
	}
	return strings.ToValidUTF8(s[:60], "") + "…"
}

// deadlines reads deadlines, with nothing left open; nil for none.
func (s *shape) deadlines(field string, d *logv1.Deadlines, manual bool) *logv1.Deadlines {
	if d == nil {
		return nil
	}
	for _, f := range deadline.Check(d, manual) {
		s.faults.Add(field+"."+f.Field, "%s", f.What)
	}
	return deadline.Normal(d)
}

// form checks that there is a command in one of its forms.
func (s *shape) form(req *v1.SubmitCommandRequest) {
	switch f := req.GetForm().(type) {
	case *v1.SubmitCommandRequest_Notation:
		s.size("notation", len(f.Notation), maxNotation)
		if strings.TrimSpace(f.Notation) == "" {
			s.faults.Add("notation", "it is empty")
		}
	case *v1.SubmitCommandRequest_Command:
		s.size("command", len(f.Command.GetValue()), maxCommand)
		if f.Command.GetTypeUrl() == "" {
			s.faults.Add("command.type_url", "it is empty")
		}
	default:
		s.faults.Add("form", "expected a notation or a command")
	}
}

// The range of the time that a game waits for answers before it goes on without them.
const (
	shortestAnswer = 5 * time.Second
	longestAnswer  = 60 * 24 * time.Hour
)

// chain checks a chain; nil is valid.
func (s *shape) chain(field string, c *logv1.HashChain) {
	if c == nil {
		return
	}
	if _, err := dice.NewChain(c.Anchor, c.Length); err != nil {
		s.faults.Add(field, "%s", err)
	}
}

// mutualDice reads how mutual dice are thrown and fills in the defaults; nil for other dice.
func (s *shape) mutualDice(field string, terms *logv1.MutualDice, kind logv1.DiceKind) *logv1.MutualDice {
	if kind != logv1.DiceKind_DICE_KIND_MUTUAL {
		if terms != nil {
			s.faults.Add(field, "expected none without mutual dice")
		}
		return nil
	}
	out := &logv1.MutualDice{OnSilence: logv1.Silence_SILENCE_WAIT}
	switch terms.GetOnSilence() {
	case logv1.Silence_SILENCE_UNSPECIFIED, logv1.Silence_SILENCE_WAIT:
		if terms.GetAnswerTime() != nil {
			s.faults.Add(field+".answer_time", "expected none where the game waits")
		}
	case logv1.Silence_SILENCE_GO_ON:
		d := terms.GetAnswerTime()
		if after := d.AsDuration(); d.CheckValid() != nil || after < shortestAnswer || after > longestAnswer {
			s.faults.Add(field+".answer_time", "expected %s to %s", shortestAnswer, longestAnswer)
		}
		out.OnSilence, out.AnswerTime = logv1.Silence_SILENCE_GO_ON, durationpb.New(d.AsDuration())
	default:
		s.faults.Add(field+".on_silence", "%d is none", terms.GetOnSilence())
	}
	return out
}

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
	// Nothing in check or Range returns an error but the one that ends it.
	_ = protorange.Range(m.ProtoReflect(), func(v protopath.Values) error {
		if len(s.faults) >= mostFindings {
			return protorange.Terminate
		}
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

func (s *shape) leaf(field string, leaf *ledger.Leaf, known proto.Message) {
	m := known.ProtoReflect().New().Interface()
	if err := elements.Check(leaf.Data, m.ProtoReflect().Descriptor()); err != nil {
		s.faults.Add(field, "%s", err)
		return
	}
	if err := leaf.Decode(m); err != nil {
		s.faults.Add(field, "%s", err)
		return
	}
	s.strings(field, m)
}
