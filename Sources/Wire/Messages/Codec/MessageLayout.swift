internal import CProtobufC

/// The in-memory layout of one message of the schema, as protobuf-c defines it.
@safe struct MessageLayout: Sendable {
  /// Address of a `ProtobufCMessageDescriptor` that is never freed.
  private let address: UInt

  /// The layout whose descriptor is at `address`, which ``MessageLayouts`` has created.
  init(descriptorAt address: UInt) { self.address = address }

  fileprivate var descriptor: UnsafePointer<ProtobufCMessageDescriptor> {
    // The address comes from an allocation, so it is never 0.
    unsafe UnsafePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Unpacks `bytes` and lends the message to `body`.
  ///
  /// - Returns: nil if the bytes are not such a message.
  /// - Throws: if the message would take more memory than ``MessageMemory/limit(forMessageOf:)``, and errors of `body`.
  func unpack<Value>(
    _ bytes: [UInt8], _ body: (MessageInMemory) throws(DecodingFailure) -> Value
  ) throws(DecodingFailure) -> Value? {
    let limit = MessageMemory.limit(forMessageOf: bytes.count)
    let memory = MessageMemory(limit: limit)
    let message = unsafe memory.withAllocator { allocator in
      unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe protobuf_c_message_unpack(descriptor, allocator, buffer.count, buffer.baseAddress)
      }
    }
    guard let message = unsafe message else {
      guard memory.isExhausted else { return nil }
      throw DecodingFailure("the message would take more than \(limit) bytes of memory; send it in parts", limit: limit)
    }
    return try withExtendedLifetime(memory) { () throws(DecodingFailure) in
      try body(unsafe MessageInMemory(UnsafeMutableRawPointer(message), self, memory))
    }
  }

  /// Packs a message that `fill` has filled.
  func pack(_ fill: (MessageInMemory) -> Void) -> [UInt8] {
    let memory = MessageMemory()
    return withExtendedLifetime(memory) {
      let message = empty(in: memory)
      fill(message)
      return message.packed()
    }
  }

  /// Returns an empty message, to be filled and packed.
  fileprivate func empty(in memory: MessageMemory) -> MessageInMemory {
    let start = unsafe memory.allocateZeroed(descriptor.pointee.sizeof_message)
    unsafe start.assumingMemoryBound(to: ProtobufCMessage.self).pointee.descriptor = unsafe descriptor
    return unsafe MessageInMemory(start, self, memory)
  }
}

/// A message in protobuf-c's memory layout. It lives as long as its memory.
@safe struct MessageInMemory {
  private let start: UnsafeMutableRawPointer
  private let fields: UnsafePointer<ProtobufCFieldDescriptor>
  private let layout: MessageLayout
  /// The memory it lies in, which also receives its new contents. The lender of the message keeps it alive; counting
  /// references for every field would cost more than reading it.
  private unowned(unsafe) let memory: MessageMemory
  /// Index of the field expected next: messages are walked in the order of their fields' numbers.
  private var next = 0

  fileprivate init(_ start: UnsafeMutableRawPointer, _ layout: MessageLayout, _ memory: MessageMemory) {
    unsafe self.start = unsafe start
    unsafe fields = unsafe layout.descriptor.pointee.fields
    self.layout = layout
    unsafe self.memory = memory
  }

  /// Returns the field with a number. O(1) if fields are requested in order.
  mutating func field(_ number: UInt32) -> MessageField {
    let descriptor = unsafe layout.descriptor
    if unsafe next < Int(descriptor.pointee.n_fields), unsafe fields[next].id == number {
      next += 1
      return unsafe MessageField(fields + (next - 1), of: start, memory)
    }
    guard let field = unsafe protobuf_c_message_descriptor_get_field(descriptor, number) else {
      preconditionFailure("\(unsafe String(cString: descriptor.pointee.name)) has no field \(number) in the schema")
    }
    next = unsafe field - fields + 1
    return unsafe MessageField(field, of: start, memory)
  }

  /// Returns the message's bytes.
  fileprivate func packed() -> [UInt8] {
    let message = unsafe UnsafePointer(start.assumingMemoryBound(to: ProtobufCMessage.self))
    let size = unsafe protobuf_c_message_get_packed_size(message)
    guard size > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe protobuf_c_message_pack(message, buffer.baseAddress)
    }
  }

  /// Makes an empty message stand for one that is already `packed`: protobuf-c copies unknown fields unchanged, so the
  /// whole of it becomes one, with the number and type of its first field.
  func splice(_ packed: [UInt8]) {
    var tag: UInt32 = 0
    var length = 0
    for byte in packed {
      tag |= UInt32(truncatingIfNeeded: UInt64(byte & 0x7F) << (7 * UInt64(length)))
      length += 1
      if byte < 0x80 || length == 5 { break }
    }
    let copy = unsafe packed.withUnsafeBytes { unsafe memory.copy($0) }
    let unknown = unsafe memory.allocateZeroed(MemoryLayout<ProtobufCMessageUnknownField>.size)
      .bindMemory(to: ProtobufCMessageUnknownField.self, capacity: 1)
    unsafe unknown.pointee.tag = tag >> 3
    unsafe unknown.pointee.wire_type = ProtobufCWireType(rawValue: tag & 7)
    unsafe unknown.pointee.len = packed.count - length
    unsafe unknown.pointee.data = (copy + length).assumingMemoryBound(to: UInt8.self)
    let message = unsafe start.assumingMemoryBound(to: ProtobufCMessage.self)
    unsafe message.pointee.n_unknown_fields = 1
    unsafe message.pointee.unknown_fields = unsafe unknown
  }

  fileprivate var pointer: UnsafeMutableRawPointer { unsafe start }
}

