internal import ClientCore
internal import UV

/// A text in a file of its own, which only its person may read, for `$VISUAL` or `$EDITOR`.
struct EditorFile {
  /// Most bytes that are taken from an editor.
  private static let byteLimit = 1 << 16

  let path: String
  private let contents: [UInt8]

  /// Writes `text` to a new file.
  init(_ text: String) throws {
    path = try TemporaryFile.path("stack-post", "txt")
    contents = Array((text.isEmpty ? "" : text + "\n").utf8)
    try FileSystem.create(path, mode: 0o600, contents: contents)
  }

  /// The editor, as the person names it.
  static var command: String {
    ["VISUAL", "EDITOR"].lazy.compactMap { UV.Process.environment($0) }.first { !$0.isEmpty } ?? "vi"
  }

  /// The editor on this file, as words.
  var arguments: [String] { Self.command.split(separator: " ").map(String.init) + [path] }

  /// Takes the file away.
  func remove() { try? FileSystem.remove(path) }

  /// What the editor, which ended with `status`, has made of it. Where that went wrong and something was written, the
  /// file stays and the failure says where it is; else it is gone. With `keepsFile` it stays in any case.
  func finish(status: Int32, keepsFile: Bool = false) throws(ClientFailure) -> String {
    let bytes: [UInt8]
    do throws(UVError) {
      bytes = try FileSystem.read(path, limit: Self.byteLimit)
    } catch {
      throw ClientFailure(.failure, "what \(Self.command) wrote cannot be read: \(error)", hint: "it is in \(path)")
    }
    guard status == 0 else {
      let words = "\(Self.command) ended with status \(status)"
      guard bytes != contents else {
        remove()
        throw ClientFailure(.failure, "\(words); the text is as it was")
      }
      throw ClientFailure(.failure, words, hint: "what was written is in \(path)")
    }
    if !keepsFile { remove() }
    var text = bytes[...]
    while text.last == 0x0A || text.last == 0x0D { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text in a file as the person's editor leaves it, which has the terminal meanwhile.
  static func edit(_ text: String, on loop: Loop) throws(ClientFailure) -> EditorFile {
    guard Descriptor.standardInput.isTerminal else {
      throw ClientFailure(
        .usage, "an editor needs a terminal", hint: "give the text, or - to read it from standard input")
    }
    let file: EditorFile
    do {
      file = try EditorFile(text)
    } catch {
      throw ClientFailure(.failure, "the text cannot be written to a file: \(error)")
    }
    var status: Int32?
    do throws(UVError) {
      // While the editor has the terminal, Ctrl-C is for it.
      let interrupt = try UV.Signal(loop: loop, .interrupt) {}
      defer { interrupt.close() }
      let editor = try ForegroundProcess(loop: loop, arguments: file.arguments) { status = $0 }
      defer { editor.close() }
      while status == nil { loop.run(.once) }
    } catch {
      file.remove()
      throw ClientFailure(.failure, "\(command) cannot be started: \(error)", hint: "$EDITOR names another")
    }
    _ = try file.finish(status: status ?? 1, keepsFile: true)
    return file
  }
}
