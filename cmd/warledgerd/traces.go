package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// flushTime is how long the last spans may take to leave when the server stops.
const flushTime = 3 * time.Second

// openTraces sends traces where the settings say. Without an address there are none. Call done at the end.
func openTraces(
	ctx context.Context, set *settings, log *slog.Logger,
) (traces trace.TracerProvider, done func(), err error) {
	if set.OTLP == "" {
		return nil, func() {}, nil
	}
	if u, err := url.Parse(set.OTLP); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, nil, fmt.Errorf("--otlp: expected http://HOST:PORT or https://HOST:PORT, not %q", set.OTLP)
	}
	exporter, err := otlptracegrpc.New(ctx, otlptracegrpc.WithEndpointURL(set.OTLP))
	if err != nil {
		return nil, nil, fmt.Errorf("traces: %w", err)
	}
	// A collector that cannot be reached must not fill the standard error, where people look for
	// the server's own lines.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Debug("traces", "error", err) }))
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(set.TraceRatio))),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "warledgerd"),
			attribute.String("service.version", version()))))
	return provider, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("traces", "error", err)
		}
	}, nil
}
