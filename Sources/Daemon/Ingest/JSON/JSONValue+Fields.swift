internal import Dates
internal import Posts

extension JSONValue {
  /// The string in field `key` as text of one line; empty if there is none.
  func line(_ key: StaticString) -> SafeText { self[key]?.bytes.map { SafeText(wellFormedLine: $0) } ?? .empty }

  /// The whole number in field `key` as a count: 0 if there is none or it is negative, the greatest one if it is
  /// greater.
  func count(_ key: StaticString) -> UInt32 { UInt32(clamping: self[key]?.integer ?? 0) }

  /// The instant in field `key`, in Twitter's or in ISO 8601's form.
  func instant(_ key: StaticString) throws(SkipReason) -> Instant {
    guard let text = self[key]?.bytes else { throw SkipReason("it has no date") }
    if let instant = text.withSpan({ Instant(twitter: $0) ?? Instant(iso8601: $0) }) { return instant }
    throw SkipReason("its date “\(ElementKind.printable(text.string, limit: 40))” cannot be read")
  }

  /// The id in field `key`; nil if there is none or it is empty. Harmless to print.
  func nativeID(_ key: StaticString) throws(SkipReason) -> String? {
    guard let id = self[key]?.id, !id.isEmpty else { return nil }
    guard id.utf8.count <= nativeIDLimit else { throw SkipReason("its id is longer than \(nativeIDLimit) bytes") }
    return SafeText(line: id).string
  }
}

/// The longest native id in bytes: what a URL may have in practice.
let nativeIDLimit = 2048
