package main

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/warledger/warledger/eventstore"
)

// storeMetrics count what the store of games does. All exist with every engine, so that one dashboard shows them.
type storeMetrics struct {
	size, took, wrote, merge, wake prometheus.Histogram
	merged, failed                 prometheus.Counter
	stopped                        prometheus.Gauge
}

func newStoreMetrics() *storeMetrics {
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "warledger", Subsystem: "store", Name: name, Help: help, Buckets: buckets,
		})
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: "warledger", Subsystem: "store", Name: name, Help: help,
		})
	}
	return &storeMetrics{
		size: histogram("batch_appends", "Appends that shared a commit.", prometheus.ExponentialBuckets(1, 2, 11)),
		took: histogram("commit_seconds", "Time that a commit took, syncs included.",
			prometheus.ExponentialBuckets(.0001, 2, 16)),
		wrote: histogram("write_seconds",
			"Time that the device took for a commit: writing to the file and syncing it. Of a file of games only.",
			prometheus.ExponentialBuckets(.0001, 2, 16)),
		merge: histogram("merge_seconds",
			"Time that a merge of recent commits into their games took; appends wait meanwhile.",
			prometheus.ExponentialBuckets(.001, 2, 14)),
		wake: histogram("wake_seconds",
			"Time from when an append was stored until its notification arrived. Of a database only.",
			prometheus.ExponentialBuckets(.0005, 2, 14)),
		merged: counter("merged_entries_total", "Records that merges put into their games."),
		failed: counter("failed_merges_total", "Merges of recent commits into their games that failed."),
		stopped: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "warledger", Subsystem: "store", Name: "stopped",
			Help: "1 from a failed write or sync until the server is restarted: the store writes nothing meanwhile."}),
	}
}

// register shows what is counted, and what the store knows itself.
func (m *storeMetrics) register(metrics prometheus.Registerer, store eventstore.Store) {
	conflicts := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: "warledger", Subsystem: "store", Name: "conflicts_total",
		Help: "Appends and changes of metadata that the store refused, since something else was stored first.",
	}, func() float64 { return float64(store.Stats().Refused) })
	metrics.MustRegister(m.size, m.took, m.wrote, m.merge, m.wake, m.merged, m.failed, m.stopped, conflicts)
}

// batchDone counts a commit of a database, which does not say what part of it its device took.
func (m *storeMetrics) batchDone(b eventstore.Batch) {
	m.size.Observe(float64(b.Appends))
	m.took.Observe(b.Commit.Seconds())
}

// committed counts a commit of a file.
func (m *storeMetrics) committed(b eventstore.Batch) {
	m.batchDone(b)
	if b.Err == nil {
		m.wrote.Observe(b.Write.Seconds())
	}
}

func (m *storeMetrics) mergeDone(took time.Duration, entries int, err error) {
	m.merge.Observe(took.Seconds())
	if err != nil {
		m.failed.Inc()
		return
	}
	m.merged.Add(float64(entries))
}

func (m *storeMetrics) woken(lag time.Duration) { m.wake.Observe(lag.Seconds()) }
