internal import ArgumentParser
internal import ClientCore

/// How people name an author: `@handle`, a number, or `source:native-id`.
enum AuthorArgument {
  static let help = ArgumentHelp("An author: @handle, number, or source:native-id.", valueName: "author")

  /// What the daemon is asked for; nothing where nobody is named.
  static func reference(_ text: String) -> String { text.isEmpty ? text : AuthorReference.completed(text) }

  /// Refuses what cannot name anybody.
  static func check(_ text: String) throws {
    guard !text.isEmpty, text != "@", text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw ValidationError("'\(text)' does not name an author: @handle, a number or source:native-id does")
    }
  }
}
