/// What an import is told its files are.
public enum ImportFormat: String, CaseIterable, Sendable {
  /// Decided by each file's bytes and each item's shape.
  case auto
  /// `account.js` and `tweets.js` out of a Twitter archive.
  case twitterArchive = "twitter-archive"
  /// Answers and streams of the Twitter API v1.1.
  case twitterV1 = "twitter-v1"
  /// `actor.json` and `outbox.json` out of a Mastodon account archive.
  case mastodonArchive = "mastodon-archive"
  /// Answers and event streams of a Mastodon server.
  case mastodonJSON = "mastodon-json"
  /// A property list of tweets, XML or binary.
  case propertyList = "plist"
  /// Stack's own format, docs/JSONLINES.md.
  case jsonLines = "jsonl"

  /// Whether items of `kind` belong to this format.
  func accepts(_ kind: ElementKind) -> Bool {
    switch (self, kind) {
    case (.auto, _), (_, .ignored), (_, .foreign): true
    case (.twitterArchive, .tweet), (.twitterArchive, .account), (.twitterArchive, .profile): true
    case (.twitterV1, .tweet), (.propertyList, .tweet): true
    case (.mastodonArchive, .activity), (.mastodonArchive, .note), (.mastodonArchive, .actor): true
    case (.mastodonJSON, .status), (.mastodonJSON, .carrier): true
    case (.jsonLines, .post), (.jsonLines, .gap): true
    default: false
    }
  }
}
