internal import CProtobufC

/// The descriptors by which protobuf-c packs and unpacks messages, built from descriptions of the messages.
///
/// These are what `protoc-c` generates as C, computed when the program starts: the offset of every field in a structure
/// that no C code declares. `string` fields are laid out as `bytes`, which have a length, so that a NUL in a string is
/// detected and does not truncate it. Descriptors live as long as the program.
struct MessageLayouts: Sendable {
  /// Addresses of `ProtobufCMessageDescriptor`s by full name; addresses, because pointers are not `Sendable`.
  private let addresses: [String: UInt]

  /// Lays out `messages`, which may contain each other. O(fields).
  init(_ messages: [MessageDescription]) {
    let descriptors = UnsafeMutablePointer<ProtobufCMessageDescriptor>.allocate(capacity: messages.count)
    var addresses: [String: UInt] = [:]
    addresses.reserveCapacity(messages.count)
    for (index, message) in messages.enumerated() {
      addresses[message.name] = unsafe UInt(bitPattern: descriptors + index)
    }
    var storage = DescriptorStorage(for: messages)
    for (index, message) in messages.enumerated() {
      unsafe (descriptors + index).initialize(to: storage.descriptor(of: message, addresses))
    }
    self.addresses = addresses
  }

  /// The layout of a message; nil if there is none with this name.
  subscript(name: String) -> MessageLayout? { addresses[name].map { MessageLayout(descriptorAt: $0) } }
}

/// The memory of all descriptors, which is never freed: one block each for fields, ranges and names.
@safe private struct DescriptorStorage {
  private var fields: UnsafeMutablePointer<ProtobufCFieldDescriptor>
  private var ranges: UnsafeMutablePointer<ProtobufCIntRange>
  private var names: UnsafeMutablePointer<CChar>

  /// Allocates what these messages need.
  init(for messages: [MessageDescription]) {
    let fieldCount = messages.reduce(0) { $0 + $1.fields.count }
    let nameBytes = messages.reduce(0) { sum, message in
      message.fields.reduce(sum + message.name.utf8.count + 1) { $0 + $1.name.utf8.count + 1 }
    }
    unsafe fields = .allocate(capacity: fieldCount)
    // At most a range for each field, and an end marker for each message.
    unsafe ranges = .allocate(capacity: fieldCount + messages.count)
    unsafe names = .allocate(capacity: nameBytes)
  }

  /// Returns the descriptor of a message, whose parts are added here.
  mutating func descriptor(of message: MessageDescription, _ addresses: [String: UInt]) -> ProtobufCMessageDescriptor {
    let sorted = message.fields.sorted { $0.number < $1.number }
    var descriptor = unsafe ProtobufCMessageDescriptor()
    unsafe descriptor.magic = UInt32(PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC)
    unsafe descriptor.name = add(message.name)
    unsafe descriptor.n_fields = UInt32(sorted.count)
    unsafe descriptor.fields = UnsafePointer(fields)
    unsafe descriptor.field_ranges = UnsafePointer(ranges)
    var structure = Structure()
    for field in sorted {
      let place = structure.place(field)
      unsafe fields.initialize(to: self.descriptor(of: field, at: place, addresses))
      unsafe fields += 1
    }
    unsafe descriptor.sizeof_message = structure.size
    unsafe descriptor.n_field_ranges = addRanges(of: sorted)
    return unsafe descriptor
  }

  private mutating func descriptor(
    of field: FieldDescription, at place: (quantifier: Int, offset: Int), _ addresses: [String: UInt]
  ) -> ProtobufCFieldDescriptor {
    var descriptor = unsafe ProtobufCFieldDescriptor()
    unsafe descriptor.name = add(field.name)
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
    return unsafe descriptor
  }

  /// Adds the runs of consecutive numbers, each with the index of its first field, and an end marker; protobuf-c looks
  /// fields up in them. Returns how many runs there are.
  private mutating func addRanges(of fields: [FieldDescription]) -> UInt32 {
    var count: UInt32 = 0
    for (index, field) in fields.enumerated() where index == 0 || fields[index - 1].number + 1 != field.number {
      addRange(Int32(field.number), index)
      count += 1
    }
    addRange(0, fields.count)
    return count
  }

  private mutating func addRange(_ start: Int32, _ index: Int) {
    unsafe ranges.initialize(to: ProtobufCIntRange(start_value: start, orig_index: UInt32(index)))
    unsafe ranges += 1
  }

  /// Adds a C string.
  private mutating func add(_ text: String) -> UnsafePointer<CChar> {
    let start = unsafe names
    var text = text
    text.withUTF8 { bytes in
      unsafe names.withMemoryRebound(to: UInt8.self, capacity: bytes.count + 1) { copy in
        if let source = bytes.baseAddress { unsafe copy.initialize(from: source, count: bytes.count) }
      }
    }
    unsafe names += text.utf8.count
    unsafe names.initialize(to: 0)
    unsafe names += 1
    return unsafe UnsafePointer(start)
  }
}

/// A C structure under construction: each field is placed at the next suitably aligned offset.
private struct Structure {
  private var end = unsafe MemoryLayout<ProtobufCMessage>.size
  /// Offsets of each `oneof`: of its case and of the content its cases share.
  private var oneofs: [Int: (quantifier: Int, offset: Int)] = [:]

  /// Size of the structure in bytes.
  var size: Int { (end + 7) & ~7 }

  /// Places a field. The quantifier is the element count of a repeated field, the case of a `oneof`, or the presence of
  /// an optional field.
  mutating func place(_ field: FieldDescription) -> (quantifier: Int, offset: Int) {
    if let oneof = field.oneof {
      if let place = oneofs[oneof] { return place }
      let place = (quantifier: reserveBytes(4, alignment: 4), offset: reserveBytes(16, alignment: 8))
      oneofs[oneof] = place
      return place
    }
    if field.isRepeated { return (reserveBytes(8, alignment: 8), reserveBytes(8, alignment: 8)) }
    let quantifier = field.isOptional && field.kind != .message ? reserveBytes(4, alignment: 4) : 0
    return (quantifier, reserveBytes(field.kind.size, alignment: min(field.kind.size, 8)))
  }

  private mutating func reserveBytes(_ size: Int, alignment: Int) -> Int {
    let start = (end + alignment - 1) & ~(alignment - 1)
    end = start + size
    return start
  }
}

extension FieldDescription.Kind {
  /// The protobuf-c type; strings are laid out as bytes.
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

  /// Size of one value in a structure: a `protobuf_c_boolean` and an enum are an `int`, bytes a length and a pointer.
  fileprivate var size: Int {
    switch self {
    case .int32, .uint32, .sint32, .fixed32, .bool, .enumeration: 4
    case .int64, .uint64, .sint64, .fixed64, .message: 8
    case .string, .bytes: 16
    }
  }

  /// True if repeated values are packed into one field (proto3's default).
  fileprivate var isPackable: Bool {
    switch self {
    case .string, .bytes, .message: false
    default: true
    }
  }
}
