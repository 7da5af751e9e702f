internal import Engine
internal import Posts

/// What a list may be called, beyond what the store asks for.
enum ListNames {
  /// The name that somebody wants for a list, made harmless.
  ///
  /// - Throws: INVALID_ARGUMENT for a name of which nothing would be seen.
  static func checked(_ wanted: String) throws(EngineError) -> SafeText {
    let name = SafeText(line: wanted)
    guard name.hasVisibleCharacter else {
      throw EngineError(.invalidArgument, "a name may not be empty", field: "name")
    }
    return name
  }
}
