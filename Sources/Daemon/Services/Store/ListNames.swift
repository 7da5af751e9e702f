internal import Engine
internal import Posts

/// Rules for names of lists, in addition to the store's.
enum ListNames {
  /// Returns the requested name in a safe form.
  ///
  /// - Throws: INVALID_ARGUMENT for a name without visible characters, and for a name of digits only, since list IDs
  ///   are such.
  static func checked(_ requested: String) throws(EngineError) -> SafeText {
    let name = SafeText(line: requested)
    guard name.hasVisibleCharacter else {
      throw EngineError(.invalidArgument, "a name may not be empty", field: "name")
    }
    guard !isNumber(requested) else {
      throw EngineError(.invalidArgument, "a list name may not be only digits", field: "name")
    }
    return name
  }

  /// Returns true if a reference is a list ID: digits only.
  static func isNumber(_ reference: String) -> Bool {
    !reference.isEmpty && reference.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
