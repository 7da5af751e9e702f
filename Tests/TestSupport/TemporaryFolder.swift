import Glibc

/// A folder of mode 0700 for one test, removed with its files when it is released.
public final class TemporaryFolder {
  public let path: String

  /// Creates the folder.
  public init() {
    var template = Array("/tmp/stack-test-XXXXXX".utf8CString)
    unsafe template.withUnsafeMutableBufferPointer { unsafe precondition(mkdtemp($0.baseAddress!) != nil) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unsafe unlink(file(name)) }
    unsafe rmdir(path)
  }

  /// Returns the path of a file in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file.
  public func write(_ bytes: [UInt8], to name: String) {
    let file = unsafe fopen(file(name), "w")!
    unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
  }

  /// Returns the bytes of a file; empty if it does not exist.
  public func read(_ name: String) -> [UInt8] {
    guard let file = unsafe fopen(file(name), "r") else { return [] }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
    }
  }

  /// The names in the folder, unordered.
  public var names: [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
