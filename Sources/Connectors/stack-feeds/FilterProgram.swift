internal import Feeds
internal import UV

/// Turns lists of subscriptions, and what other readers know, into lines, and back.
enum FilterProgram {
  /// Reads standard input to its end and writes the result. Returns the exit status.
  static func run(_ options: Options) -> Int32 {
    do {
      if case .readNewsboat(let file) = options.mode {
        try Process.write(String(decoding: NewsboatCache.readItems(in: file), as: UTF8.self), to: .output)
        return 0
      }
      // Not by a path: standard input may be a socket, which cannot be opened.
      let input = try Descriptor.standardInput.readAll(limit: SubscriptionLines.documentBytes)
      if case .writeOPML = options.mode {
        try Process.write(String(decoding: SubscriptionLines.write(input), as: UTF8.self), to: .output)
        return 0
      }
      let (lines, refused) = try SubscriptionLines.read(input)
      for sentence in refused { complain(sentence) }
      try Process.write(String(decoding: lines, as: UTF8.self), to: .output)
      return 0
    } catch let error as SubscriptionLines.Unreadable {
      complain(error.reason)
      return 65
    } catch let error as NewsboatCache.Unreadable {
      complain(error.reason)
      return 65
    } catch {
      complain("\(error)")
      return 74
    }
  }

  private static func complain(_ message: String) { try? Process.write("stack-feeds: \(message)\n", to: .error) }
}
