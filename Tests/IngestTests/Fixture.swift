internal import Glibc
import Ingest
import Posts

/// The files in Tests/Fixtures.
enum Fixture {
  /// The folder, found relative to this file.
  static let folder =
    Array("\(#filePath)".split(separator: "/", omittingEmptySubsequences: false).dropLast(2)).joined(separator: "/")
    + "/Fixtures"

  /// Returns the bytes of a file.
  static func bytes(_ path: String) -> [UInt8] {
    guard let file = unsafe fopen("\(folder)/\(path)", "rb") else { fatalError("no fixture \(path)") }
    defer { unsafe fclose(file) }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return content }
      content += buffer[..<count]
    }
  }

  /// Returns every file below `folder`, sorted, without licenses and screenshots.
  static func all(in folder: String = "") -> [String] {
    guard let directory = unsafe opendir("\(Self.folder)/\(folder)") else { fatalError("no folder \(folder)") }
    defer { unsafe closedir(directory) }
    var paths: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name.hasPrefix(".") || name == "licenses" || name == "screens" { continue }
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      if unsafe entry.pointee.d_type == UInt8(DT_DIR) {
        paths += all(in: path)
      } else if !folder.isEmpty {
        paths.append(path)
      }
    }
    return paths.sorted()
  }
}

/// The results of importing one or more files.
struct Imported: Equatable {
  var posts: [ImportedPost] = []
  var skippedCount = 0
  var skipped: [SkippedItem] = []
  var owners: [ImportedAuthor] = []
  var refusals: [String] = []

  mutating func add(_ batch: ImportBatch) {
    posts += batch.posts
    skippedCount += batch.skippedCount
    skipped += batch.skipped
    if let owner = batch.owner { owners.append(owner) }
  }

  var reasons: [String] { skipped.map(\.reason) }
}

extension Importer {
  /// Reads one file in pieces that end at `cuts`.
  func read(_ bytes: [UInt8], name: String, cuts: [Int] = [], into result: inout Imported) {
    let before = result
    begin(file: name)
    do {
      var start = 0
      for end in cuts + [bytes.count] {
        result.add(try receive(Array(bytes[start..<end])))
        start = end
      }
      result.add(try endFile())
    } catch {
      // A refused file has yielded no posts; the damage reported before depends on the cuts.
      if result.posts == before.posts { result = before }
      result.refusals.append("\(error)")
    }
  }
}

/// Imports files one after the other in one import.
func importing(_ files: [(name: String, bytes: [UInt8])], _ options: ImportOptions = ImportOptions(), cuts: [Int] = [])
  -> Imported
{
  let importer = Importer(options: options)
  var result = Imported()
  for file in files { importer.read(file.bytes, name: file.name, cuts: cuts, into: &result) }
  return result
}

/// Imports one file with the text `text`.
func importing(_ text: String, name: String = "file.json", _ options: ImportOptions = ImportOptions()) -> Imported {
  importing([(name, Array(text.utf8))], options)
}
