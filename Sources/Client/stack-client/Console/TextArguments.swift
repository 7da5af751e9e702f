internal import ArgumentParser
internal import ClientCore
internal import UV

/// What a post is to say: in words, from standard input or from an editor.
struct TextArguments: ParsableArguments {
  /// What the daemon takes (timeline_service.proto).
  static let maximumBytes = 10_000

  @Argument(
    help: ArgumentHelp(
      "The text; several words are one text. - reads standard input, and so does no text.", valueName: "text"))
  var words: [String] = []

  @Flag(help: "Write it in $VISUAL or $EDITOR.")
  var editor = false

  func validate() throws {
    if editor && !words.isEmpty { throw ValidationError("--editor and a text exclude each other") }
  }

  /// The text that was given, or `beginning` where none was; `present` is what an editor begins with.
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
        hint: "give the text, or - to type it, ended by Ctrl-D, or --editor to write it there")
    }
    return WrittenText(text: try WordsOrInput.text(words, limitBytes: Self.maximumBytes))
  }
}

/// A text, and the file in which an editor wrote it.
struct WrittenText {
  var text: String
  var file: EditorFile?

  /// Has `body` do with the text what it was written for. Where that fails, what an editor wrote stays in its file, and
  /// the failure says where.
  func send<Answer>(_ body: (String) throws -> Answer) throws -> Answer {
    do {
      guard text.utf8.count <= TextArguments.maximumBytes else {
        throw ClientFailure(
          .failure, "the text is longer than \(TextArguments.maximumBytes) bytes", hint: "make it shorter, or two posts"
        )
      }
      guard !text.allSatisfy(\.isWhitespace) else { throw ClientFailure(.usage, "the text is empty") }
      let answer = try body(text)
      file?.remove()
      return answer
    } catch let failure as ClientFailure {
      guard let file else { throw failure }
      guard !text.allSatisfy(\.isWhitespace) else {
        file.remove()
        throw failure
      }
      throw ClientFailure(failure.exitCode, failure.message, hint: "what was written is in \(file.path)")
    }
  }
}
