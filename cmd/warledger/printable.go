package main

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	warledger "github.com/warledger/warledger/clients/go"
)

// say prints for people.
func (a *app) say(format string, args ...any) {
	if false {
		_ = fmt.Sprintf(format, args...) // so that vet knows that this prints, and looks at its calls
	}
	fmt.Fprint(a.out, warledger.Printable(fmt.Sprintf(a.words(format), args...)))
}

// words are a text of the program in the language asked for.
func (a *app) words(text string) string { return a.line.Lang.in(text) }

// grumble is say for errors.
func (a *app) grumble(format string, args ...any) {
	fmt.Fprint(a.err, warledger.Printable(fmt.Sprintf(a.words(format), args...)))
}

// show prints a picture, with the control characters that make its colors.
func (a *app) show(text string) { fmt.Fprint(a.out, text) }

// printableAnswers makes all texts of a server printable when they come in, since pictures have control characters of
// their own.
var printableAnswers = []grpc.DialOption{
	grpc.WithChainUnaryInterceptor(func(
		ctx context.Context, method string, req, answer any, conn *grpc.ClientConn, call grpc.UnaryInvoker,
		o ...grpc.CallOption,
	) error {
		err := call(ctx, method, req, answer, conn, o...)
		return printableAnswer(answer, err)
	}),
	grpc.WithChainStreamInterceptor(func(
		ctx context.Context, d *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer,
		o ...grpc.CallOption,
	) (grpc.ClientStream, error) {
		stream, err := open(ctx, d, conn, method, o...)
		if err != nil {
			return nil, err
		}
		return printableStream{stream}, nil
	}),
}

type printableStream struct{ grpc.ClientStream }

// RecvMsg receives the next message.
func (s printableStream) RecvMsg(m any) error { return printableAnswer(m, s.ClientStream.RecvMsg(m)) }

func printableAnswer(answer any, err error) error {
	if m, ok := answer.(proto.Message); ok && err == nil {
		makePrintable(m.ProtoReflect())
	}
	return err
}

// makePrintable makes the texts of a message printable. Bytes stay as they are, and so do the messages in them.
func makePrintable(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsList():
			for i := range v.List().Len() {
				printableValue(f, v.List().Get(i), func(text protoreflect.Value) { v.List().Set(i, text) })
			}
		case f.IsMap():
			v.Map().Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
				printableValue(f.MapValue(), value, func(text protoreflect.Value) { v.Map().Set(key, text) })
				return true
			})
		default:
			printableValue(f, v, func(text protoreflect.Value) { m.Set(f, text) })
		}
		return true
	})
}

func printableValue(f protoreflect.FieldDescriptor, v protoreflect.Value, set func(protoreflect.Value)) {
	switch f.Kind() {
	case protoreflect.StringKind:
		if text := warledger.Printable(v.String()); text != v.String() {
			set(protoreflect.ValueOfString(text))
		}
	case protoreflect.MessageKind:
		makePrintable(v.Message())
	}
}
