internal import Posts
internal import ViewState

extension SessionKey {
  /// Rejects invalid session names: those of more than ``SharedLimits/sessionNameBytes`` bytes, ill-formed UTF-8 (read
  /// as U+FFFD), and, since names are displayed, text that ``SafeText`` would change. An empty name is valid and means
  /// "main". O(n).
  ///
  /// - Parameter field: the path of the name in the request.
  public static func check(_ name: String, field: String) throws(EngineError) {
    let isShort = name.utf8.count <= SharedLimits.sessionNameBytes
    guard isShort, SafeText(line: name).utf8.elementsEqual(name.utf8), !name.unicodeScalars.contains("\u{FFFD}") else {
      throw EngineError(
        .invalidArgument,
        "\(field): a session name may have at most \(SharedLimits.sessionNameBytes) bytes and no control characters",
        field: field, limit: isShort ? nil : SharedLimits.sessionNameBytes)
    }
  }
}
