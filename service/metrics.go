package service

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/internal/notice"
	"github.com/warledger/warledger/service/ledger"
	"github.com/warledger/warledger/service/mail"
	"github.com/warledger/warledger/service/webhook"
)

// metrics counts what happens in games. No label names a game, a seat or a person: their number has no bound.
type metrics struct {
	commands *prometheus.CounterVec
	folds    prometheus.Histogram
	legal    prometheus.Histogram
	appends  prometheus.Histogram
	failures prometheus.Counter
	readOn   prometheus.Counter
	replaced prometheus.Counter
	previews prometheus.Histogram
	errors   *prometheus.CounterVec
	lookups  *prometheus.CounterVec
	lag      prometheus.Histogram
	findings *prometheus.CounterVec
	notices  *prometheus.HistogramVec
	disabled *prometheus.CounterVec
	lapses   *prometheus.CounterVec
	// behind is how many watches have not yet sent all that there is.
	behind atomic.Int64
}

// quick are buckets from 20 µs to 5 s.
var quick = []float64{.00002, .00005, .0001, .0002, .0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5}

// newMetrics makes what is counted. Nothing is registered yet.
func newMetrics() *metrics {
	histogram := func(name, help string) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "warledger", Name: name, Help: help, Buckets: quick,
		})
	}
	m := &metrics{
		commands: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "warledger", Name: "commands_total", Help: "Commands by ruleset and outcome: accepted, asked " +
				"(waits for mutual dice), repeated, or the reason of the error.",
		}, []string{"ruleset", "outcome"}),
		folds:   histogram("fold_seconds", "Time to fold a game from its log into memory."),
		legal:   histogram("legal_seconds", "Time to list the legal commands of a seat."),
		appends: histogram("append_seconds", "Time until an append was durable, waiting for its batch included."),
		failures: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "warledger", Name: "append_failures_total", Help: "Appends that the store did not take.",
		}),
		readOn: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "warledger", Name: "read_on_records_total",
			Help: "Records of games in memory that other machines on the same store made.",
		}),
		replaced: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "warledger", Name: "replaced_heads_total",
			Help: "Heads of games that contradict one in the log of heads: somebody has changed the store.",
		}),
		previews: histogram("preview_seconds", "Time to work a preview out, not counting the wait for its turn."),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "warledger", Name: "errors_total", Help: "Calls that ended with an error, by method and reason.",
		}, []string{"method", "reason"}),
		lookups: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "warledger", Name: "game_lookups_total",
			Help: "Games asked for, by where they were: in memory, or folded from the log.",
		}, []string{"from"}),
		lag: histogram("watch_lag_seconds",
			"Time from when a record was made until a watcher that follows was sent it."),
		findings: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "warledger", Name: "audit_findings_total", Help: "Findings of audits, by severity.",
		}, []string{"severity"}),
	}
	m.addNotices()
	for _, from := range []string{fromMemory, fromLog} { // so that rates begin at 0 and not at nothing
		m.lookups.WithLabelValues(from)
	}
	for _, severity := range []ledger.Severity{ledger.Notice, ledger.Error} {
		m.findings.WithLabelValues(severity.String())
	}
	return m
}

// Outcomes of commands that are no errors.
const (
	outcomeAccepted = "accepted"
	outcomeRepeated = "repeated"
	outcomeAsked    = "asked"
	outcomeChecked  = "checked"
)

func (m *metrics) command(ruleset, outcome string, err error) {
	if err != nil {
		outcome = string(fault.Internal)
		var known *fault.Error
		if errors.As(err, &known) {
			outcome = string(known.Reason)
		}
	}
	m.commands.WithLabelValues(ruleset, outcome).Inc()
}

// Where a game was that was asked for.
const (
	fromMemory = "memory"
	fromLog    = "log"
)

// failed counts a call that ended with an error. Reasons of rulesets are few, and so are methods.
func (m *metrics) failed(method, code string, err error) {
	reason := code
	var known *fault.Error
	if errors.As(err, &known) {
		reason = string(known.Reason)
	}
	m.errors.WithLabelValues(method, reason).Inc()
}

// delivered is told how old a record was when a watcher that follows was sent it.
func (m *metrics) delivered(age time.Duration) { m.lag.Observe(max(age, 0).Seconds()) }

