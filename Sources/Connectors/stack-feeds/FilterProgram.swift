internal import Feeds
internal import UV

/// Turns lists of subscriptions into lines, and back.
enum FilterProgram {
  /// Reads standard input to its end and writes the result. Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do {
      let input = try readInput()
      if options.mode == .writeOPML {
        try Process.write(String(decoding: SubscriptionLines.write(input), as: UTF8.self), to: .output)
        return 0
      }
      let (lines, refused) = try SubscriptionLines.read(input)
      for address in refused { complain("not an http(s) address: '\(address)'; left out") }
      try Process.write(String(decoding: lines, as: UTF8.self), to: .output)
      return 0
    } catch let error as SubscriptionLines.Unreadable {
      complain(error.reason)
      return 65
    } catch {
      complain("\(error)")
      return 74
    }
  }

  /// Reads standard input to its end. It may be a socket, which cannot be opened by a path.
  private static func readInput() throws -> [UInt8] {
    var document: [UInt8] = []
    while true {
      let bytes = try Descriptor.standardInput.read(limit: 64 << 10)
      guard !bytes.isEmpty else { return document }
      document += bytes
      guard document.count <= SubscriptionLines.documentBytes else {
        throw SubscriptionLines.Unreadable(reason: "it is longer than \(SubscriptionLines.documentBytes >> 20) MiB")
      }
    }
  }

  private static func complain(_ message: String) { try? Process.write("stack-feeds: \(message)\n", to: .error) }
}
