package main

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/warledger/warledger/service"
	"github.com/warledger/warledger/service/mail"
	"github.com/warledger/warledger/service/webhook"
)

// noticesOf is how people hear of what happens while they do not look.
func noticesOf(set *settings) (service.Notices, error) {
	n := service.Notices{Grace: set.DeadlineGrace, Workers: set.WebhookWorkers,
		Page: strings.TrimRight(set.PublicURL, "/")}
	if set.PublicURL != "" {
		u, err := url.Parse(set.PublicURL)
		if err != nil || u.Scheme != "https" &&
			u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return n, fmt.Errorf("--public-url: expected an address such as https://play.example.org")
		}
	}
	if set.Webhooks {
		n.Webhooks = webhook.New(webhook.Options{
			Guard: webhook.Guard{Allowed: set.WebhookNetworks}, PerHost: max(1, set.WebhookWorkers/4),
			Program: "warledgerd",
		})
	}
	if set.SMTPAddress == "" {
		return n, nil
	}
	o := mail.Options{Address: set.SMTPAddress, From: set.SMTPFrom, User: set.SMTPUser, Encryption: set.SMTPEncryption}
	if set.SMTPPasswordFile != "" {
		data, err := os.ReadFile(set.SMTPPasswordFile)
		if err != nil {
			return n, fmt.Errorf("--smtp-password-file: %w", err)
		}
		o.Password = strings.TrimRight(string(data), "\r\n")
	}
	transport, err := mail.NewSMTP(o)
	if err != nil {
		return n, fmt.Errorf("--smtp-address and --smtp-from: %w", err)
	}
	n.Mail = transport
	return n, nil
}
