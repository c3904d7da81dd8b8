package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	warledger "github.com/warledger/warledger/clients/go"
	v1 "github.com/warledger/warledger/proto/warledger/v1"
)

// Exit codes. The package comment and the help say what they mean.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitRefused     = 3
	exitNotFound    = 4
	exitNotAllowed  = 5
	exitConflict    = 6
	exitUnreached   = 7
	exitFound       = 8
	exitInterrupted = 130
)

// exitCode returns the kind of an error.
func exitCode(err error) int {
	var wrong usageError
	var quiet quietError
	var late moved
	switch {
	case errors.As(err, &wrong):
		return exitUsage
	case errors.As(err, &late):
		return exitConflict
	case errors.As(err, new(noRule)):
		return exitNotFound
	case errors.As(err, &quiet):
		return quiet.code
	}
	if errors.Is(err, warledger.ErrMalformedCommand) {
		return exitRefused
	}
	switch status.Code(err) {
	case codes.FailedPrecondition:
		return exitRefused
	case codes.InvalidArgument:
		return exitUsage
	case codes.NotFound, codes.OutOfRange:
		return exitNotFound
	case codes.Unauthenticated, codes.PermissionDenied:
		return exitNotAllowed
	case codes.Aborted:
		return exitConflict
	case codes.Unavailable:
		return exitUnreached
	}
	return exitFailed
}

// complain tells an error in the form that is wanted, with what helps next, and gives the exit code.
func (a *app) complain(err error) int {
	if a.interrupted(err) {
		return exitInterrupted
	}
	code := exitCode(err)
	var quiet quietError
	if way := a.unreached(err); way != nil {
		err, code = way, exitUnreached
	}
	switch {
	case errors.As(err, &quiet):
	case a.line.Output == "json":
		a.complainJSON(err, code)
	default:
		a.complainText(err)
	}
	return code
}

// complaint is an error as JSON.
type complaint struct {
	Exit     int                `json:"exit"`
	Code     string             `json:"code,omitempty"`
	Reason   warledger.Reason   `json:"reason,omitempty"`
	Message  string             `json:"message"`
	Hint     string             `json:"hint,omitempty"`
	Rule     string             `json:"rule,omitempty"`
	Metadata map[string]string  `json:"metadata,omitempty"`
	Fields   []complaintOfField `json:"fields,omitempty"`
}

type complaintOfField struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

func (a *app) complainJSON(err error, code int) {
	c := complaint{Exit: code, Message: err.Error()}
	var e *warledger.Error
	if errors.As(err, &e) {
		c.Code, c.Reason, c.Message, c.Metadata, c.Rule = e.Code.String(), e.Reason, e.Message, e.Metadata,
			e.Metadata["rule"]
		c.Hint = a.hint(err, e)
		for _, f := range e.Fields {
			c.Fields = append(c.Fields, complaintOfField{f.Path, f.What})
		}
	}
	var way *unreachedError
	if errors.As(err, &way) {
		c.Hint = way.Do
	}
	if errors.As(err, new(noRule)) {
		c.Reason = warledger.ErrRuleNotFound
	}
	data, _ := json.MarshalIndent(map[string]complaint{"error": c}, "", "  ")
	a.grumble("%s\n", data)
}

func (a *app) complainText(err error) {
	var refused *warledger.Refused
	var e *warledger.Error
	var way *unreachedError
	switch {
	case errors.As(err, &way):
		a.grumble("warledger: %v\n  %s\n", a.line.Lang.told(way.Error()), a.line.Lang.told(way.Do))
	case errors.As(err, &refused):
		a.complainOfRefusal(refused)
	case errors.As(err, &e):
		a.complainOfServer(err, e)
	default:
		a.grumble("warledger: %v\n", a.line.Lang.told(err.Error()))
	}
}

// complainOfRefusal says why the rules refuse, and what the rule says.
func (a *app) complainOfRefusal(r *warledger.Refused) {
	words := r.Words
	if words == "" {
		words = strings.TrimSuffix(r.Message, " ("+r.Rule+")")
	}
	if r.Rule == "" {
		a.grumble("refused: %s\n", words)
		return
	}
	a.grumble("refused: %s (%s)\n", words, r.Rule)
	resp, err := a.client.Catalog().GetRule(a.ctx, &v1.GetRuleRequest{
		Parent: "rulesets/" + r.Ruleset, Id: r.Rule, LanguageCode: string(a.line.Lang),
	})
	if err != nil {
		return // the refusal stands without it
	}
	a.grumble("  %s %s: %s\n", r.Rule, resp.Rule.Title, resp.Rule.Summary)
	if saysMore(resp.Rule) {
		a.grumble("  warledger rule %s says more\n", r.Rule)
	}
}

// hints say what to do about an error.
var hints = map[warledger.Reason]string{
	warledger.ErrTokenRequired:   "join the game first (warledger join GAME SEAT)",
	warledger.ErrNotYourSeat:     "warledger show GAME says who holds which seat",
	warledger.ErrSeatRequired:    "say which seat with --as",
	warledger.ErrVersionConflict: "somebody was quicker: look at the board and list again",
	warledger.ErrUndoBarrier:     "warledger undo GAME --ask asks the others",
	warledger.ErrDiceExpected:    "give what was rolled: do --dice 4,2, create --rolled 4,2",
	warledger.ErrGameNotFound:    "warledger games lists the games there are",
	warledger.ErrRulesetNotFound: "warledger rulesets lists them",
	warledger.ErrSeatGuarded:     "warledger show GAME says why it is guarded",
	warledger.ErrSeatUnguarded:   "warledger join GAME SEAT takes it",
	warledger.ErrSeatNotOffered:  "warledger seat offers lists what waits for your answer",
}

func (a *app) complainOfServer(err error, e *warledger.Error) {
	prefix := strings.TrimSuffix(err.Error(), e.Error()) // what the program was doing
	a.grumble("warledger: %s%s\n", prefix, a.line.Lang.told(e.Message))
	if len(e.Fields) > 1 { // the message has the first
		for _, f := range e.Fields {
			a.grumble("  %s: %s\n", f.Path, f.What)
		}
	}
	if hint := a.hint(err, e); hint != "" {
		a.grumble("  %s\n", a.line.Lang.told(hint))
	}
}

// hint says what helps; empty if nothing does.
func (a *app) hint(err error, e *warledger.Error) string {
	var own hinted
	switch {
	case errors.As(err, &own):
		return own.hint
	case e.Reason == warledger.ErrTokenRevoked:
		return a.afterRevoked()
	}
	return hints[e.Reason]
}

// afterRevoked sorts out what is void, so that the next command works, and says what is left.
func (a *app) afterRevoked() string {
	if a.at == "" || a.client == nil {
		return ""
	}
	former, gone, err := a.putAside(a.at)
	switch id := short(a.at); {
	case err != nil:
		return "the tokens kept here could not be sorted out: " + err.Error()
	case len(former) > 0:
		return fmt.Sprintf("%s is free now: warledger join %s %s takes it again, "+
			"warledger seat offers %s says whether it is offered",
			join(former), id, former[0], id)
	case len(gone) > 0:
		return fmt.Sprintf("your token for %s is void and was forgotten; other commands go on with the rest",
			join(gone))
	}
	return ""
}
