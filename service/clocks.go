package service

import (
	logv1 "github.com/warledger/warledger/proto/warledger/log/v1"
	"github.com/warledger/warledger/service/deadline"
)

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
