package service

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warledger/warledger/eventstore"
	"github.com/warledger/warledger/service/fault"
	"github.com/warledger/warledger/service/ledger"
)

// metrics counts what happens in games. No label names a game, a seat or a person: their number has no bound.
type metrics struct {
	commands *prometheus.CounterVec
	folds    prometheus.Histogram
	legal    prometheus.Histogram
	appends  prometheus.Histogram
	failures prometheus.Counter
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
		return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "warledger", Name: name, Help: help, Buckets: quick})
	}
	m := &metrics{
		commands: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "warledger", Name: "commands_total", Help: "Commands by ruleset and outcome: accepted, asked (waits for mutual dice), repeated, or the reason of the error.",
		}, []string{"ruleset", "outcome"}),
		folds:    histogram("fold_seconds", "Time to fold a game from its log into memory."),
		legal:    histogram("legal_seconds", "Time to list the legal commands of a seat."),
		appends:  histogram("append_seconds", "Time until an append was durable, waiting for its batch included."),
		failures: prometheus.NewCounter(prometheus.CounterOpts{Namespace: "warledger", Name: "append_failures_total", Help: "Appends that the store did not take."}),
		replaced: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "warledger", Name: "replaced_heads_total", Help: "Heads of games that contradict one in the log of heads: somebody has changed the store.",
		}),
		previews: histogram("preview_seconds", "Time to work a preview out, not counting the wait for its turn."),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "warledger", Name: "errors_total", Help: "Calls that ended with an error, by method and reason.",
		}, []string{"method", "reason"}),
		lookups: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "warledger", Name: "game_lookups_total", Help: "Games asked for, by where they were: in memory, or folded from the log.",
		}, []string{"from"}),
		lag: histogram("watch_lag_seconds", "Time from when a record was made until a watcher that follows was sent it."),
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

// register shows what is counted, and what the parts of the service know anyway. A nil registerer shows nothing.
func (m *metrics) register(reg prometheus.Registerer, s *Service) error {
	if reg == nil {
		return nil
	}
	for _, c := range append([]prometheus.Collector{m.commands, m.folds, m.legal, m.appends, m.failures, m.replaced, m.previews, m.errors, m.lookups, m.lag, m.findings, m.notices, m.disabled, m.lapses}, gauges(s, m)...) {
		if err := reg.Register(c); err != nil {
			return err
		}
	}
	return nil
}

// gauges read what the service and the store know anyway.
func gauges(s *Service, m *metrics) []prometheus.Collector {
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "warledger", Name: name, Help: help}, value)
	}
	counter := func(name, help string, value func(eventstore.Stats) float64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "warledger", Subsystem: "store", Name: name, Help: help},
			func() float64 { return value(s.store.Stats()) })
	}
	return []prometheus.Collector{
		gauge("notices_overdue", "Webhooks and mailboxes that are being served or wait to be.", func() float64 {
			return float64(s.notices.Overdue(s.clock()))
		}),
		gauge("clocks", "Games in which the time of a seat runs.", func() float64 { return float64(s.notices.Running()) }),
		gauge("live_games", "Games in memory.", func() float64 { return float64(s.games.Number()) }),
		gauge("live_bytes", "Estimated size of games and scenarios in memory.", func() float64 { return float64(s.games.Taken()) }),
		gauge("live_bytes_limit", "Bound on the memory of games and scenarios; 0 for no bound.", func() float64 { return float64(s.limits.LiveBytes) }),
		gauge("watchers", "Watches that are served.", func() float64 { return float64(len(s.watchers)) }),
		gauge("watchers_behind", "Watches that have not yet sent all that there is.", func() float64 { return float64(m.behind.Load()) }),
		gauge("watchers_limit", "How many watches are served at most.", func() float64 { return float64(s.limits.Watchers) }),
		counter("appends_total", "Appends stored.", func(t eventstore.Stats) float64 { return float64(t.Appends) }),
		counter("entries_total", "Entries stored.", func(t eventstore.Stats) float64 { return float64(t.Entries) }),
		counter("bytes_total", "Bytes of entries stored.", func(t eventstore.Stats) float64 { return float64(t.Bytes) }),
		counter("batches_total", "Commits: appends by batches is how many share a sync.", func(t eventstore.Stats) float64 { return float64(t.Batches) }),
		counter("failed_batches_total", "Commits that failed.", func(t eventstore.Stats) float64 { return float64(t.FailedBatches) }),
		counter("commit_seconds_total", "Time spent in commits.", func(t eventstore.Stats) float64 { return t.CommitTime.Seconds() }),
	}
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
