import Glibc

/// A folder of mode 0700 for one test, removed with the files in it when the test lets go of it.
public final class TemporaryFolder {
  public let path: String

  /// Makes it.
  public init() {
    var template = Array("/tmp/stack-test-XXXXXX".utf8CString)
    unsafe template.withUnsafeMutableBufferPointer { unsafe precondition(mkdtemp($0.baseAddress!) != nil) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unsafe unlink(file(name)) }
    unsafe rmdir(path)
  }

  /// The path of a file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file with these bytes.
  public func write(_ bytes: [UInt8], to name: String) {
    let file = unsafe fopen(file(name), "w")!
    unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
  }

  /// The bytes of a file; none if there is no such file.
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

  private var names: [String] {
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
