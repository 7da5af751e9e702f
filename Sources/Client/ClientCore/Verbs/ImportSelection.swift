/// What the words after `import` mean.
public enum ImportSelection {
  /// The formats the daemon reads, with what each is, for the help text.
  public static let formats: [(name: String, summary: String)] = [
    ("auto", "found out from what the file holds"),
    ("twitter-archive", "tweets.js and account.js of an archive from Twitter or X"),
    ("twitter-v1", "statuses as the Twitter API v1.1 answers them"),
    ("mastodon-archive", "outbox.json and actor.json of an archive from Mastodon"),
    ("mastodon-json", "statuses as the Mastodon API answers them"),
    ("plist", "a property list of statuses, XML or binary"),
    ("jsonl", "JSON Lines, as `export` writes them"),
  ]

  /// The formats as lines for the help text, indented by two.
  public static var formatTable: String {
    formats.map { "  \($0.name)\(String(repeating: " ", count: 18 - $0.name.count))\($0.summary)" }.joined(
      separator: "\n")
  }

  /// Splits `words` into a format and files: a first word that is a format's name is the format (a file of that name is
  /// written `./jsonl`), otherwise the format is `auto`.
  public static func split(_ words: [String]) -> (format: String, files: [String]) {
    guard let first = words.first, formats.contains(where: { $0.name == first }) else { return ("auto", words) }
    return (first, Array(words.dropFirst()))
  }

  /// The files of an archive's directory that hold posts, those that say who wrote them first; empty where there are
  /// none.
  ///
  /// Names are relative paths. Twitter's archives have theirs in `data/` (ingest.md, 1) and large ones are in parts.
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

  /// The number in `tweets-part12.js`; 0 for the first file, which has none.
  private static func partNumber(_ name: String) -> Int {
    Int(String(name.dropLast(3).reversed().prefix { $0.isNumber }.reversed())) ?? 0
  }
}
