/// The schema's own schema, as far as it is needed here: the messages of `google/protobuf/descriptor.proto`, declared
/// like all others, but laid out by descriptions that stand here, since there is nothing yet to read them from.
private let descriptorLayouts = MessageLayouts([
  MessageDescription(
    name: "FileDescriptorSet",
    // A message in truth; kept as its bytes, because reflection hands them out.
    fields: [FieldDescription(number: 1, name: "file", kind: .bytes, isRepeated: true)]),
  MessageDescription(
    name: "FileDescriptorProto",
    fields: [
      FieldDescription(number: 1, name: "name", kind: .string),
      FieldDescription(number: 2, name: "package", kind: .string),
      FieldDescription(number: 3, name: "dependency", kind: .string, isRepeated: true),
      FieldDescription(
        number: 4, name: "message_type", kind: .message, isRepeated: true, messageName: "DescriptorProto"),
      FieldDescription(
        number: 5, name: "enum_type", kind: .message, isRepeated: true, messageName: "EnumDescriptorProto"),
      FieldDescription(
        number: 6, name: "service", kind: .message, isRepeated: true, messageName: "ServiceDescriptorProto"),
    ]),
  MessageDescription(
    name: "DescriptorProto",
    fields: [
      FieldDescription(number: 1, name: "name", kind: .string),
      FieldDescription(
        number: 2, name: "field", kind: .message, isRepeated: true, messageName: "FieldDescriptorProto"),
      FieldDescription(
        number: 3, name: "nested_type", kind: .message, isRepeated: true, messageName: "DescriptorProto"),
      FieldDescription(
        number: 4, name: "enum_type", kind: .message, isRepeated: true, messageName: "EnumDescriptorProto"),
    ]),
  MessageDescription(
    name: "FieldDescriptorProto",
    fields: [
      FieldDescription(number: 1, name: "name", kind: .string),
      FieldDescription(number: 3, name: "number", kind: .uint32),
      FieldDescription(number: 4, name: "label", kind: .enumeration),
      FieldDescription(number: 5, name: "type", kind: .enumeration),
      FieldDescription(number: 6, name: "type_name", kind: .string),
      FieldDescription(number: 9, name: "oneof_index", kind: .uint32, isOptional: true),
      FieldDescription(number: 17, name: "proto3_optional", kind: .bool),
    ]),
  MessageDescription(
    name: "EnumDescriptorProto", fields: [FieldDescription(number: 1, name: "name", kind: .string)]),
  MessageDescription(
    name: "ServiceDescriptorProto",
    fields: [
      FieldDescription(number: 1, name: "name", kind: .string),
      FieldDescription(
        number: 2, name: "method", kind: .message, isRepeated: true, messageName: "MethodDescriptorProto"),
    ]),
  MessageDescription(
    name: "MethodDescriptorProto", fields: [FieldDescription(number: 1, name: "name", kind: .string)]),
])

/// The files of a schema, each as its bytes.
struct FileDescriptorSet: DeclaredMessage {
  var files: [[UInt8]] = []

  static let schema = MessageSchema(fullNames: ["FileDescriptorSet"], in: descriptorLayouts)

  mutating func walk(_ fields: inout WireFields) { fields.repeatedBytes(1, &files) }
}

/// What a file of a schema declares.
struct FileDescriptor: DeclaredMessage {
  var name = ""
  private var package = ""
  var imports: [String] = []
  private var messages: [MessageDescriptor] = []
  private var enums: [NameDescriptor] = []
  private var services: [ServiceDescriptor] = []

  static let schema = MessageSchema(fullNames: ["FileDescriptorProto"], in: descriptorLayouts)

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &name)
    try fields.text(2, &package)
    try fields.texts(3, &imports)
    try fields.messages(4, &messages)
    try fields.messages(5, &enums)
    try fields.messages(6, &services)
  }

  /// All its messages, those inside of others too.
  var allMessages: [MessageDescription] { messages.flatMap { $0.descriptions(in: scope) } }

  /// Full names of its services, methods, messages and enums.
  var symbols: [String] {
    messages.flatMap { $0.symbols(in: scope) } + enums.map { scope + $0.name }
      + services.flatMap { service in
        [scope + service.name] + service.methods.map { "\(scope)\(service.name).\($0.name)" }
      }
  }

  private var scope: String { package.isEmpty ? "" : package + "." }
}

private struct MessageDescriptor: DeclaredMessage {
  var name = ""
  var fields: [FieldDescriptor] = []
  var nested: [MessageDescriptor] = []
  var enums: [NameDescriptor] = []

  static let schema = MessageSchema(fullNames: ["DescriptorProto"], in: descriptorLayouts)

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &name)
    try fields.messages(2, &self.fields)
    try fields.messages(3, &nested)
    try fields.messages(4, &enums)
  }

  func descriptions(in scope: String) -> [MessageDescription] {
    let own = MessageDescription(name: scope + name, fields: fields.compactMap(\.description))
    return [own] + nested.flatMap { $0.descriptions(in: "\(scope)\(name).") }
  }

  func symbols(in scope: String) -> [String] {
    [scope + name] + nested.flatMap { $0.symbols(in: "\(scope)\(name).") } + enums.map { "\(scope)\(name).\($0.name)" }
  }
}

private struct FieldDescriptor: DeclaredMessage {
  private enum Label: UInt8 {
    case optional = 1
    case required = 2
    case repeated = 3
  }

  private var name = ""
  private var number: UInt32 = 0
  private var label: Label?
  private var kind: FieldDescription.Kind?
  private var typeName = ""
  private var oneof: UInt32?
  private var isOptional = false

  static let schema = MessageSchema(fullNames: ["FieldDescriptorProto"], in: descriptorLayouts)

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &name)
    fields.number(3, &number)
    try fields.choice(4, &label)
    try fields.choice(5, &kind)
    try fields.text(6, &typeName)
    fields.optionalNumber(9, &oneof)
    fields.flag(17, &isOptional)
  }

  /// Nil for a field without a type.
  var description: FieldDescription? {
    kind.map { kind in
      FieldDescription(
        number: number, name: name, kind: kind, isRepeated: label == .repeated,
        // Names of types are absolute here: they begin with a dot.
        messageName: kind == .message ? String(typeName.dropFirst()) : "",
        // An optional field has a `oneof` of its own, which only says that its presence is told.
        oneof: isOptional ? nil : oneof.map { Int($0) }, isOptional: isOptional)
    }
  }
}

private struct ServiceDescriptor: DeclaredMessage {
  var name = ""
  var methods: [NameDescriptor] = []

  static let schema = MessageSchema(fullNames: ["ServiceDescriptorProto"], in: descriptorLayouts)

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &name)
    try fields.messages(2, &methods)
  }
}

/// An enum or a method: only the name is of interest, which is field 1 of both.
private struct NameDescriptor: DeclaredMessage {
  var name = ""

  static let schema = MessageSchema(fullNames: ["EnumDescriptorProto", "MethodDescriptorProto"], in: descriptorLayouts)

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) { try fields.text(1, &name) }
}
