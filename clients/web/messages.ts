// The build of the web board makes the descriptions of messages smaller. The generated code has them as base64, with
// options that a browser never reads, and brotli finds little that repeats in base64.
import { fileURLToPath } from "node:url";
import { createFileRegistry, fromBinary, type DescFile } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema, type DescriptorProto, type EnumDescriptorProto,
  type FieldDescriptorProto } from "@bufbuild/protobuf/wkt";
import type { Plugin } from "vite";
import { unpack, type Enum, type Field, type File, type Message } from "./src/descriptions";

/** What the generated code says about a file: its description in base64, and the files that it imports. */
const DESCRIPTION = /const (\w+) = \/\*@__PURE__\*\/ (fileDesc\("([\w+/]+)"(?:, \[([^\]]*)\])?\))/;

/** What only options need: the addresses of calls for programs that speak JSON. */
const ANNOTATIONS = "file_google_api_annotations", ANNOTATED = new RegExp(`import \\{ ${ANNOTATIONS} \\}.*\\n`);

/** trimmed drops the empty values at the end of a list. */
function trimmed<T extends unknown[]>(list: T): T {
  const none = (x: unknown) => x === undefined || x === false || (Array.isArray(x) && x.length === 0);
  while (none(list.at(-1))) list.pop();
  return list.map((x) => (x === undefined ? null : x)) as T;
}

const field = (f: FieldDescriptorProto): Field => {
  return trimmed<Field>([f.name, f.number, f.type, f.label === 1 ? undefined : f.label, f.typeName || undefined,
    Object.hasOwn(f, "oneofIndex") ? f.oneofIndex : undefined, f.proto3Optional ? 1 : undefined]);
};

const enumeration = (e: EnumDescriptorProto): Enum => [e.name, e.value.map((v) => [v.name, v.number])];

function message(m: DescriptorProto): Message {
  if (m.extension.length) throw new Error(`${m.name} has extensions`);
  return trimmed<Message>([m.name, m.field.map(field), m.nestedType.map(message), m.enumType.map(enumeration),
    m.oneofDecl.map((o) => o.name), m.options?.mapEntry ? 1 : undefined]);
}

/**
 * describe leaves out of a description what a browser does not read, for src/descriptions.ts. It returns undefined for
 * files that are not proto3: the library has some, which the page does not use.
 */
export function describe(base64: string): File | undefined {
  const file = fromBinary(FileDescriptorProtoSchema, Buffer.from(base64, "base64"));
  if (file.syntax !== "proto3") return undefined;
  return trimmed<File>([file.name, file.package, file.messageType.map(message), file.enumType.map(enumeration),
    file.service.map((s) => [s.name, s.method.map((m) => {
      if (m.clientStreaming) throw new Error(`${m.name} has a stream of requests, which no browser can send`);
      return trimmed([m.name, m.inputType, m.outputType, m.serverStreaming ? 1 : undefined] as const as never);
    })])]);
}

interface Described {
  base64: string;
  text: string;
  imports: string[];
}

/** facts are what a page asks the library about the messages and calls of a file. */
const facts = (file: DescFile) => [...nestedTypes(file)].map((d) => (d.kind === "message"
  ? [d.typeName, d.fields.map((f) => [f.name, f.localName, f.number, f.fieldKind, f.presence, f.oneof?.localName,
    f.scalar, f.message?.typeName, f.enum?.typeName, f.toString(), "listKind" in f && f.listKind,
    "mapKey" in f && f.mapKey, "packed" in f && f.packed, f.getDefaultValue && String(f.getDefaultValue())])]
  : d.kind === "enum" ? [d.typeName, d.open, d.values.map((v) => [v.name, v.localName, v.number])]
  : d.kind === "service" ? [d.typeName, d.methods.map((m) => [m.name, m.localName, m.methodKind, m.input.typeName,
    m.output.typeName])] : [d.typeName]));

/** compare makes sure that the library reads the same from a short description as from the whole one. */
function compare(files: Map<string, Described>): void {
  const made = new Map<string, [whole: DescFile, short: DescFile]>();
  const make = (variable: string): [DescFile, DescFile] => {
    const known = made.get(variable), { base64, text, imports } = files.get(variable)!;
    if (known) return known;
    const others = imports.map(make), named = (i: 0 | 1) => (name: string) =>
      others.find((o) => o[i].proto.name === name)?.[i];
    const whole = fromBinary(FileDescriptorProtoSchema, Buffer.from(base64, "base64"));
    const short = unpack(text, others.map((o) => o[1].proto.name));
    whole.dependency = short.dependency;
    const both: [DescFile, DescFile] = [createFileRegistry(whole, named(0)).getFile(whole.name)!,
      createFileRegistry(short, named(1)).getFile(short.name)!];
    made.set(variable, both);
    return both;
  };
  for (const variable of files.keys()) {
    const [whole, short] = make(variable).map((f) => JSON.stringify(facts(f)));
    if (whole !== short)
      throw new Error(`the short description of ${variable} says something else:\n${whole}\n${short}`);
  }
}

/** The page speaks only the binary form of messages, so the code for JSON never runs. */
const NO_JSON = "\0no-json", JSONS = ["fromJson", "toJson", "fromJsonString", "toJsonString"];

/** What takes the place of the library's way to read a description. */
const FILE_DESC = `
  import { unpack } from ${JSON.stringify(fileURLToPath(new URL("src/descriptions.ts", import.meta.url)))};
  import { createEmbeddedFileRegistry } from "../registry.js";
  export function fileDesc(text, imports = []) {
    const file = unpack(text, imports.map((f) => f.proto.name));
    return createEmbeddedFileRegistry(file, (name) => imports.find((f) => f.proto.name === name)).getFile(file.name);
  }`;

/** messages makes descriptions short, and leaves out what reads and writes messages as JSON. */
export function messages(): Plugin {
  const files = new Map<string, Described>();
  return {
    name: "messages",
    apply: "build",
    resolveId: (id) => (id === NO_JSON ? id : null),
    load(id) {
      if (id.endsWith("/@bufbuild/protobuf/dist/esm/codegenv2/file.js"))
        return FILE_DESC;
      return id === NO_JSON ? JSONS.map((name) =>
        `export function ${name}() { throw new Error("the page has no JSON of messages"); }`).join("\n") : null;
    },
    buildEnd() {
      compare(files);
    },
    transform(code, id) {
      const description = id.endsWith("_pb.js") && DESCRIPTION.exec(code);
      if (description) {
        const [, variable, whole, base64, imports = ""] = description;
        const needed = imports.split(", ").filter((f) => f && f !== ANNOTATIONS), text = describe(base64!);
        if (!text) return null;
        files.set(variable!, { base64: base64!, text: JSON.stringify(text), imports: needed });
        return { map: null, code: code.replace(ANNOTATED, "").replace(whole!, () =>
          `fileDesc(${JSON.stringify(JSON.stringify(text))}, [${needed.join(", ")}])`) };
      }
      if (!id.includes("/@connectrpc/")) return null;
      const taken = new Set<string>();
      const without = code.replace(/import \{([^}]*)\} from "@bufbuild\/protobuf";/g, (_, names: string) => {
        const all = names.split(",").map((n) => n.trim()).filter(Boolean);
        all.filter((n) => JSONS.includes(n)).forEach((n) => taken.add(n));
        return `import { ${all.filter((n) => !JSONS.includes(n)).join(", ")} } from "@bufbuild/protobuf";`;
      });
      return taken.size === 0 ? null
        : { map: null, code: `import { ${[...taken].join(", ")} } from "${NO_JSON}";\n${without}` };
    },
  };
}
