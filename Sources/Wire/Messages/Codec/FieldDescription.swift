/// A message of the schema, as a descriptor set describes it.
struct MessageDescription: Equatable, Sendable {
  /// With its package: `stack.v1.Row`.
  var name: String
  var fields: [FieldDescription] = []
}

/// A field of a message of the schema.
struct FieldDescription: Equatable, Sendable {
  /// The types of `google.protobuf.FieldDescriptorProto.Type`, by their numbers there.
  enum Kind: UInt8, Sendable {
    case int64 = 3
    case uint64 = 4
    case int32 = 5
    case fixed64 = 6
    case fixed32 = 7
    case bool = 8
    case string = 9
    case message = 11
    case bytes = 12
    case uint32 = 13
    case enumeration = 14
    case sint32 = 17
    case sint64 = 18
  }

  var number: UInt32
  var name: String
  var kind: Kind
  var isRepeated = false
  /// The full name of its message; empty for other kinds.
  var messageName = ""
  /// The number of the `oneof` it is a case of; nil for a field of its own.
  var oneof: Int?
  /// Declared `optional`, so that its presence is told.
  var isOptional = false
}
