package service

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/internal/notice"
	"github.com/warledger/warledger/service/mail"
	"github.com/warledger/warledger/service/webhook"
)

const outcomeDelivered = "delivered"

// addNotices makes what is counted of notices and deadlines, beginning at 0 so that rates do.
func (m *metrics) addNotices() {
	m.notices = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "warledger", Name: "notice_seconds", Help: "Time to deliver a notice, by channel and outcome: delivered, or why not.", Buckets: quick,
	}, []string{"channel", "outcome"})
	m.disabled = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "warledger", Name: "notices_disabled_total", Help: "Webhooks and mailboxes that failed for so long that they are not tried any more.",
	}, []string{"channel"})
	m.lapses = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "warledger", Name: "lapses_total", Help: "Deadlines that passed, by what followed.",
	}, []string{"lapse"})
	for channel, failures := range map[string][]string{
		notice.ChannelWebhook: {webhook.FailedTimeout, webhook.FailedAddress, webhook.FailedConnect, webhook.FailedTLS, webhook.FailedStatus, webhook.FailedGone},
		notice.ChannelMail:    {mail.FailedTimeout, mail.FailedConnect, mail.FailedRefused, mail.FailedRejected},
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
