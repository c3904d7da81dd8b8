package ledger

import (
	"bytes"
	"errors"
	"fmt"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/rules"
)

// playAudit walks the tree with the stored events and has every command decided again.
type playAudit struct {
	a        *auditor
	set      rules.Ruleset
	document []byte
	pos      rules.Game // position of the last place that was decided; nil when it is not known
	line     auditLine
	err      error // of the context, while the audit goes back

	severity Severity // of a difference
	rules    string   // whose rules decide, in words
	blind    string   // why positions are not known from blindAt on; empty while they are
	blindAt  uint64
	hidden   uint64 // commands not decided because parts of their records are hidden
}

func (a *auditor) newPlayAudit(reg *rules.Registry, document []byte) *playAudit {
	created := a.chain.Created()
	p := &playAudit{a: a, document: document, line: auditLine{stride: a.o.Stride}}
	if d := ScenarioDigest(document); string(d[:]) != string(created.ScenarioDigest) {
		a.find(1, Error, CheckCommitment, "names a scenario document with digest %x, but the document has %x",
			created.ScenarioDigest, d)
		p.lose(1, "the scenario document is not that of the game")
		return p
	}
	set, ok := reg.Find(created.Ruleset)
	if !ok {
		p.lose(1, fmt.Sprintf("this program does not have the ruleset %q", created.Ruleset))
		return p
	}
	p.set = set
	switch today := set.About().Version; {
	case created.RulesVersion == today:
		p.severity, p.rules = Error, "the rules"
	case created.RulesVersion == 0:
		p.severity, p.rules = Error, "the rules"
		a.find(1, Error, CheckFold, "does not say which version of the rules the game was made with")
	case created.RulesVersion < today:
		p.severity, p.rules = Notice,
			fmt.Sprintf("today's rules (version %d, the game has %d)", today, created.RulesVersion)
	default:
		p.severity, p.rules = Notice,
			fmt.Sprintf("the rules of this older program (version %d, the game has %d)", today, created.RulesVersion)
	}
	return p
}

// lose gives up on positions from a record on.
func (p *playAudit) lose(version uint64, why string) {
	p.pos, p.blind, p.blindAt, p.line = nil, why, version, auditLine{}
}

func (p *playAudit) unchecked() (what []string) {
	if p.blind != "" {
		what = append(what, fmt.Sprintf("positions and commands from record %d on: %s", p.blindAt, p.blind))
	}
	if p.hidden > 0 {
		what = append(what, fmt.Sprintf("%d commands: parts of their records are hidden", p.hidden))
	}
	return what
}

func (p *playAudit) add(r *Record) {
	if p.blind != "" {
		return
	}
	switch r.Header().Kind {
	case logv1.RecordKind_RECORD_KIND_CREATED:
		p.begin(r)
	case logv1.RecordKind_RECORD_KIND_COMMAND:
		if p.goTo(r.Header().Parent, r.Version()); p.pos != nil && p.err == nil {
			p.step(r)
		}
	case logv1.RecordKind_RECORD_KIND_UNDO:
		p.a.undos--
	}
}

func (p *playAudit) begin(r *Record) {
	pos, err := p.setup(p.a.chain.Created())
	if err != nil {
		p.a.find(1, Error, CheckFold, "cannot be set up: %v", err)
		p.lose(1, "the game cannot be set up")
		return
	}
	p.pos = pos
	p.step(r)
}

func (p *playAudit) setup(created *logv1.GameCreated) (g rules.Game, err error) {
	defer guard(&err)
	return Setup(p.set, created, p.document)
}

// step decides a record again and then folds what is stored.
func (p *playAudit) step(r *Record) {
	if r.Hidden() > 0 {
		p.hidden++
	} else {
		p.a.sum.Commands++
		p.aside(r)
		if d := redecide(p.pos, r); d != nil {
			p.a.found(Finding{
				Version: r.Version(), Severity: p.severity, Check: CheckAdjudication,
				Message: p.rules + " " + d.what, Detail: d.detail,
			})
		}
	}
	if err := Fold(p.pos, r); err != nil {
		p.stop(r.Version(), err)
		return
	}
	p.advance(r)
}

func (p *playAudit) stop(version uint64, err error) {
	if errors.Is(err, ErrHidden) {
		p.lose(version, "events are hidden from the viewer that this log is for")
		return
	}
	f := Finding{Version: version, Severity: Error, Check: CheckFold,
		Message: "leads to a position that cannot be made", Detail: err.Error()}
	if e := (*FoldError)(nil); errors.As(err, &e) {
		f.Version, f.Message, f.Detail = e.Version, fmt.Sprintf("has an event, number %d, that does not fold", e.Event),
			e.Err.Error()
	}
	p.a.found(f)
	p.lose(version, "an earlier record does not fold")
}

// advance adds the place of a record that was folded to the line.
func (p *playAudit) advance(r *Record) {
	place := linePlace{waiting: p.pos.Waiting(), turn: p.pos.Turn(), over: p.pos.Ending() != nil}
	depth := len(p.line.places)
	if p.a.undos > 0 {
		place.data = bytes.Clone(r.Data())
		p.line.keep(depth, p.pos)
	} else {
		p.line.end()
	}
	p.line.places = append(p.line.places, place)
}

// goTo turns to the position of a place on the line. An undo alone needs no position: what is done again was decided
// before.
func (p *playAudit) goTo(place, version uint64) {
	depth := p.a.chain.Tree().Depth(place)
	if depth+1 == len(p.line.places) {
		return
	}
	pos, at := p.line.back(depth)
	for at < depth {
		if p.err = p.a.ctx.Err(); p.err != nil {
			return
		}
		at++
		r, err := Parse(p.line.places[at].data)
		if err == nil {
			err = Fold(pos, r)
		}
		if err != nil {
			p.stop(version, err)
			return
		}
		p.line.keep(at, pos)
	}
	p.pos = pos
}

// head is what is known of the position at a place of the line.
func (p *playAudit) head(place uint64) linePlace {
	return p.line.places[p.a.chain.Tree().Depth(place)]
}

// guard turns a panic of a ruleset that met bytes from anywhere into an error.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the ruleset gave up: %v", p)
	}
}
