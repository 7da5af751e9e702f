internal import Codecs

/// Fields of a form, as `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
public enum FormFields {
  /// Writes fields in their order. Everything but letters, digits and `*-._` is percent-encoded. O(length).
  public static func encode(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }

  /// Returns the value of the first field with a name in an encoded form or a query; nil if there is none.
  public static func value(_ name: String, in text: some StringProtocol) -> String? {
    for field in text.split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if decode(parts[0]) == name { return parts.count == 2 ? decode(parts[1]) : "" }
    }
    return nil
  }

  private static func encode(_ text: String) -> String { PercentCoding.encode(text, keeping: "*-._") }

  private static func decode(_ text: some StringProtocol) -> String {
    let spaced = String(decoding: text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
    return String(decoding: PercentCoding.decode(spaced).bytes, as: UTF8.self)
  }
}
