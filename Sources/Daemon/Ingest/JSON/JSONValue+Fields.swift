internal import Dates
internal import Posts

extension JSONValue {
  /// Returns the string in field `key` as text of one line; empty if there is none.
  func line(_ key: StaticString) -> SafeText { self[key]?.bytes.map { SafeText(wellFormedLine: $0) } ?? .empty }

  /// Returns the whole number in field `key` as a count: 0 if there is none or it is negative, the maximum if it is
  /// greater.
  func count(_ key: StaticString) -> UInt32 { UInt32(clamping: self[key]?.integer ?? 0) }

  /// Returns the instant in field `key`, in Twitter's format or in ISO 8601.
  func instant(_ key: StaticString) throws(SkipReason) -> Instant {
    guard let text = self[key]?.bytes else { throw SkipReason("no date") }
    if let instant = text.withSpan({ Instant(twitter: $0) ?? Instant(iso8601: $0) }) { return instant }
    throw SkipReason("unreadable date “\(ElementKind.printable(text.string, limit: 40))”")
  }

  /// Returns the ID in field `key`, safe to print; nil if there is none or it is empty.
  func nativeID(_ key: StaticString) throws(SkipReason) -> String? {
    guard let id = self[key]?.id, !id.isEmpty else { return nil }
    guard id.utf8.count <= nativeIDLimit else { throw SkipReason("ID longer than \(nativeIDLimit) bytes") }
    return SafeText(line: id).string
  }
}

/// The maximum length of a native ID in bytes: the practical limit of URLs.
let nativeIDLimit = 2048
