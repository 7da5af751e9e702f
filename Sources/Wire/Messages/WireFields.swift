/// A message that says once what its fields are; writing it and reading it both follow from that. For the messages of
/// commands, which are small and many: no C structure is made of them, and what is wrong with one is told by the
/// field's name.
protocol WalkedMessage: WireMessage {
  /// As the schema calls it.
  static var typeName: String { get }
  /// A message that says nothing yet.
  init()
  /// Names each field to `fields`, in the order of their numbers: writes the message where those write, and fills it
  /// where they read.
  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure)
}

extension WalkedMessage {
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    self.init()
    guard var fields = WireFields(reading: bytes[...], path: "") else {
      throw .noMessage(of: Self.typeName)
    }
    try walk(&fields)
    guard !fields.isBroken else { throw .noMessage(of: Self.typeName) }
  }

  public func encoded() -> [UInt8] {
    var fields = WireFields()
    fields.write(self)
    return fields.output
  }
}

/// The fields of one message, either being written or as they were read.
///
/// Reading does as protobuf-c does (a field of another wire type breaks the message, unknown fields are skipped, the
/// last of several counts), except that a text with a NUL is refused by name instead of being cut there. Both are
/// O(fields^2), bytes apart.
struct WireFields {
  /// What stands behind a field's number.
  private enum Content {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
    /// Four or eight bytes, which no message that is walked has.
    case fixed
  }

  /// What was read, in the order of the bytes; nil while writing.
  private let read: [(field: UInt64, content: Content)]?
  /// Of the fields that lead here, each with a dot behind it.
  private let path: String
  private var writer = WireWriter()
  /// A field that was read had another wire type, or a message in it was none.
  private(set) var isBroken = false

  /// Fields to write.
  init() {
    read = nil
    path = ""
  }

  /// The fields of the message `bytes`, which `path` leads to; nil if they are no message.
  init?(reading bytes: ArraySlice<UInt8>, path: String) {
    guard let read = Self.parse(bytes) else { return nil }
    self.read = read
    self.path = path
  }

  /// What has been written.
  var output: [UInt8] { writer.output }

  /// Whether a message is being filled.
  var isReading: Bool { read != nil }

  /// Writes all fields of a message.
  mutating func write(_ message: some WalkedMessage) {
    var message = message
    do throws(DecodingFailure) {
      try message.walk(&self)
    } catch {
      preconditionFailure("\(type(of: message)) refuses to be written: \(error.reason)")
    }
  }

  // MARK: Fields

  /// A string.
  ///
  /// - Parameter limit: bytes that it may have; nil for as many as fit into a request.
  /// - Throws: if it is longer, or holds a NUL.
  mutating func text(_ field: UInt64, _ name: String, _ value: inout String, limit: Int? = nil) throws(DecodingFailure)
  {
    guard isReading else { return put(field, Array(value.utf8)) }
    if let bytes = bytes(of: field).last { value = try text(bytes, name, limit) }
  }

  /// Strings.
  mutating func texts(_ field: UInt64, _ name: String, _ values: inout [String]) throws(DecodingFailure) {
    guard isReading else { return values.forEach { writer.bytes(field, Array($0.utf8)) } }
    values = []
    for bytes in bytes(of: field) { values.append(try text(bytes, name, nil)) }
  }

  /// A string that is kept as its bytes; what else is done with it makes it harmless.
  mutating func bytes(_ field: UInt64, _ value: inout [UInt8]) {
    guard isReading else { return put(field, value) }
    if let bytes = bytes(of: field).last { value = Array(bytes) }
  }

