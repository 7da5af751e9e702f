/// A message of the schema, as described by a descriptor set.
struct MessageDescription: Equatable, Sendable {
  /// The full name, with its package: `stack.v1.Row`.
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
  /// The full name of its message type; empty for other kinds.
  var messageName = ""
  /// The number of the `oneof` it is a case of; nil if it is not in one.
  var oneof: Int?
  /// True for a field declared `optional`, whose presence is tracked.
  var isOptional = false
}
