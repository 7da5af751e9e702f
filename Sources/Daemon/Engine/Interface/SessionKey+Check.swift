internal import Posts
internal import ViewState

extension SessionKey {
  /// Refuses what no session may be called: more than ``NameLimits/sessionBytes`` bytes, ill-formed UTF-8 (read as
  /// U+FFFD), or what ``SafeText`` would change, since names are shown. Empty is fine: it means "main". O(n).
  ///
  /// - Parameter field: where the request has the name.
  public static func check(_ name: String, field: String) throws(EngineError) {
    let isShort = name.utf8.count <= SharedLimits.sessionNameBytes
    guard isShort, SafeText(line: name).utf8.elementsEqual(name.utf8), !name.unicodeScalars.contains("\u{FFFD}") else {
      throw EngineError(
        .invalidArgument,
        "\(field): a session's name has at most \(SharedLimits.sessionNameBytes) bytes and no control characters",
        field: field, limit: isShort ? nil : SharedLimits.sessionNameBytes)
    }
  }
}