/// A field of a message in memory. All reading and writing of protobuf-c's structures happens here.
@safe struct MessageField {
  private let descriptor: UnsafePointer<ProtobufCFieldDescriptor>
  private let message: UnsafeMutableRawPointer
  private unowned(unsafe) let memory: MessageMemory

  fileprivate init(
    _ descriptor: UnsafePointer<ProtobufCFieldDescriptor>, of message: UnsafeMutableRawPointer, _ memory: MessageMemory
  ) {
    unsafe self.descriptor = unsafe descriptor
    unsafe self.message = unsafe message
    unsafe self.memory = memory
  }

  /// The field's name in the schema.
  var name: String { unsafe String(cString: descriptor.pointee.name) }

  private var place: UnsafeMutableRawPointer { unsafe message + Int(descriptor.pointee.offset) }
  private var quantifier: UnsafeMutableRawPointer { unsafe message + Int(descriptor.pointee.quantifier_offset) }
  private var isCase: Bool {
    unsafe descriptor.pointee.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0
  }

  /// True if the field is present: for a case of a `oneof`, if it is the one that is set; for an optional field or a
  /// message, if it exists. Always true for other fields: proto3 does not distinguish 0 from absent.
  var isPresent: Bool {
    if isCase { return unsafe quantifier.load(as: UInt32.self) == descriptor.pointee.id }
    if unsafe descriptor.pointee.type == PROTOBUF_C_TYPE_MESSAGE {
      return unsafe place.load(as: UnsafeMutableRawPointer?.self) != nil
    }
    return unsafe descriptor.pointee.label != PROTOBUF_C_LABEL_OPTIONAL || quantifier.load(as: Int32.self) != 0
  }

  /// Marks a case of a `oneof`, or an optional field, as present.
  private func markPresent() {
    if isCase {
      unsafe quantifier.storeBytes(of: descriptor.pointee.id, as: UInt32.self)
    } else if unsafe descriptor.pointee.label == PROTOBUF_C_LABEL_OPTIONAL,
      unsafe descriptor.pointee.type != PROTOBUF_C_TYPE_MESSAGE
    {
      unsafe quantifier.storeBytes(of: 1, as: Int32.self)
    }
  }

  // MARK: Numbers

  /// The bits of a number, a bool or an enum; signed ones are extended to 64.
  var bits: UInt64 { unsafe Self.load(descriptor.pointee.type, place) }

  /// Sets a number, a bool or an enum.
  func set(bits: UInt64) {
    markPresent()
    unsafe Self.store(bits, descriptor.pointee.type, place)
  }

  /// Sets an unsigned number, clamped to its range.
  func set(clamping value: Int) {
    let isShort = unsafe Self.stride(descriptor.pointee.type) == 4
    set(bits: isShort ? UInt64(UInt32(clamping: value)) : UInt64(clamping: value))
  }

  /// The bits of a repeated field's numbers.
  var allBits: [UInt64] {
    let (elements, count) = unsafe elements
    guard let elements = unsafe elements else { return [] }
    let stride = unsafe Self.stride(descriptor.pointee.type)
    return (0..<count).map { unsafe Self.load(descriptor.pointee.type, elements + $0 * stride) }
  }

  /// Sets a repeated field's numbers.
  func set(allBits values: some Collection<UInt64>) {
    let stride = unsafe Self.stride(descriptor.pointee.type)
    let elements = unsafe makeElements(values.count, stride: stride)
    for (index, value) in values.enumerated() {
      unsafe Self.store(value, descriptor.pointee.type, elements + index * stride)
    }
  }

  private static func load(_ type: ProtobufCType, _ place: UnsafeMutableRawPointer) -> UInt64 {
    switch type {
    case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_ENUM, PROTOBUF_C_TYPE_BOOL:
      unsafe UInt64(bitPattern: Int64(place.load(as: Int32.self)))
    case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32: unsafe UInt64(place.load(as: UInt32.self))
    default: unsafe place.load(as: UInt64.self)
    }
  }

  private static func store(_ bits: UInt64, _ type: ProtobufCType, _ place: UnsafeMutableRawPointer) {
    if stride(type) == 4 {
      unsafe place.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
    } else {
      unsafe place.storeBytes(of: bits, as: UInt64.self)
    }
  }

