internal import Glibc
import Ingest

/// A JSON value without its numbers' types: everything that is not a container is a text.
indirect enum JSONTree: Equatable, CustomStringConvertible {
  case text(String)
  case list([JSONTree])
  case object([String: JSONTree])

  init(_ value: JSONValue) {
    if value.isObject {
      var fields: [String: JSONTree] = [:]
      for field in value.fields { fields[field.key.string] = JSONTree(field.value) }
      self = .object(fields)
    } else if value.isArray {
      self = .list(value.elements.map { JSONTree($0) })
    } else {
      self = .text(value.string ?? value.integer.map { String($0) } ?? value.bool.map { String($0) } ?? "null")
    }
  }

  /// Makes an object without empty fields, as Go's `omitempty` does.
  static func fields(_ fields: [(String, JSONTree?)]) -> JSONTree {
    var kept: [String: JSONTree] = [:]
    for case (let name, let value?) in fields where value != .text("") && value != .object([:]) { kept[name] = value }
    return .object(kept)
  }

  var description: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .list(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    case .object(let fields):
      "{\(fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
    }
  }

  /// Removes the fields that are not compared, at any depth.
  func without(_ names: Set<String>) -> JSONTree {
    switch self {
    case .text: self
    case .list(let values): .list(values.map { $0.without(names) })
    case .object(let fields):
      .object(fields.filter { !names.contains($0.key) }.mapValues { $0.without(names) })
    }
  }
}

/// The test cases of gofeed (MIT), which Debian installs with golang-github-mmcdole-gofeed-dev.
enum GofeedCases {
  static let folder = "/usr/share/gocode/src/github.com/mmcdole/gofeed/testdata"

  /// Returns the paths of documents with an expected result beside them, without their endings, sorted.
  static func all(in folder: String) -> [String] {
    guard let directory = unsafe opendir("\(Self.folder)/\(folder)") else { return [] }
    defer { unsafe closedir(directory) }
    var paths: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      let isJSONFeed = folder.hasSuffix("/json") && name.hasSuffix("_expected.json")
      if name.hasSuffix(".xml") { paths.append("\(folder)/\(name.dropLast(4))") }
      if isJSONFeed { paths.append("\(folder)/\(name.dropLast(14))") }
    }
    return paths.sorted()
  }

  /// Returns the bytes of a file below the folder.
  static func bytes(_ path: String) -> [UInt8] {
    guard let file = unsafe fopen("\(folder)/\(path)", "rb") else { return [] }
    defer { unsafe fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return content }
      content += buffer[..<count]
    }
  }

  /// Returns the document of a case.
  static func document(_ path: String) -> [UInt8] { bytes(path + (path.contains("/json/") ? ".json" : ".xml")) }

  /// Returns the expected result of a case.
  static func expected(_ path: String) throws -> JSONTree {
    var text = bytes(path + (path.contains("/json/") ? "_expected.json" : ".json"))
    return try JSONParser().parse(&text) { value, _ in JSONTree(value) }
  }
}
