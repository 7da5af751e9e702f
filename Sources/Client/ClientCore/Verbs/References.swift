/// How people name a post: its number, or `source:native-id`.
public enum PostReference {
  /// Whether `text` can name a post at all; whether there is such a one the daemon knows.
  public static func isPlausible(_ text: String) -> Bool {
    if number(text) != nil { return true }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  /// The number that `text` is, or nil.
  public static func number(_ text: String) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = UInt64(text), number > 0 else {
      return nil
    }
    return number
  }
}

/// How people name an author: `@handle`, a number, or `source:native-id`.
public enum AuthorReference {
  /// What the daemon is asked for: a bare handle is one, too, because `@` is the first thing to be forgotten.
  public static func completed(_ text: String) -> String {
    text.hasPrefix("@") || PostReference.isPlausible(text) ? text : "@\(text)"
  }
}
