internal import ArgumentParser
internal import ClientCore
internal import UV

/// The text of a post: from arguments, standard input or an editor.
struct TextArguments: ParsableArguments {
  /// The limit of the daemon (timeline_service.proto).
  static let maximumBytes = 10_000

  @Argument(
    help: ArgumentHelp(
      "The text; several words form one text. With - or no text, standard input is read.", valueName: "text"))
  var words: [String] = []

  @Flag(help: "Write the text in $VISUAL or $EDITOR.")
  var editor = false

  func validate() throws {
    if editor && !words.isEmpty { throw ValidationError("--editor cannot be combined with a text") }
  }

  /// Returns the text, or `beginning` if none was given. An editor starts with the text of `present`.
  func write(on loop: Loop, beginning: String? = nil, present: () throws -> String = { "" }) throws
    -> WrittenText
  {
    if editor {
      let file = try EditorFile.edit(try present(), on: loop)
      return WrittenText(text: try file.finish(status: 0, keepsFile: true), file: file)
    }
    if let beginning, words.isEmpty { return WrittenText(text: beginning) }
    if words.isEmpty && Descriptor.standardInput.isTerminal {
      throw ClientFailure(
        .usage, "there is nothing to post",
        hint: "give the text, - to type it (end with Ctrl-D), or --editor")
    }
    return WrittenText(text: try WordsOrInput.text(words, limitBytes: Self.maximumBytes))
  }
}

/// A text, and its file if it was written in an editor.
struct WrittenText {
  var text: String
  var file: EditorFile?

  /// Calls `body` with the text. If it fails, a text from an editor is kept in its file, and the failure names the file.
  func send<Answer>(_ body: (String) throws -> Answer) throws -> Answer {
    do {
      guard text.utf8.count <= TextArguments.maximumBytes else {
        throw ClientFailure(
          .failure, "the text is longer than \(TextArguments.maximumBytes) bytes",
          hint: "shorten it, or write two posts"
        )
      }
      guard !text.allSatisfy(\.isWhitespace) else { throw ClientFailure(.usage, "the post is empty") }
      let answer = try body(text)
      file?.remove()
      return answer
    } catch let failure as ClientFailure {
      guard let file else { throw failure }
      guard !text.allSatisfy(\.isWhitespace) else {
        file.remove()
        throw failure
      }
      throw ClientFailure(failure.exitCode, failure.message, hint: "your text is in \(file.path)")
    }
  }
}
