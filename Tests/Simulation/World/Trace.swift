/// Everything that happens in a world, as one number: two runs that differ anywhere differ in it.
final class Trace {
  /// FNV-1a, 64 bits, a word at a time.
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Events noted.
  private(set) var count = 0
  /// Given each event as a line for people; nil while nobody reads.
  var onLine: ((String) -> Void)?

  /// Notes an event: who, what, and numbers that say more.
  func note(_ time: Duration, _ who: String, _ what: StaticString, _ numbers: Int64...) {
    count += 1
    let parts = time.components
    mix(UInt64(bitPattern: parts.seconds &* 1_000_000_000 &+ parts.attoseconds / 1_000_000_000))
    for byte in who.utf8 { mix(UInt64(byte)) }
    what.withUTF8Buffer { unsafe mix(RawSpan(_unsafeBytes: UnsafeRawBufferPointer($0))) }
    for number in numbers { mix(UInt64(bitPattern: number)) }
    guard let onLine else { return }
    onLine("\(Trace.clock(time))  \(who)  \(what)\(numbers.map { " \($0)" }.joined())")
  }

  /// Notes an event with bytes; people are shown how many there are.
  func note(_ time: Duration, _ who: String, _ what: StaticString, bytes: ArraySlice<UInt8>) {
    unsafe mix(bytes.span.bytes)
    note(time, who, what, Int64(bytes.count))
  }

  /// Notes an event that is told in words.
  func note(_ time: Duration, _ who: String, text: String) {
    count += 1
    for byte in text.utf8 { mix(UInt64(byte)) }
    onLine?("\(Trace.clock(time))  \(who)  \(text)")
  }

  private func mix(_ value: UInt64) { hash = (hash ^ value) &* 0x0000_0100_0000_01B3 }

  private func mix(_ bytes: RawSpan) {
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      mix(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    while offset < bytes.byteCount {
      mix(UInt64(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)))
      offset += 1
    }
  }

  /// Seconds with six places, as in `12.003400`.
  private static func clock(_ time: Duration) -> String {
    let parts = time.components
    let micros = String(parts.attoseconds / 1_000_000_000_000)
    return "\(parts.seconds)." + String(repeating: "0", count: 6 - micros.count) + micros
  }
}
