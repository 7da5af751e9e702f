import Dates
internal import Glibc
import Testing

/// Returns a zone of the system's tzdata; fails the test with instructions if tzdata is not installed.
func zone(_ name: String, from folder: String = "") throws -> Zone {
  let bytes = try #require(readFile("/usr/share/zoneinfo/\(folder)\(name)"), "install Debian's package tzdata")
  return try Zone(tzif: bytes)
}

/// Returns an instant given as ISO 8601.
func instant(_ text: String) -> Instant { Instant(iso8601: Array(text.utf8))! }

/// Returns the bytes of a file; `nil` if it cannot be opened.
func readFile(_ path: String) -> [UInt8]? {
  guard let file = unsafe fopen(path, "rb") else { return nil }
  defer { unsafe fclose(file) }
  var content: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe fread(&chunk, 1, chunk.count, file)
    guard count > 0 else { return content }
    content += chunk[..<count]
  }
}
