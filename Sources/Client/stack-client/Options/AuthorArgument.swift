internal import ArgumentParser
internal import ClientCore
internal import Messages

/// An argument that names an author: `@handle`, an ID, or `source:native-id`.
enum AuthorArgument {
  static let help = ArgumentHelp("An author: @handle, ID, or source:native-id.", valueName: "author")

  /// Returns the reference to send to the daemon; empty if no author is named.
  static func reference(_ text: String) -> String { text.isEmpty ? text : AuthorReference.completed(text) }

  /// Refuses a text that cannot name an author.
  static func check(_ text: String) throws {
    guard !text.isEmpty, text != "@", text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw ValidationError("'\(text)' is not an author: give @handle, an ID or source:native-id")
    }
  }
}

/// A verb that acts on one author. Each declares its own arguments: see `MarkingVerb`.
protocol AuthorVerb: ParsableCommand {
  var author: String { get }
  var options: CommonOptions { get }
}

extension AuthorVerb {
  func validate() throws { try AuthorArgument.check(author) }

  /// The request that names the author.
  var request: AuthorRequest { AuthorRequest(author: AuthorArgument.reference(author)) }
}
