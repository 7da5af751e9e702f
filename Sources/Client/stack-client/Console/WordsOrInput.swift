internal import ClientCore
internal import UV

/// A text from the command line, or from standard input if the command line has none or "-".
enum WordsOrInput {
  /// Returns the words as one text, or standard input without trailing line feeds. Reading stops somewhat above
  /// `limitBytes`.
  static func text(_ words: [String], limitBytes: Int) throws(ClientFailure) -> String {
    guard words.isEmpty || words == ["-"] else { return words.joined(separator: " ") }
    var bytes: [UInt8] = []
    while bytes.count <= limitBytes + 64 {
      do throws(UVError) {
        let more = try Descriptor.standardInput.read(limit: 65536)
        if more.isEmpty { break }
        bytes += more
      } catch .interrupted {
        continue
      } catch {
        throw ClientFailure(.failure, "cannot read standard input: \(error)")
      }
    }
    while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
