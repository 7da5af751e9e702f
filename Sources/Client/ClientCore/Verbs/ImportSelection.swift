/// The meaning of the arguments of `import`.
public enum ImportSelection {
  /// The formats that the daemon reads, with summaries for the help text.
  public static let formats: [(name: String, summary: String)] = [
    ("auto", "detect the format"),
    ("twitter-archive", "tweets.js and account.js of a Twitter or X archive"),
    ("twitter-v1", "statuses from the Twitter API v1.1"),
    ("mastodon-archive", "outbox.json and actor.json of a Mastodon archive"),
    ("mastodon-json", "statuses from the Mastodon API"),
    ("plist", "a property list of statuses, XML or binary"),
    ("jsonl", "JSON Lines, as written by `export`"),
  ]

  /// The formats as lines of the help text, indented by two.
  public static var formatTable: String {
    formats.map { "  \($0.name)\(String(repeating: " ", count: 18 - $0.name.count))\($0.summary)" }.joined(
      separator: "\n")
  }

  /// Splits `words` into a format and files. A first word that names a format is the format, unless it is the only one:
  /// the last word is always a file. Otherwise the format is `auto`.
  public static func split(_ words: [String]) -> (format: String, files: [String]) {
    guard words.count > 1, let first = words.first, formats.contains(where: { $0.name == first }) else {
      return ("auto", words)
    }
    return (first, Array(words.dropFirst()))
  }

  /// Returns the files of an archive's directory that hold posts, after the file that names their author; empty if there
  /// are none.
  ///
  /// Names are relative paths. Twitter archives keep the files in `data/`, and large ones are split into parts.
  public static func archiveFiles(among names: [String]) -> [String] {
    let present = Set(names)
    for prefix in ["", "data/"] {
      let parts = names.filter { isTweets($0, prefix) }.sorted { partNumber($0) < partNumber($1) }
      if !parts.isEmpty { return (present.contains(prefix + "account.js") ? [prefix + "account.js"] : []) + parts }
    }
    guard present.contains("outbox.json") else { return [] }
    return (present.contains("actor.json") ? ["actor.json"] : []) + ["outbox.json"]
  }

  private static func isTweets(_ name: String, _ prefix: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(".js") else { return false }
    let stem = name.dropFirst(prefix.count).dropLast(3)
    if stem == "tweets" || stem == "tweet" { return true }
    for head in ["tweets-part", "tweet-part"] where stem.hasPrefix(head) {
      return !stem.dropFirst(head.count).isEmpty && stem.dropFirst(head.count).utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }
    return false
  }

  /// Returns the number in `tweets-part12.js`; 0 for the first file, which has none.
  private static func partNumber(_ name: String) -> Int {
    Int(String(name.dropLast(3).reversed().prefix { $0.isNumber }.reversed())) ?? 0
  }
}
