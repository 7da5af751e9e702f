import Glibc
import Testing

/// Compares pictures with text files in Tests/Fixtures/screens. With `STACK_WRITE_SCREENS` set, the files are written
/// instead.
enum Golden {
  private static let root = "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
  static let folder = root + "/Tests/Fixtures/screens"

  static func expect(_ text: String, is name: String, _ location: SourceLocation = #_sourceLocation) {
    let path = "\(folder)/\(name).txt"
    if unsafe getenv("STACK_WRITE_SCREENS") != nil { return write(text, path) }
    #expect(
      text == read(path),
      "\(name).txt; to accept the new picture: STACK_WRITE_SCREENS=1 swift test --filter FullScreenTests",
      sourceLocation: location)
  }

  /// Returns a file of this checkout; empty if there is none.
  static func file(_ path: String) -> String { read("\(root)/\(path)") }

  private static func read(_ path: String) -> String {
    guard let file = unsafe fopen(path, "rb") else { return "" }
    defer { unsafe fclose(file) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { return String(decoding: content, as: UTF8.self) }
      content += chunk[..<count]
    }
  }

  private static func write(_ text: String, _ path: String) {
    guard let file = unsafe fopen(path, "wb") else {
      Issue.record("\(path) cannot be written")
      return
    }
    let bytes = Array(text.utf8)
    _ = unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
  }
}
