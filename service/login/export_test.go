package login

import "time"

// AwayTime is how long a provider that did not answer is not asked again.
const AwayTime = awayTime

// SetClock has a provider read another clock.
func (p *Provider) SetClock(now func() time.Time) { p.now = now }