func (m *metrics) found(severity string) { m.findings.WithLabelValues(severity).Inc() }

// Lookup counts a game that was asked for, by where it was.
func (m *metrics) Lookup(folded bool) {
	from := fromMemory
	if folded {
		from = fromLog
	}
	m.lookups.WithLabelValues(from).Inc()
}

// Folded is told how long it took to fold a game.
func (m *metrics) Folded(d time.Duration) { m.folds.Observe(d.Seconds()) }
func (m *metrics) listed(d time.Duration) { m.legal.Observe(d.Seconds()) }

func (m *metrics) previewed(d time.Duration) { m.previews.Observe(d.Seconds()) }

// Appended is told how long an append took, or that it failed.
func (m *metrics) Appended(d time.Duration, err error) {
	if err != nil {
		m.failures.Inc()
		return
	}
	m.appends.Observe(d.Seconds())
}

// ReadOn is told how many records were read on that others had stored.
func (m *metrics) ReadOn(records int) { m.readOn.Add(float64(records)) }

const outcomeDelivered = "delivered"

// addNotices makes what is counted of notices and deadlines, beginning at 0 so that rates do.
func (m *metrics) addNotices() {
	m.notices = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "warledger", Name: "notice_seconds",
		Help: "Time to deliver a notice, by channel and outcome: delivered, or why not.", Buckets: quick,
	}, []string{"channel", "outcome"})
	m.disabled = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "warledger", Name: "notices_disabled_total",
		Help: "Webhooks and mailboxes that failed for so long that they are not tried any more.",
	}, []string{"channel"})
	m.lapses = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "warledger", Name: "lapses_total", Help: "Deadlines that passed, by what followed.",
	}, []string{"lapse"})
	for channel, failures := range map[string][]string{
		notice.ChannelWebhook: {webhook.FailedTimeout, webhook.FailedAddress, webhook.FailedConnect, webhook.FailedTLS,
			webhook.FailedStatus, webhook.FailedGone},
		notice.ChannelMail: {mail.FailedTimeout, mail.FailedConnect, mail.FailedRefused, mail.FailedRejected},
	} {
		for _, outcome := range append(failures, outcomeDelivered) {
			m.notices.WithLabelValues(channel, outcome)
		}
		m.disabled.WithLabelValues(channel)
	}
	for l := logv1.Lapse_LAPSE_NOTICE; l <= logv1.Lapse_LAPSE_PLAY; l++ {
		m.lapses.WithLabelValues(lapseWord(l))
	}
}

// Noticed counts an attempt to deliver a notice.
func (m *metrics) Noticed(channel, failure string, took time.Duration) {
	if failure == "" {
		failure = outcomeDelivered
	}
	m.notices.WithLabelValues(channel, failure).Observe(took.Seconds())
}

// Disabled counts a webhook or mailbox that is given up.
func (m *metrics) Disabled(channel string) { m.disabled.WithLabelValues(channel).Inc() }

// lapseWord is a lapse as a label.
func lapseWord(l logv1.Lapse) string {
	return strings.ToLower(strings.TrimPrefix(l.String(), "LAPSE_"))
}

// callNote is what the log line of a call says about it. It never holds a token, a secret or anything of a position.
type callNote struct {
	game, seat, request string
	version             uint64
}

type noteKey struct{}

// note is the call's; handlers fill it in. Outside a call it is a throw-away.
func note(ctx context.Context) *callNote {
	if n, ok := ctx.Value(noteKey{}).(*callNote); ok {
		return n
	}
	return new(callNote)
}

func withNote(ctx context.Context) (context.Context, *callNote) {
	n := new(callNote)
	return context.WithValue(ctx, noteKey{}, n), n
}

// annotate adds what the log line of a call says to its span.
func annotate(ctx context.Context, n *callNote, err error) {
	s := trace.SpanFromContext(ctx)
	if !s.IsRecording() {
		return
	}
	add := func(key, value string) {
		if value != "" {
			s.SetAttributes(attribute.String("warledger."+key, value))
		}
	}
	add("game", n.game)
	if plainSeat.MatchString(n.seat) {
		add("seat", n.seat)
	}
	add("reason", fault.ReasonOf(err))
	if n.version != 0 {
		s.SetAttributes(attribute.Int64("warledger.version", int64(n.version)))
	}
}

var plainSeat = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)
