import TestSupport
import Testing

@testable import Messages

@Suite("Arbitrary bytes are read or refused")
struct ArbitraryBytesTests {
  private static let messages = Dictionary(
    ProtoSchema.current.messages.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// Messages that are mostly refused even if their fields have the right types, for a NUL or a value out of range.
  private static let strict = Set(
    ["BackupRequest", "GetRowsRequest", "Hello", "PlacedRow", "PointMetrics", "Row", "WatchRequest"].map {
      "stack.v1.\($0)"
    })

  @Test("a message that is read can be written, and reads the same", arguments: DeclarationTests.declared.keys.sorted())
  func anything(name: String) throws {
    let message = try #require(DeclarationTests.declared[name])
    var random = SeededGenerator(seed: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    var read = 0
    for _ in 0..<300 {
      let bytes = Self.bytes(of: name, &random)
      if try Self.reads(message, bytes) { read += 1 }
      for _ in 0..<3 { _ = try Self.reads(message, Self.mutated(bytes, &random)) }
    }
    #expect(read > 0 || Self.strict.contains(name), "nothing was read")
  }

  /// Returns true if bytes are such a message; if so, checks that it survives another round trip.
  private static func reads(_ type: (some DeclaredMessage).Type, _ bytes: [UInt8]) throws -> Bool {
    guard let message = try? type.init(decoding: bytes) else { return false }
    let written = message.encodedByDeclaration()
    #expect(try type.init(decoding: written).encodedByDeclaration() == written, "\(bytes)")
    return true
  }

  /// Returns bytes with fields of the message, most of them with the right type.
  private static func bytes(of name: String, _ random: inout SeededGenerator, depth: Int = 0) -> [UInt8] {
    guard depth < 6, let message = messages[name], !message.fields.isEmpty else { return [] }
    var writer = WireWriter()
    for _ in 0..<Int.random(in: 0...message.fields.count, using: &random) {
      guard let field = message.fields.randomElement(using: &random) else { continue }
      let number = UInt64(field.number)
      switch field.kind {
      case .message: writer.bytes(number, bytes(of: field.messageName, &random, depth: depth + 1))
      case .string, .bytes: writer.bytes(number, text(&random))
      case .fixed64: writer.fixed64(number, random.next())
      default: writer.varint(number, random.next() >> UInt64.random(in: 0...63, using: &random))
      }
    }
    return writer.output
  }

  private static func text(_ random: inout SeededGenerator) -> [UInt8] {
    let bytes: [UInt8] = [0x00, 0x0A, 0x1B, 0x20, 0x31, 0x61, 0x7F, 0x80, 0xC3, 0xA9, 0xF0, 0xFF]
    return (0..<Int.random(in: 0...6, using: &random)).map { _ in bytes.randomElement(using: &random) ?? 0x61 }
  }

  /// Returns the bytes with some changed, cut off or repeated.
  private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    guard !bytes.isEmpty else { return [UInt8(truncatingIfNeeded: random.next())] }
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
    }
    switch UInt8.random(in: 0...3, using: &random) {
    case 0: return Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
    case 1: return bytes + bytes
    default: return bytes
    }
  }
}
