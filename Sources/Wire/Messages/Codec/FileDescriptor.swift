/// Reads a serialized `google.protobuf.FileDescriptorProto`, as far as the codec and reflection need it.
///
/// Every program reads the schema when it starts, and before it can decode any message. So this reads the wire format
/// (https://protobuf.dev/programming-guides/encoding) directly, by the numbers of `google/protobuf/descriptor.proto`.
struct FileDescriptor {
  let name: String
  private let bytes: [UInt8]
  private let package: String

  /// Reads the name and the package; nil for anything but a message.
  init?(_ bytes: [UInt8]) {
    var (name, package) = ("", "")
    var fields = DescriptorFields(bytes, in: bytes.indices)
    while let (number, value) = fields.next() {
      if number == 1 { name = fields.text(value) }
      if number == 2 { package = fields.text(value) }
    }
    guard fields.isComplete else { return nil }
    (self.bytes, self.name, self.package) = (bytes, name, package)
  }

  /// Names of the files it imports.
  var imports: [String] {
    var names: [String] = []
    forEach(3, in: bytes.indices) { fields, value in names.append(fields.text(value)) }
    return names
  }

  /// All its messages, including nested ones.
  var messages: [MessageDescription] {
    var messages: [MessageDescription] = []
    forEach(4, in: bytes.indices) { _, value in addMessages(of: value, in: scope, to: &messages) }
    return messages
  }

  /// Full names of its services, methods, messages and enums.
  var symbols: [String] {
    var symbols: [String] = []
    forEach(4, in: bytes.indices) { _, value in addSymbols(of: value, in: scope, to: &symbols) }
    forEach(5, in: bytes.indices) { _, value in symbols.append(scope + declaredName(value)) }
    forEach(6, in: bytes.indices) { _, value in
      let service = scope + declaredName(value)
      symbols.append(service)
      forEach(2, in: value) { _, method in symbols.append("\(service).\(declaredName(method))") }
    }
    return symbols
  }

  private var scope: String { package.isEmpty ? "" : package + "." }

  // MARK: - Messages

  private func addMessages(of range: Range<Int>, in scope: String, to messages: inout [MessageDescription]) {
    let place = messages.count
    var message = MessageDescription(name: "")
    messages.append(message)
    message.name = scope + declaredName(range)
    var fields = DescriptorFields(bytes, in: range)
    while let (number, value) = fields.next() {
      if number == 2, let field = field(value) { message.fields.append(field) }
      if number == 3 { addMessages(of: value, in: message.name + ".", to: &messages) }
    }
    messages[place] = message
  }

  private func addSymbols(of range: Range<Int>, in scope: String, to symbols: inout [String]) {
    let name = scope + declaredName(range)
    symbols.append(name)
    forEach(3, in: range) { _, value in addSymbols(of: value, in: name + ".", to: &symbols) }
    forEach(4, in: range) { _, value in symbols.append("\(name).\(declaredName(value))") }
  }

  /// Reads a `FieldDescriptorProto`; nil if it has no type.
  private func field(_ range: Range<Int>) -> FieldDescription? {
    var field = FieldDescription(number: 0, name: "", kind: .bool)
    var kind: FieldDescription.Kind?
    var oneof: Int?
    var fields = DescriptorFields(bytes, in: range)
    while let (number, value) = fields.next() {
      switch number {
      case 1: field.name = fields.text(value)
      case 3: field.number = UInt32(truncatingIfNeeded: fields.number)
      case 4: field.isRepeated = fields.number == 3
      case 5: kind = FieldDescription.Kind(rawValue: UInt8(truncatingIfNeeded: fields.number))
      // Names of types are absolute here: they begin with a dot.
      case 6: field.messageName = fields.text(value.dropFirst())
      case 9: oneof = Int(truncatingIfNeeded: fields.number)
      case 17: field.isOptional = fields.number != 0
      default: break
      }
    }
    guard let kind else { return nil }
    field.kind = kind
    if kind != .message { field.messageName = "" }
    // An optional field has a `oneof` of its own, which only marks that its presence is tracked.
    field.oneof = field.isOptional ? nil : oneof
    return field
  }

  // MARK: - Fields

  /// Reads the name of a message, enum, service or method: field 1 of each.
  private func declaredName(_ range: Range<Int>) -> String {
    var fields = DescriptorFields(bytes, in: range)
    while let (number, value) = fields.next() { if number == 1 { return fields.text(value) } }
    return ""
  }

  private func forEach(_ wanted: UInt64, in range: Range<Int>, _ body: (DescriptorFields, Range<Int>) -> Void) {
    var fields = DescriptorFields(bytes, in: range)
    while let (number, value) = fields.next() { if number == wanted { body(fields, value) } }
  }
}

/// The fields of a serialized message, one after another.
struct DescriptorFields {
  private let bytes: [UInt8]
  private let end: Int
  private var position: Int
  /// The value of the field read last if that is a number.
  private(set) var number: UInt64 = 0
  /// False if the bytes are not a message.
  private(set) var isComplete = true

  /// The fields of the message that is in a range of `bytes`.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// Returns the next field's number and where its content is, empty for a number; nil at the end or in damaged bytes.
  mutating func next() -> (number: UInt64, value: Range<Int>)? {
    guard isComplete, position < end, let tag = varint() else { return nil }
    switch tag & 7 {
    case 0:
      guard let value = varint() else { return nil }
      number = value
      return (tag >> 3, position..<position)
    case 1: return content(8, of: tag)
    case 2: return varint().flatMap { content($0, of: tag) }
    case 5: return content(4, of: tag)
    default: return damaged()
    }
  }

  /// Returns the text in a range.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func content(_ size: UInt64, of tag: UInt64) -> (number: UInt64, value: Range<Int>)? {
    guard size <= UInt64(end - position) else { return damaged() }
    let start = position
    position += Int(size)
    return (tag >> 3, start..<position)
  }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) where position < end {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return damaged()
  }

  private mutating func damaged<Value>() -> Value? {
    isComplete = false
    return nil
  }
}
