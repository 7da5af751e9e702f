/// The fields of one message, either for writing or as they were read.
///
/// As in protobuf-c, unknown fields are skipped, the last of several values counts, and a field with the wrong wire
/// type invalidates the message. A string with a NUL is refused: a program that shows or stores it could truncate it
/// there.
struct WireFields {
  private var message: MessageInMemory
  /// True if a message is being read.
  let isReading: Bool
  /// Records each declared field, for the test of declarations.
  private let declarations: DeclarationList?

  /// The fields of a message that was unpacked.
  init(reading message: MessageInMemory) {
    self.message = message
    isReading = true
    declarations = nil
  }

  private init(filling message: MessageInMemory, _ declarations: DeclarationList? = nil) {
    self.message = message
    isReading = false
    self.declarations = declarations
  }

  /// Puts all fields of `value` into a message that is to be packed.
  static func fill(
    _ message: MessageInMemory, with value: some DeclaredMessage, _ declarations: DeclarationList? = nil
  ) {
    var fields = WireFields(filling: message, declarations)
    var value = value
    do throws(DecodingFailure) {
      try value.walk(&fields)
    } catch {
      preconditionFailure("\(type(of: value)) refuses to be written: \(error.reason)")
    }
  }

  /// Returns the field with a number. Its kind is created only for the test of declarations: most kinds are allocated.
  private mutating func field(_ number: UInt32, _ kind: @autoclosure () -> DeclaredField.Kind) -> MessageField {
    if let declarations { declarations.add(number, kind()) }
    return message.field(number)
  }

  /// Returns a failure of a field, or of a `oneof`, of this message.
  func failure(_ name: String, _ problem: String, limit: Int? = nil) -> DecodingFailure {
    DecodingFailure(field: name, problem, limit: limit)
  }

  // MARK: Numbers

