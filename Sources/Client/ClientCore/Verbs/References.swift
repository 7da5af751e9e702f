public import Messages

/// A reference to a post: its ID, or `source:native-id`.
public enum PostReference {
  /// Returns true if `text` has the form of a reference; only the daemon knows whether the post exists.
  public static func isPlausible(_ text: String) -> Bool {
    if number(text) != nil { return true }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  /// Returns the ID that `text` is, or nil.
  public static func number(_ text: String) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = UInt64(text), number > 0 else {
      return nil
    }
    return number
  }
}

/// A reference to an author: `@handle`, an ID, or `source:native-id`.
public enum AuthorReference {
  /// Returns the reference to send to the daemon. A bare handle is accepted, since `@` is easily forgotten.
  public static func completed(_ text: String) -> String {
    text.hasPrefix("@") || PostReference.isPlausible(text) ? text : "@\(text)"
  }
}

/// A reference to a feed: its ID (`f7` or `7`), address or title.
public enum FeedReference {
  /// Returns the number in an ID; nil for anything else.
  public static func number(in text: String) -> UInt64? {
    UInt64(text.hasPrefix("f") ? text.dropFirst() : text[...])
  }

  /// Returns the feed among those that the account follows; nil for none.
  ///
  /// - Throws: a usage error if several have the title.
  public static func find(_ text: String, in feeds: [SourceSummary]) throws(ClientFailure) -> SourceSummary? {
    let number = number(in: text)
    if let feed = feeds.first(where: { $0.feedID == number || $0.url == text }) { return feed }
    let named = feeds.filter { $0.title.lowercased() == text.lowercased() }
    guard named.count <= 1 else {
      let ids = named.map { "f\($0.feedID)" }.joined(separator: ", ")
      throw ClientFailure(.usage, "several feeds are called '\(text)': \(ids)", hint: "give an ID")
    }
    return named.first
  }
}
