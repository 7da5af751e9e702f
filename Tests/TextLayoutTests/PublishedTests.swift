internal import Glibc

/// A line of a Unicode break test: code points, with the breaks between them.
struct PublishedTest {
  var text: [UInt8] = []
  /// Offsets of the breaks in bytes, including the end of the text.
  var breaks: [Int] = []
  var line: String
}

/// Returns the tests in a file of Debian's `unicode-data`; `nil` if the file does not exist.
func publishedTests(_ name: String) -> [PublishedTest]? {
  guard let content = readFile("/usr/share/unicode/auxiliary/\(name)") else { return nil }
  return content.split(separator: UInt8(ascii: "\n")).compactMap { bytes in
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    var test = PublishedTest(line: line)
    for token in line.split(whereSeparator: { " \t".contains($0) }) {
      if token == "÷" {
        test.breaks.append(test.text.count)
      } else if token != "×" {
        test.text += Array(String(Unicode.Scalar(UInt32(token, radix: 16)!)!).utf8)
      }
    }
    return test.text.isEmpty ? nil : test
  }
}

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