  private static func stride(_ type: ProtobufCType) -> Int {
    switch type {
    case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32,
      PROTOBUF_C_TYPE_ENUM, PROTOBUF_C_TYPE_BOOL:
      4
    default: 8
    }
  }

  // MARK: Bytes

  /// The number of bytes of a string or bytes field.
  var byteCount: Int { unsafe place.load(as: ProtobufCBinaryData.self).len }

  /// The bytes of a string or bytes field.
  var bytes: [UInt8] { unsafe Self.withBytes(place) { unsafe Array($0) } }

  /// A string, with ill-formed UTF-8 replaced; nil if it contains a NUL.
  var text: String? { unsafe Self.withBytes(place, Self.text) }

  /// The byte strings of a repeated field.
  var allBytes: [[UInt8]] { unsafe map { unsafe Array($0) } }

  /// The strings of a repeated field, each nil if it contains a NUL.
  var allTexts: [String?] { unsafe map(Self.text) }

  /// Sets a string or bytes field from bytes.
  func set(bytes: [UInt8]) {
    markPresent()
    unsafe bytes.withUnsafeBytes { unsafe store($0, at: place) }
  }

  /// Sets a string.
  func set(text: String) {
    markPresent()
    var text = text
    text.withUTF8 { unsafe store(UnsafeRawBufferPointer($0), at: place) }
  }

  /// Sets the strings or byte strings of a repeated field.
  func set(allBytes values: [[UInt8]]) {
    let stride = unsafe MemoryLayout<ProtobufCBinaryData>.stride
    let elements = unsafe makeElements(values.count, stride: stride)
    for (index, value) in values.enumerated() {
      unsafe value.withUnsafeBytes { unsafe store($0, at: elements + index * stride) }
    }
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    unsafe bytes.contains(0) ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private func map<Element>(_ body: (UnsafeBufferPointer<UInt8>) -> Element) -> [Element] {
    let (elements, count) = unsafe elements
    guard let elements = unsafe elements else { return [] }
    let stride = unsafe MemoryLayout<ProtobufCBinaryData>.stride
    return (0..<count).map { unsafe Self.withBytes(elements + $0 * stride, body) }
  }

  private static func withBytes<Result>(
    _ place: UnsafeMutableRawPointer, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let data = unsafe place.load(as: ProtobufCBinaryData.self)
    return unsafe body(UnsafeBufferPointer(start: data.data, count: data.len))
  }

  private func store(_ bytes: UnsafeRawBufferPointer, at place: UnsafeMutableRawPointer) {
    let copy = unsafe memory.copy(bytes).assumingMemoryBound(to: UInt8.self)
    unsafe place.storeBytes(of: ProtobufCBinaryData(len: bytes.count, data: copy), as: ProtobufCBinaryData.self)
  }

  // MARK: Messages

  /// The message in the field; nil if there is none.
  var submessage: MessageInMemory? {
    guard isPresent, let start = unsafe place.load(as: UnsafeMutableRawPointer?.self) else { return nil }
    return unsafe MessageInMemory(start, submessageLayout, memory)
  }

  /// Puts an empty message into the field, to be filled.
  func makeSubmessage() -> MessageInMemory {
    markPresent()
    let message = unsafe submessageLayout.empty(in: memory)
    unsafe place.storeBytes(of: message.pointer, as: UnsafeMutableRawPointer.self)
    return message
  }

  /// The messages of a repeated field.
  var submessages: [MessageInMemory] {
    let (elements, count) = unsafe elements
    guard let elements = unsafe elements else { return [] }
    let pointers = unsafe elements.assumingMemoryBound(to: UnsafeMutableRawPointer.self)
    let layout = submessageLayout
    return (0..<count).map { unsafe MessageInMemory(pointers[$0], layout, memory) }
  }

  /// Puts `count` empty messages into a repeated field, to be filled.
  func makeSubmessages(_ count: Int) -> [MessageInMemory] {
    let stride = unsafe MemoryLayout<UnsafeMutableRawPointer>.stride
    let elements = unsafe makeElements(count, stride: stride)
    let layout = submessageLayout
    return (0..<count).map { index in
      let message = unsafe layout.empty(in: memory)
      unsafe (elements + index * stride).storeBytes(of: message.pointer, as: UnsafeMutableRawPointer.self)
      return message
    }
  }

  private var submessageLayout: MessageLayout {
    unsafe MessageLayout(descriptorAt: UInt(bitPattern: descriptor.pointee.descriptor))
  }

  // MARK: Repeated fields

  /// The contiguous elements of a repeated field, and their number.
  private var elements: (UnsafeMutableRawPointer?, Int) {
    unsafe (place.load(as: UnsafeMutableRawPointer?.self), quantifier.load(as: Int.self))
  }

  private func makeElements(_ count: Int, stride: Int) -> UnsafeMutableRawPointer {
    let elements = unsafe memory.allocateZeroed(max(count, 1) * stride)
    unsafe place.storeBytes(of: elements, as: UnsafeMutableRawPointer.self)
    unsafe quantifier.storeBytes(of: count, as: Int.self)
    return unsafe elements
  }
}
