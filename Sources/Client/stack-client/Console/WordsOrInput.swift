internal import ClientCore
internal import UV

/// A text from the command line, or from standard input where the command line has none or "-".
enum WordsOrInput {
  /// The words as one text, or all of standard input without its last line feeds; somewhat more than `limitBytes` where
  /// there is more.
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
        throw ClientFailure(.failure, "standard input cannot be read: \(error)")
      }
    }
    while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
