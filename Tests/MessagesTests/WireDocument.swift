internal import Glibc
import Testing

/// The examples in docs/PROTOCOL.md: fenced blocks that begin with "```hex MESSAGE NAME".
struct WireDocument {
  /// One block, with the message type of its bytes.
  struct Example {
    let message: String
    let bytes: [UInt8]
  }

  /// The examples by name.
  let examples: [String: Example]

  /// Reads the document of this checkout.
  init() throws {
    let root = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
    let text = String(decoding: Self.read("/\(root)/docs/PROTOCOL.md"), as: UTF8.self)
    var examples: [String: Example] = [:]
    var open: (message: String, name: String, bytes: [UInt8])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split(separator: " ")
      if words.first == "```hex" {
        try #require(words.count == 3, "a block of bytes names its message and itself: \(line)")
        open = (String(words[1]), String(words[2]), [])
      } else if line == "```", let block = open {
        try #require(examples[block.name] == nil, "two examples are called \(block.name)")
        examples[block.name] = Example(message: block.message, bytes: block.bytes)
        open = nil
      } else if open != nil {
        for word in words.prefix(while: { !$0.hasPrefix("#") }) {
          let byte = word.utf8.count == 2 ? UInt8(word, radix: 16) : nil
          open!.bytes.append(try #require(byte, "\(word) is not a byte: \(line)"))
        }
      }
    }
    self.examples = examples
  }

  /// Returns the bytes of an example, which must be of the message type.
  func bytes(_ name: String, of message: String) throws -> [UInt8] {
    let example = try #require(examples[name], "docs/PROTOCOL.md has no example \(name)")
    #expect(example.message == message)
    return example.bytes
  }

  private static func read(_ path: String) -> [UInt8] {
    guard let file = unsafe fopen(path, "rb") else {
      Issue.record("\(path) cannot be read")
      return []
    }
    defer { unsafe fclose(file) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { return content }
      content += chunk[..<count]
    }
  }
}
