package ledger

// newSaltAudit checks the commitment to the salt secret; nil if the secret is not known or not the one committed to.
func (a *auditor) newSaltAudit() *Salter {
	commitment := a.chain.Created().SaltCommitment
	if len(commitment) != len(Hash{}) {
		a.find(1, Error, CheckCommitment, "commits to the salts with %d bytes, expected %d",
			len(commitment), len(Hash{}))
		return nil
	}
	secret := a.o.SaltSecret
	if released := a.chain.Released(); released != nil {
		if len(released.SaltSecret) != len(SaltSecret{}) {
			a.find(0, Error, CheckCommitment, "the salt secret that was released has %d bytes, expected %d",
				len(released.SaltSecret), len(SaltSecret{}))
			return nil
		}
		secret = (*SaltSecret)(released.SaltSecret)
	}
	if secret == nil {
		return nil
	}
	if secret.Commitment() != Hash(commitment) {
		a.find(0, Error, CheckCommitment, "%v", ErrSaltCommitment)
		return nil
	}
	return NewSalter(*secret, a.chain.Game())
}

// checkSalts checks that the salts of a record follow from the secret.
func (a *auditor) checkSalts(r *Record) {
	if a.salts == nil {
		return
	}
	for i := range r.Leaves() {
		l := &r.Leaves()[i]
		if salt := a.salts.Salt(r.Version(), i); !l.Redacted && string(l.Salt) != string(salt[:]) {
			a.find(r.Version(), Error, CheckCommitment,
				"has a salt, of leaf %d, that does not follow from the secret", i)
			return
		}
	}
}
