// Command openapi is a plugin of buf that writes the OpenAPI document of the plain paths: each call of warledger.v1
// with google.api.http, and every message that it takes or returns. Run it by `go run ./internal/dev gen`.
package main

import (
	"encoding/json"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/types/pluginpb"
)

// version is that of the contract's package.
const version = "v1"

func main() {
	protogen.Options{}.Run(func(plugin *protogen.Plugin) error {
		plugin.SupportedFeatures = uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL)
		out, err := json.MarshalIndent(documentOf(plugin.Files), "", " ")
		if err != nil {
			return err
		}
		plugin.NewGeneratedFile("openapi.json", "").P(string(out))
		return nil
	})
}

// object is a JSON object, written with sorted names.
type object map[string]any

// document is an OpenAPI document that is being made.
type document struct{ paths, schemas object }

// documentOf makes the document of some files.
func documentOf(files []*protogen.File) object {
	d := document{paths: object{}, schemas: object{"Error": errorSchema()}}
	for _, f := range files {
		for _, s := range f.Services {
			for _, m := range s.Methods {
				d.call(s, m)
			}
		}
	}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Warledger", "version": version,
			"description": "The main calls of warledger.v1 under plain paths. The contract is in the protos, from " +
				"which this document is made. Numbers of 64 bits are strings in answers; requests may have either. " +
				"Fields with their default value are left out of answers.",
		},
		"paths": d.paths,
		"components": object{
			"schemas": d.schemas,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer",
				"description": "A token of a game: of a seat, of the owner, or made from one."}},
		},
		"security": []object{{}, {"token": []string{}}},
	}
}

// errorSchema is the form of an error, which is Connect's.
func errorSchema() object {
	return object{"type": "object", "required": []string{"code"}, "properties": object{
		"code":    object{"type": "string", "description": "Status of gRPC in lower case, such as not_found."},
		"message": object{"type": "string", "description": "What is wrong, in English."},
		"details": object{"type": "array", "description": "Details of google.rpc: reason, fields, time to wait.",
			"items": object{"type": "object", "properties": object{
				"type":  object{"type": "string", "description": "Name of the message."},
				"value": object{"type": "string", "description": "The message in protobuf, in base64 without padding."},
				"debug": object{"description": "The message in JSON."},
			}}},
	}}
}

// said is a comment in one line for each of its paragraphs.
func said(c protogen.CommentSet) string {
	var out strings.Builder
	for line := range strings.Lines(string(c.Leading)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "buf:lint:"):
		case line == "":
			out.WriteString("\n\n")
		default:
			out.WriteString(line + " ")
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(out.String(), " \n", "\n"))
}
