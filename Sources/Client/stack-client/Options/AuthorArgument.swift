internal import ArgumentParser
internal import ClientCore

/// How people name an author: `@handle`, a number, or `source:native-id`.
enum AuthorArgument {
  static let help = ArgumentHelp("An author: @handle, number, or source:native-id.", valueName: "author")

  /// What the daemon is asked for: a bare handle is one, too, because `@` is the first thing to be forgotten.
  static func reference(_ text: String) -> String {
    text.isEmpty || text.hasPrefix("@") || PostReference.isPlausible(text) ? text : "@" + text
  }

  /// Refuses what cannot name anybody.
  static func check(_ text: String) throws {
    guard !text.isEmpty, text != "@", text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw ValidationError("'\(text)' does not name an author: @handle, a number or source:native-id does")
    }
  }
}
