internal import CProtobufC

/// The descriptors that protobuf-c packs and unpacks messages by, made from descriptions of the messages.
///
/// This is what `protoc-c` generates as C, computed when the program starts: the offset of every field in a structure
/// that no C code ever declares. `string` fields are laid out as `bytes`, which have a length, so that a NUL in a text
/// is seen and cuts nothing off. Descriptors live as long as the program.
struct MessageLayouts: Sendable {
  /// Addresses of `ProtobufCMessageDescriptor`s by full name; addresses, because pointers are not `Sendable`.
  private let addresses: [String: UInt]

  /// Lays out `messages`, which may hold each other. O(fields).
  init(_ messages: [MessageDescription]) {
    let descriptors = UnsafeMutablePointer<ProtobufCMessageDescriptor>.allocate(capacity: messages.count)
    var addresses: [String: UInt] = [:]
    addresses.reserveCapacity(messages.count)
    for (index, message) in messages.enumerated() {
      addresses[message.name] = unsafe UInt(bitPattern: descriptors + index)
    }
    for (index, message) in messages.enumerated() {
      unsafe (descriptors + index).initialize(to: Self.descriptor(of: message, addresses))
    }
    self.addresses = addresses
  }

  /// The layout of a message; nil if there is none of this name.
  subscript(name: String) -> MessageLayout? { addresses[name].map { MessageLayout(descriptorAt: $0) } }

  private static func descriptor(
    of message: MessageDescription, _ addresses: [String: UInt]
  ) -> ProtobufCMessageDescriptor {
    let sorted = message.fields.sorted { $0.number < $1.number }
    let fields = UnsafeMutablePointer<ProtobufCFieldDescriptor>.allocate(capacity: max(sorted.count, 1))
    var structure = Structure()
    for (index, field) in sorted.enumerated() {
      let place = structure.place(field)
      var descriptor = unsafe ProtobufCFieldDescriptor()
      unsafe descriptor.name = permanent(field.name)
      unsafe descriptor.id = field.number
      unsafe descriptor.label =
        field.isRepeated
        ? PROTOBUF_C_LABEL_REPEATED : field.isOptional ? PROTOBUF_C_LABEL_OPTIONAL : PROTOBUF_C_LABEL_NONE
      unsafe descriptor.type = field.kind.type
      unsafe descriptor.quantifier_offset = UInt32(place.quantifier)
      unsafe descriptor.offset = UInt32(place.offset)
      if field.kind == .message {
        unsafe descriptor.descriptor = addresses[field.messageName].flatMap { unsafe UnsafeRawPointer(bitPattern: $0) }
      }
      var flags: UInt32 = 0
      if field.oneof != nil { flags |= PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue }
      if field.isRepeated && field.kind.isPackable { flags |= PROTOBUF_C_FIELD_FLAG_PACKED.rawValue }
      unsafe descriptor.flags = flags
      unsafe (fields + index).initialize(to: descriptor)
    }
    let ranges = unsafe ranges(of: sorted.map(\.number))
    var descriptor = unsafe ProtobufCMessageDescriptor()
    unsafe descriptor.magic = UInt32(PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC)
    unsafe descriptor.name = permanent(message.name)
    unsafe descriptor.sizeof_message = structure.size
    unsafe descriptor.n_fields = UInt32(sorted.count)
    unsafe descriptor.fields = UnsafePointer(fields)
    unsafe descriptor.n_field_ranges = UInt32(ranges.count)
    unsafe descriptor.field_ranges = UnsafePointer(ranges.start)
    return unsafe descriptor
  }

  /// Runs of consecutive numbers, each with the index of its first field, and an end; protobuf-c looks fields up in it.
  private static func ranges(of numbers: [UInt32]) -> (start: UnsafeMutablePointer<ProtobufCIntRange>, count: Int) {
    var ranges: [ProtobufCIntRange] = []
    for (index, number) in numbers.enumerated() where index == 0 || numbers[index - 1] + 1 != number {
      ranges.append(ProtobufCIntRange(start_value: Int32(number), orig_index: UInt32(index)))
    }
    let count = ranges.count
    ranges.append(ProtobufCIntRange(start_value: 0, orig_index: UInt32(numbers.count)))
    let start = UnsafeMutablePointer<ProtobufCIntRange>.allocate(capacity: ranges.count)
    unsafe start.initialize(from: ranges, count: ranges.count)
    return unsafe (start, count)
  }

  /// A C string that is never freed.
  private static func permanent(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8.map { CChar(bitPattern: $0) } + [0]
    let start = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    unsafe start.initialize(from: bytes, count: bytes.count)
    return unsafe UnsafePointer(start)
  }
}

/// A structure while its fields are being placed, each at the next place that suits its alignment.
private struct Structure {
  private var end = unsafe MemoryLayout<ProtobufCMessage>.size
  /// Where each `oneof` has its case and the content that its cases share.
  private var oneofs: [Int: (quantifier: Int, offset: Int)] = [:]

  /// Bytes of the structure.
  var size: Int { (end + 7) & ~7 }

  /// Places a field. The quantifier is the number of a repeated field's elements, the case of a `oneof`, or whether an
  /// optional field is there.
  mutating func place(_ field: FieldDescription) -> (quantifier: Int, offset: Int) {
    if let oneof = field.oneof {
      if let place = oneofs[oneof] { return place }
      let place = (quantifier: take(4, alignment: 4), offset: take(16, alignment: 8))
      oneofs[oneof] = place
      return place
    }
    if field.isRepeated { return (take(8, alignment: 8), take(8, alignment: 8)) }
    let quantifier = field.isOptional && field.kind != .message ? take(4, alignment: 4) : 0
    return (quantifier, take(field.kind.size, alignment: min(field.kind.size, 8)))
  }

  private mutating func take(_ size: Int, alignment: Int) -> Int {
    let start = (end + alignment - 1) & ~(alignment - 1)
    end = start + size
    return start
  }
}

extension FieldDescription.Kind {
  /// What protobuf-c calls it; texts are bytes to it.
  fileprivate var type: ProtobufCType {
    switch self {
    case .int64: PROTOBUF_C_TYPE_INT64
    case .uint64: PROTOBUF_C_TYPE_UINT64
    case .int32: PROTOBUF_C_TYPE_INT32
    case .fixed64: PROTOBUF_C_TYPE_FIXED64
    case .fixed32: PROTOBUF_C_TYPE_FIXED32
    case .bool: PROTOBUF_C_TYPE_BOOL
    case .string, .bytes: PROTOBUF_C_TYPE_BYTES
    case .message: PROTOBUF_C_TYPE_MESSAGE
    case .uint32: PROTOBUF_C_TYPE_UINT32
    case .enumeration: PROTOBUF_C_TYPE_ENUM
    case .sint32: PROTOBUF_C_TYPE_SINT32
    case .sint64: PROTOBUF_C_TYPE_SINT64
    }
  }

  /// Bytes of one in a structure: a `protobuf_c_boolean` and an enum are an `int`, bytes a length and a pointer.
  fileprivate var size: Int {
    switch self {
    case .int32, .uint32, .sint32, .fixed32, .bool, .enumeration: 4
    case .int64, .uint64, .sint64, .fixed64, .message: 8
    case .string, .bytes: 16
    }
  }

  /// Whether several of them are written as one field (proto3's default).
  fileprivate var isPackable: Bool {
    switch self {
    case .string, .bytes, .message: false
    default: true
    }
  }
}
