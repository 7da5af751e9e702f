internal import Engine
internal import Posts

/// What a list may be called, beyond what the store asks for.
enum ListNames {
  /// The name that somebody wants for a list, made harmless.
  ///
  /// - Throws: INVALID_ARGUMENT for a name of which nothing would be seen, and for one that is a number: those name
  ///   lists already.
  static func checked(_ wanted: String) throws(EngineError) -> SafeText {
    let name = SafeText(line: wanted)
    guard name.hasVisibleCharacter else {
      throw EngineError(.invalidArgument, "a name may not be empty", field: "name")
    }
    guard !isNumber(wanted) else {
      throw EngineError(
        .invalidArgument, "\(wanted.shortened) is a number, and numbers name lists already: put a letter to it",
        field: "name")
    }
    return name
  }

  /// Whether a reference is a list's number: digits alone.
  static func isNumber(_ reference: String) -> Bool {
    !reference.isEmpty && reference.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
