internal import Codecs

extension String {
  /// The percent-encoded text: ASCII letters, digits and `-._~` stay.
  var percentEncoded: String { PercentCoding.encode(self, keeping: "-._~") }

  /// The decoded text; nil if a `%` is not followed by two digits, or if the result is not UTF-8.
  var percentDecoded: String? {
    let decoded = PercentCoding.decode(self)
    return decoded.isValid ? String(validating: decoded.bytes, as: UTF8.self) : nil
  }
}