  /// An unsigned number.
  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_ number: UInt32, _ value: inout Number) {
    let field = field(number, .unsigned)
    if isReading { value = Number(truncatingIfNeeded: field.bits) } else { field.set(bits: UInt64(value)) }
  }

  /// An unsigned count or measure; a value that is too large is written as the largest.
  mutating func count(_ number: UInt32, _ value: inout Int) {
    let field = field(number, .unsigned)
    if isReading { value = Int(clamping: field.bits) } else { field.set(clamping: value) }
  }

  /// A signed number.
  mutating func signed<Number: FixedWidthInteger & SignedInteger>(_ number: UInt32, _ value: inout Number) {
    let field = field(number, .signed)
    if isReading {
      value = Number(truncatingIfNeeded: Int64(bitPattern: field.bits))
    } else {
      field.set(bits: UInt64(bitPattern: Int64(value)))
    }
  }

  /// An unsigned number declared `optional`, which may be missing.
  mutating func optionalNumber<Number: FixedWidthInteger & UnsignedInteger>(_ number: UInt32, _ value: inout Number?) {
    let field = field(number, .optional(.unsigned))
    if isReading {
      value = field.isPresent ? Number(truncatingIfNeeded: field.bits) : nil
    } else if let value {
      field.set(bits: UInt64(value))
    }
  }

  /// Unsigned numbers.
  mutating func numbers<Number: FixedWidthInteger & UnsignedInteger>(_ number: UInt32, _ values: inout [Number]) {
    let field = field(number, .repeated(.unsigned))
    if isReading {
      values = field.allBits.map { Number(truncatingIfNeeded: $0) }
    } else if !values.isEmpty {
      field.set(allBits: values.lazy.map { UInt64($0) })
    }
  }

  /// Signed numbers.
  mutating func signedNumbers(_ number: UInt32, _ values: inout [Int32]) {
    let field = field(number, .repeated(.signed))
    if isReading {
      values = field.allBits.map { Int32(truncatingIfNeeded: $0) }
    } else if !values.isEmpty {
      field.set(allBits: values.lazy.map { UInt64(bitPattern: Int64($0)) })
    }
  }

  /// A bool.
  mutating func flag(_ number: UInt32, _ value: inout Bool) {
    let field = field(number, .flag)
    if isReading { value = field.bits != 0 } else { field.set(bits: value ? 1 : 0) }
  }

  // MARK: Enums

  /// An enum whose value 0 is nil.
  ///
  /// - Throws: if the value is not known.
  mutating func choice<Choice: RawRepresentable>(
    _ number: UInt32, _ value: inout Choice?
  ) throws(DecodingFailure) where Choice.RawValue: FixedWidthInteger {
    let field = field(number, .choice)
    guard isReading else { return field.set(bits: value.map { UInt64($0.rawValue) } ?? 0) }
    value = nil
    guard field.bits != 0 else { return }
    value = Choice.RawValue(exactly: field.bits).flatMap { Choice(rawValue: $0) }
    if value == nil { throw failure(field.name, "is \(field.bits), which is not a known value") }
  }

  /// An enum whose value 0 is nil, as is every unknown value.
  mutating func knownChoice<Choice: RawRepresentable>(
    _ number: UInt32, _ value: inout Choice?
  ) where Choice.RawValue: FixedWidthInteger {
    let field = field(number, .choice)
    guard isReading else { return field.set(bits: value.map { UInt64($0.rawValue) } ?? 0) }
    value = Choice.RawValue(exactly: field.bits).flatMap { Choice(rawValue: $0) }
  }

  /// An enum that may have values of later versions: unknown ones are read as `unknown`.
  mutating func choice<Choice: RawRepresentable>(
    _ number: UInt32, _ value: inout Choice, unknown: Choice
  ) where Choice.RawValue: FixedWidthInteger {
    let field = field(number, .choice)
    guard isReading else { return field.set(bits: UInt64(value.rawValue)) }
    value = Choice.RawValue(exactly: field.bits).flatMap { Choice(rawValue: $0) } ?? unknown
  }

  /// An enum as its number, for callers that interpret its values themselves.
  mutating func choiceNumber(_ number: UInt32, _ value: inout UInt32) {
    let field = field(number, .choice)
    if isReading { value = UInt32(truncatingIfNeeded: field.bits) } else { field.set(bits: UInt64(value)) }
  }

  /// A repeated enum.
  ///
  /// - Throws: if a value is not known and `skipsUnknown` is false; otherwise it is left out.
  mutating func choices<Choice: RawRepresentable>(
    _ number: UInt32, _ values: inout [Choice], skipsUnknown: Bool
  ) throws(DecodingFailure) where Choice.RawValue: FixedWidthInteger {
    let field = field(number, .repeated(.choice))
    guard isReading else {
      if !values.isEmpty { field.set(allBits: values.lazy.map { UInt64($0.rawValue) }) }
      return
    }
    values = []
    for bits in field.allBits {
      if let value = Choice.RawValue(exactly: bits).flatMap({ Choice(rawValue: $0) }) {
        values.append(value)
      } else if !skipsUnknown {
        throw failure(field.name, "contains \(bits), which is not a known value")
      }
    }
  }

  // MARK: Strings and bytes

  /// A string.
  ///
  /// - Parameter limit: its maximum number of bytes; nil for as many as fit into a request.
  /// - Throws: if it is longer, or contains a NUL.
  mutating func text(_ number: UInt32, _ value: inout String, limit: Int? = nil) throws(DecodingFailure) {
    let field = field(number, .text)
    guard isReading else {
      if !value.isEmpty { field.set(text: value) }
      return
    }
    guard let text = field.text else { throw nul(in: field) }
    if let limit, field.byteCount > limit {
      throw failure(field.name, "has \(field.byteCount) bytes; the limit is \(limit)", limit: limit)
    }
    value = text
  }

  /// A string kept as its bytes; well-formed UTF-8 if the sender is the daemon.
  ///
  /// - Throws: if it contains a NUL.
  mutating func utf8(_ number: UInt32, _ value: inout [UInt8]) throws(DecodingFailure) {
    let field = field(number, .text)
    guard isReading else {
      if !value.isEmpty { field.set(bytes: value) }
      return
    }
    value = field.bytes
    if value.contains(0) { throw nul(in: field) }
  }

  /// A repeated string.
  ///
  /// - Throws: if one contains a NUL.
  mutating func texts(_ number: UInt32, _ values: inout [String]) throws(DecodingFailure) {
    let field = field(number, .repeated(.text))
    guard isReading else {
      if !values.isEmpty { field.set(allBytes: values.map { Array($0.utf8) }) }
      return
    }
    let texts = field.allTexts
    values = texts.compactMap(\.self)
    if values.count != texts.count { throw nul(in: field) }
  }

  /// Bytes that are not text.
  mutating func bytes(_ number: UInt32, _ value: inout [UInt8]) {
    let field = field(number, .data)
    if isReading { value = field.bytes } else if !value.isEmpty { field.set(bytes: value) }
  }

  /// Repeated bytes that are not text.
  mutating func repeatedBytes(_ number: UInt32, _ values: inout [[UInt8]]) {
    let field = field(number, .repeated(.data))
    if isReading { values = field.allBytes } else if !values.isEmpty { field.set(allBytes: values) }
  }

  private func nul(in field: MessageField) -> DecodingFailure {
    failure(field.name, "contains a NUL character (U+0000); remove it")
  }

  // MARK: Messages

  /// A message. The value is unchanged if the field is missing.
  mutating func message<Message: DeclaredMessage>(_ number: UInt32, _ value: inout Message) throws(DecodingFailure) {
    let field = field(number, .message(Message.self))
    guard isReading else { return Self.put(value, in: field) }
    if let message = field.submessage { value = try Self.readMessage(message, in: field) }
  }

  /// A message that may be missing.
  mutating func message<Message: DeclaredMessage>(_ number: UInt32, _ value: inout Message?) throws(DecodingFailure) {
    let field = field(number, .message(Message.self))
    guard isReading else {
      if let value { Self.put(value, in: field) }
      return
    }
    value = nil
    if let message = field.submessage { value = try Self.readMessage(message, in: field) }
  }

  /// A message that must be present.
  ///
  /// - Throws: if it is missing.
  mutating func requiredMessage<Message: DeclaredMessage>(
    _ number: UInt32, _ value: inout Message
  ) throws(DecodingFailure) {
    let field = field(number, .message(Message.self))
    guard isReading else { return Self.put(value, in: field) }
    guard let message = field.submessage else { throw failure(field.name, "is missing") }
    value = try Self.readMessage(message, in: field)
  }

  /// A repeated message.
  mutating func messages<Message: DeclaredMessage>(
    _ number: UInt32, _ values: inout [Message]
  ) throws(DecodingFailure) {
    let field = field(number, .repeated(.message(Message.self)))
    guard isReading else {
      guard !values.isEmpty else { return }
      for (value, message) in zip(values, field.makeSubmessages(values.count)) { Self.put(value, into: message) }
      return
    }
    let messages = field.submessages
    values = []
    values.reserveCapacity(messages.count)
    for (index, message) in messages.enumerated() {
      do throws(DecodingFailure) {
        values.append(try Self.readMessage(message))
      } catch {
        throw error.inside("\(field.name)[\(index)]")
      }
    }
  }

  private static func put(_ value: some DeclaredMessage, in field: MessageField) {
    put(value, into: field.makeSubmessage())
  }

  private static func put(_ value: some DeclaredMessage, into message: MessageInMemory) {
    let cached = value.cachedEncoding
    if cached.isEmpty { fill(message, with: value) } else { message.splice(cached) }
  }

  private static func readMessage<Message: DeclaredMessage>(
    _ message: MessageInMemory, in field: MessageField
  ) throws(DecodingFailure) -> Message {
    do throws(DecodingFailure) {
      return try readMessage(message)
    } catch {
      throw error.inside(field.name)
    }
  }

  private static func readMessage<Message: DeclaredMessage>(_ message: MessageInMemory) throws(DecodingFailure)
    -> Message
  {
    var value = Message()
    var fields = WireFields(reading: message)
    try value.walk(&fields)
    return value
  }

  // MARK: Cases of a oneof

  /// A case of a `oneof` that is a string. Written if `match` finds it in `value`; when read, it replaces `value`.
  mutating func text<Value>(
    _ number: UInt32, of value: inout Value?, _ make: (String) -> Value, _ match: (Value) -> String?
  ) throws(DecodingFailure) {
    let field = field(number, .oneofCase(.text))
    guard isReading else {
      if let text = value.flatMap(match) { field.set(text: text) }
      return
    }
    guard field.isPresent else { return }
    guard let text = field.text else { throw nul(in: field) }
    value = make(text)
  }

  /// A case of a `oneof` that is bytes.
  mutating func bytes<Value>(
    _ number: UInt32, of value: inout Value?, _ make: ([UInt8]) -> Value, _ match: (Value) -> [UInt8]?
  ) {
    let field = field(number, .oneofCase(.data))
    if isReading {
      if field.isPresent { value = make(field.bytes) }
    } else if let bytes = value.flatMap(match) {
      field.set(bytes: bytes)
    }
  }

  /// A case of a `oneof` that is a number.
  mutating func number<Value>(
    _ number: UInt32, of value: inout Value?, _ make: (UInt64) -> Value, _ match: (Value) -> UInt64?
  ) {
    let field = field(number, .oneofCase(.unsigned))
    if isReading {
      if field.isPresent { value = make(field.bits) }
    } else if let bits = value.flatMap(match) {
      field.set(bits: bits)
    }
  }

  /// A case of a `oneof` that is a bool.
  mutating func flag<Value>(
    _ number: UInt32, of value: inout Value?, _ make: (Bool) -> Value, _ match: (Value) -> Bool?
  ) {
    let field = field(number, .oneofCase(.flag))
    if isReading {
      if field.isPresent { value = make(field.bits != 0) }
    } else if let flag = value.flatMap(match) {
      field.set(bits: flag ? 1 : 0)
    }
  }

  /// A case of a `oneof` that is an enum.
  ///
  /// - Throws: if the value is not known.
  mutating func choice<Value, Choice: RawRepresentable>(
    _ number: UInt32, of value: inout Value?, _ make: (Choice) -> Value, _ match: (Value) -> Choice?
  ) throws(DecodingFailure) where Choice.RawValue: FixedWidthInteger {
    let field = field(number, .oneofCase(.choice))
    guard isReading else {
      if let choice = value.flatMap(match) { field.set(bits: UInt64(choice.rawValue)) }
      return
    }
    guard field.isPresent else { return }
    guard let choice = Choice.RawValue(exactly: field.bits).flatMap({ Choice(rawValue: $0) }) else {
      throw failure(field.name, "is \(field.bits), which is not a known value")
    }
    value = make(choice)
  }

  /// A case of a `oneof` that is a message.
  mutating func message<Value, Message: DeclaredMessage>(
    _ number: UInt32, of value: inout Value?, _ make: (Message) -> Value, _ match: (Value) -> Message?
  ) throws(DecodingFailure) {
    let field = field(number, .oneofCase(.message(Message.self)))
    if isReading {
      if let message = field.submessage { value = make(try Self.readMessage(message, in: field)) }
    } else if let message = value.flatMap(match) {
      Self.put(message, in: field)
    }
  }
}
