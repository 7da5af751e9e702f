/// The format that an import expects of its files.
public enum ImportFormat: String, CaseIterable, Sendable {
  /// Determined by each file's bytes and each item's fields.
  case auto
  /// `account.js` and `tweets.js` from a Twitter archive.
  case twitterArchive = "twitter-archive"
  /// Responses and streams of the Twitter API v1.1.
  case twitterV1 = "twitter-v1"
  /// `actor.json` and `outbox.json` from a Mastodon account archive.
  case mastodonArchive = "mastodon-archive"
  /// Responses and event streams of a Mastodon server.
  case mastodonJSON = "mastodon-json"
  /// A property list of tweets, XML or binary.
  case propertyList = "plist"
  /// Stack's own format, docs/JSONLINES.md.
  case jsonLines = "jsonl"

  /// True if items of `kind` belong to this format.
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
