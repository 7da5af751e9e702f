internal import ArgumentParser
internal import ClientCore
internal import UV

/// What a post is to say: in words, from standard input or from an editor.
struct TextArguments: ParsableArguments {
  /// What the daemon takes (timeline_service.proto).
  static let maximumBytes = 10_000

  @Argument(
    help: ArgumentHelp("The text; several words are one text. - reads standard input, and so does no text.", valueName: "text"))
  var words: [String] = []

  @Flag(help: "Write it in $VISUAL or $EDITOR.")
  var editor = false

  func validate() throws {
    if editor && !words.isEmpty { throw ValidationError("--editor and a text exclude each other") }
  }

  /// The text; `present` is what an editor begins with.
  func text(_ context: ClientContext, present: () throws -> String = { "" }) throws -> String {
    let text: String
    if editor {
      text = try EditorFile.edit(try present(), context)
    } else {
      if words.isEmpty && Descriptor.standardInput.isTerminal {
        throw ClientFailure(
          .usage, "there is nothing to post", hint: "give the text, or - to type it, ended by Ctrl-D, or --editor to write it there")
      }
      text = try WordsOrInput.text(words, limitBytes: Self.maximumBytes)
    }
    guard text.utf8.count <= Self.maximumBytes else {
      throw ClientFailure(.failure, "the text is longer than \(Self.maximumBytes) bytes", hint: "make it shorter, or two posts")
    }
    guard !text.allSatisfy(\.isWhitespace) else { throw ClientFailure(.usage, "the text is empty") }
    return text
  }
}