  /// A `uint32` or `uint64`.
  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_ field: UInt64, _ value: inout Number) {
    guard isReading else { return writer.varint(field, UInt64(value)) }
    if let number = number(of: field) { value = Number(truncatingIfNeeded: number) }
  }

  /// A `uint32` or `uint64` that counts something.
  mutating func count(_ field: UInt64, _ value: inout Int) {
    guard isReading else { return writer.varint(field, UInt64(clamping: value)) }
    if let number = number(of: field) { value = Int(clamping: number) }
  }

  /// A `sint32` or `sint64`.
  mutating func signed<Number: FixedWidthInteger & SignedInteger>(_ field: UInt64, _ value: inout Number) {
    guard isReading else { return writer.zigzag(field, Int64(value)) }
    if let number = number(of: field) {
      value = Number(truncatingIfNeeded: Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
    }
  }

  /// A bool.
  mutating func flag(_ field: UInt64, _ value: inout Bool) {
    guard isReading else { return writer.varint(field, value ? 1 : 0) }
    if let number = number(of: field) { value = number != 0 }
  }

  /// An enum of which nil is the value 0.
  ///
  /// - Throws: if the value is none that is known.
  mutating func choice<Choice: RawRepresentable>(
    _ field: UInt64, _ name: String, _ value: inout Choice?
  ) throws(DecodingFailure) where Choice.RawValue: FixedWidthInteger {
    guard isReading else { return writer.varint(field, value.map { UInt64($0.rawValue) } ?? 0) }
    guard let number = number(of: field), number != 0 else { return value = nil }
    value = Choice.RawValue(exactly: number).flatMap { Choice(rawValue: $0) }
    if value == nil { throw failure(name, "is \(number), which is none of its values") }
  }

  /// Enums.
  ///
  /// - Throws: if one is none that is known and `skipsUnknown` is false; otherwise that is left out.
  mutating func choices<Choice: RawRepresentable>(
    _ field: UInt64, _ name: String, _ values: inout [Choice], skipsUnknown: Bool
  ) throws(DecodingFailure) where Choice.RawValue: FixedWidthInteger {
    guard isReading else {
      guard !values.isEmpty else { return }
      var packed = WireWriter()
      for value in values { packed.put(number: UInt64(value.rawValue)) }
      return writer.bytes(field, packed.output)
    }
    values = []
    for number in numbers(of: field) {
      if let value = Choice.RawValue(exactly: number).flatMap({ Choice(rawValue: $0) }) {
        values.append(value)
      } else if !skipsUnknown {
        throw failure(name, "holds \(number), which is none of its values")
      }
    }
  }

  /// A message. It stays as it is where it is missing.
  mutating func message(_ field: UInt64, _ name: String, _ value: inout some WalkedMessage) throws(DecodingFailure) {
    guard isReading else { return put(value, in: field) }
    if let bytes = bytes(of: field).last { try fill(&value, from: bytes, name) }
  }

  /// Messages.
  mutating func messages<Message: WalkedMessage>(
    _ field: UInt64, _ name: String, _ values: inout [Message]
  ) throws(DecodingFailure) {
    guard isReading else { return values.forEach { put($0, in: field) } }
    values = []
    for bytes in bytes(of: field) {
      var value = Message()
      try fill(&value, from: bytes, name)
      values.append(value)
    }
  }

  /// A message that has to be there.
  ///
  /// - Throws: if it is missing.
  mutating func requiredMessage(_ field: UInt64, _ name: String, _ value: inout some WalkedMessage)
    throws(DecodingFailure)
  {
    guard !isReading || read!.contains(where: { $0.field == field }) else { throw failure(name, "is missing") }
    try message(field, name, &value)
  }

  /// What is wrong with a field.
  func failure(_ name: String, _ problem: String, limit: Int? = nil) -> DecodingFailure {
    DecodingFailure(field: path + name, problem, limit: limit)
  }

  // MARK: Cases of a oneof

  /// The case of a `oneof` that is a string. Written if `match` finds it in `value`; read, it takes the place of what
  /// `value` was.
  mutating func text<Value>(
    _ field: UInt64, _ name: String, of value: inout Value?, _ make: (String) -> Value, _ match: (Value) -> String?
  ) throws(DecodingFailure) {
    guard isReading else {
      if let text = value.flatMap(match) { writer.bytes(field, Array(text.utf8)) }
      return
    }
    if let bytes = bytes(of: field).last { value = make(try text(bytes, name, nil)) }
  }

  /// The case of a `oneof` that is a number. `make` gives nil for one that is none of an enum's values.
  mutating func number<Value>(
    _ field: UInt64, _ name: String, of value: inout Value?, _ make: (UInt64) -> Value?, _ match: (Value) -> UInt64?
  ) throws(DecodingFailure) {
    guard isReading else {
      // Which case it is must be seen even if the number is 0.
      if let number = value.flatMap(match) { writer.presentVarint(field, number) }
      return
    }
    guard let number = number(of: field) else { return }
    value = make(number)
    if value == nil { throw failure(name, "is \(number), which is none of its values") }
  }

  /// The case of a `oneof` that is a message.
  mutating func message<Value, Message: WalkedMessage>(
    _ field: UInt64, _ name: String, of value: inout Value?, _ make: (Message) -> Value, _ match: (Value) -> Message?
  ) throws(DecodingFailure) {
    guard isReading else {
      if let message = value.flatMap(match) { put(message, in: field) }
      return
    }
    guard let bytes = bytes(of: field).last else { return }
    var message = Message()
    try fill(&message, from: bytes, name)
    value = make(message)
  }

  // MARK: Parts

  private mutating func put(_ field: UInt64, _ bytes: [UInt8]) {
    if !bytes.isEmpty { writer.bytes(field, bytes) }
  }

  private mutating func put(_ message: some WalkedMessage, in field: UInt64) { writer.bytes(field, message.encoded()) }

  private mutating func fill(
    _ value: inout some WalkedMessage, from bytes: ArraySlice<UInt8>, _ name: String
  ) throws(DecodingFailure) {
    guard var fields = WireFields(reading: bytes, path: "\(path)\(name).") else { return isBroken = true }
    try value.walk(&fields)
    if fields.isBroken { isBroken = true }
  }

  private func text(_ bytes: ArraySlice<UInt8>, _ name: String, _ limit: Int?) throws(DecodingFailure) -> String {
    guard !bytes.contains(0) else { throw failure(name, "holds a NUL character (U+0000): leave it out") }
    if let limit, bytes.count > limit {
      throw failure(name, "has \(bytes.count) bytes; at most \(limit) are possible", limit: limit)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func bytes(of field: UInt64) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    for (number, content) in read ?? [] where number == field {
      if case .bytes(let bytes) = content { found.append(bytes) } else { isBroken = true }
    }
    return found
  }

  private mutating func number(of field: UInt64) -> UInt64? {
    var found: UInt64?
    for (number, content) in read ?? [] where number == field {
      if case .number(let value) = content { found = value } else { isBroken = true }
    }
    return found
  }

  /// A repeated number, packed or not: a reader takes both.
  private mutating func numbers(of field: UInt64) -> [UInt64] {
    var found: [UInt64] = []
    for (number, content) in read ?? [] where number == field {
      switch content {
      case .number(let value): found.append(value)
      case .bytes(var packed):
        while !packed.isEmpty {
          guard let value = Self.varint(&packed) else {
            isBroken = true
            break
          }
          found.append(value)
        }
      case .fixed: isBroken = true
      }
    }
    return found
  }

  // MARK: Bytes

  private static func parse(_ bytes: ArraySlice<UInt8>) -> [(field: UInt64, content: Content)]? {
    var rest = bytes
    var fields: [(field: UInt64, content: Content)] = []
    while !rest.isEmpty {
      guard let tag = varint(&rest), tag >> 3 != 0, tag <= UInt64(UInt32.max) else { return nil }
      let length: Int
      switch tag & 7 {
      case 0:
        guard let value = varint(&rest) else { return nil }
        fields.append((tag >> 3, .number(value)))
        continue
      case 1: length = 8
      case 2:
        guard let count = varint(&rest), count <= UInt64(rest.count) else { return nil }
        length = Int(count)
      case 5: length = 4
      default: return nil
      }
      guard length <= rest.count else { return nil }
      fields.append((tag >> 3, tag & 7 == 2 ? .bytes(rest.prefix(length)) : .fixed))
      rest = rest.dropFirst(length)
    }
    return fields
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
