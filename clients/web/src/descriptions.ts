// The descriptions of messages as the build writes them (messages.ts beside vite.config.ts), made into what the library
// works with. The library's own way would bring the description of descriptions into the page as well.
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";

/** A field: name, number and type, and what not all have: label, name of the type, oneof, whether it is optional. */
export type Field = [name: string, number: number, type: number, label?: number | null, typeName?: string | null,
  oneof?: number | null, optional?: 1];
/** A message: name, fields, messages and enums within, oneofs, and whether it is the entry of a map. */
export type Message = [name: string, fields?: Field[], nested?: Message[], enums?: Enum[], oneofs?: string[],
  entry?: 1];
/** An enum: name, and names and numbers of its values. */
export type Enum = [name: string, values: [string, number][]];
/** A call: name, request, answer, and whether the answer is a stream. */
export type Call = [name: string, input: string, output: string, stream?: 1];
/** A file: name, package, messages, enums, and services with their calls. */
export type File = [name: string, pack: string, messages?: Message[], enums?: Enum[], services?: [string, Call[]][]];

/** What a description has where nothing is said, as the library reads it. */
const FILE = { syntax: "proto3", edition: 0 }, VALUE = {},
  FIELD = { label: 1, typeName: "", extendee: "", defaultValue: "", oneofIndex: 0, jsonName: "",
    proto3Optional: false },
  CALL = { clientStreaming: false, serverStreaming: false };

// Fields that are not set stand in the prototype, because the library asks which fields are an object's own.
function made(of: object, name: string, set: object): object {
  const some = Object.fromEntries(Object.entries(set).filter(([, v]) => v !== undefined));
  return Object.assign(Object.create(of), { $typeName: "google.protobuf." + name }, some);
}

const field = ([name, number, type, label, typeName, oneofIndex, optional]: Field) => made(FIELD,
  "FieldDescriptorProto", { name, number, type, label: label ?? 1, typeName: typeName || undefined,
    oneofIndex: oneofIndex ?? undefined, proto3Optional: optional && true });

const enumeration = ([name, values]: Enum): object => made(VALUE, "EnumDescriptorProto", { name, reservedRange: [],
  reservedName: [],
  value: values.map(([name, number]) => made(VALUE, "EnumValueDescriptorProto", { name, number })) });

const message = ([name, fields = [], nested = [], enums = [], oneofs = [], entry]: Message): object => made(VALUE,
  "DescriptorProto", { name, field: fields.map(field), extension: [], nestedType: nested.map(message),
    enumType: enums.map(enumeration), extensionRange: [], reservedRange: [], reservedName: [],
    oneofDecl: oneofs.map((name) => made(VALUE, "OneofDescriptorProto", { name })),
    options: entry && { mapEntry: true } });

/** unpack is the description of a file that has others imported, as the library's own way would read it. */
export function unpack(text: string, imports: string[]): FileDescriptorProto {
  const [name, pack, messages = [], enums = [], services = []] = JSON.parse(text) as File;
  return made(FILE, "FileDescriptorProto", { name, package: pack, syntax: "proto3", dependency: imports,
    publicDependency: [], weakDependency: [], extension: [], messageType: messages.map(message),
    enumType: enums.map(enumeration),
    service: services.map(([name, calls]) => made(VALUE, "ServiceDescriptorProto", { name,
      method: calls.map(([name, inputType, outputType, stream]) => made(CALL, "MethodDescriptorProto",
        { name, inputType, outputType, serverStreaming: stream && true })) })) }) as FileDescriptorProto;
}
