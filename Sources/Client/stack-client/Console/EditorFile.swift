internal import ClientCore
internal import UV

/// A private temporary file with a text to edit in `$VISUAL` or `$EDITOR`.
struct EditorFile {
  /// The most bytes read from an editor.
  private static let byteLimit = 1 << 16

  let path: String
  private let contents: [UInt8]

  /// Writes `text` to a new file.
  init(_ text: String) throws {
    path = try TemporaryFile.path("stack-post", "txt")
    contents = Array((text.isEmpty ? "" : text + "\n").utf8)
    try FileSystem.create(path, mode: 0o600, contents: contents)
  }

  /// The user's editor.
  static var command: String {
    ["VISUAL", "EDITOR"].lazy.compactMap { UV.Process.environment($0) }.first { !$0.isEmpty } ?? "vi"
  }

  /// The arguments that open the file in the editor. A command with quotes or other signs of the shell is run by it, as
  /// git does.
  var arguments: [String] {
    let command = Self.command
    guard command.contains(where: { "|&;<>()$`\\\"'*?[#~=%".contains($0) }) else {
      return command.split(separator: " ").map(String.init) + [path]
    }
    return ["sh", "-c", command + " \"$@\"", command, path]
  }

  /// Deletes the file.
  func remove() { try? FileSystem.remove(path) }

  /// Returns the edited text after the editor has exited with `status`. If the editor failed but changed the file, the
  /// file is kept and the failure names it; otherwise it is deleted. With `keepsFile` it is always kept.
  func finish(status: Int32, keepsFile: Bool = false) throws(ClientFailure) -> String {
    let bytes: [UInt8]
    do throws(UVError) {
      bytes = try FileSystem.read(path, limit: Self.byteLimit)
    } catch {
      throw ClientFailure(.failure, "cannot read the text from \(Self.command): \(error)", hint: "it is in \(path)")
    }
    guard status == 0 else {
      let message = "the editor, \(Self.command), exited with status \(status)"
      guard bytes != contents else {
        remove()
        throw ClientFailure(.failure, "\(message); the text is unchanged")
      }
      throw ClientFailure(.failure, message, hint: "your text is in \(path)")
    }
    if !keepsFile { remove() }
    var text = bytes[...]
    while text.last == 0x0A || text.last == 0x0D { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  /// Runs the user's editor on a new file with `text`, and returns the file. The editor has the terminal meanwhile.
  static func edit(_ text: String, on loop: Loop) throws(ClientFailure) -> EditorFile {
    guard Descriptor.standardInput.isTerminal else {
      throw ClientFailure(
        .usage, "--editor needs a terminal", hint: "give the text, or - to read it from standard input")
    }
    let file: EditorFile
    do {
      file = try EditorFile(text)
    } catch {
      throw ClientFailure(.failure, "cannot write the text to a file: \(error)")
    }
    var status: Int32?
    do throws(UVError) {
      // While the editor has the terminal, Ctrl-C is for the editor.
      let interrupt = try UV.Signal(loop: loop, .interrupt) {}
      defer { interrupt.close() }
      let editor = try ForegroundProcess(loop: loop, arguments: file.arguments) { status = $0 }
      defer { editor.close() }
      while status == nil { loop.run(.once) }
    } catch {
      file.remove()
      throw ClientFailure(.failure, "cannot start \(command): \(error)", hint: "set $EDITOR to another editor")
    }
    _ = try file.finish(status: status ?? 1, keepsFile: true)
    return file
  }
}
