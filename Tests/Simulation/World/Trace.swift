/// A hash of everything that happens in a world. Two runs that differ anywhere have different hashes.
final class Trace {
  /// FNV-1a, 64 bits, a word at a time.
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// The number of recorded events.
  private(set) var count = 0
  /// Called with each event as a readable line; nil if no lines are needed.
  var onLine: ((String) -> Void)?

  /// Records an event: its subject, a constant text, and numbers.
  func record(_ time: Duration, _ who: String, _ what: StaticString, _ numbers: Int64...) {
    count += 1
    let parts = time.components
    mix(UInt64(bitPattern: parts.seconds &* 1_000_000_000 &+ parts.attoseconds / 1_000_000_000))
    for byte in who.utf8 { mix(UInt64(byte)) }
    what.withUTF8Buffer { unsafe mix(RawSpan(_unsafeBytes: UnsafeRawBufferPointer($0))) }
    for number in numbers { mix(UInt64(bitPattern: number)) }
    guard let onLine else { return }
    onLine("\(Trace.clock(time))  \(who)  \(what)\(numbers.map { " \($0)" }.joined())")
  }

  /// Records an event with bytes. The readable line contains only their number.
  func record(_ time: Duration, _ who: String, _ what: StaticString, bytes: ArraySlice<UInt8>) {
    unsafe mix(bytes.span.bytes)
    record(time, who, what, Int64(bytes.count))
  }

  /// Records an event with a variable text.
  func record(_ time: Duration, _ who: String, text: String) {
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

  /// Returns seconds with six decimals, as in `12.003400`.
  private static func clock(_ time: Duration) -> String {
    let parts = time.components
    let micros = String(parts.attoseconds / 1_000_000_000_000)
    return "\(parts.seconds)." + String(repeating: "0", count: 6 - micros.count) + micros
  }
}
