internal import Dates
internal import Ingest
internal import Posts

/// Who may read a status.
enum ServerVisibility: Equatable {
  case known(Visibility)
  /// Those for whom the server has this word, which is not known here.
  case other(String)

  /// The widest visibility that is surely not wider.
  var narrowed: Visibility {
    switch self {
    case .known(let visibility): visibility
    case .other: .direct
    }
  }

  /// The word, if it is not known here.
  var word: String? { if case .other(let word) = self { word } else { nil } }
}

/// A status as its server describes it, as far as writing has to know.
struct OwnStatus: Equatable {
  /// The server's identifier.
  var id: String
  /// The address that names it, and that of its page.
  var uri: String
  var page: String
  /// When it was written, by the server's clock.
  var created: Instant
  /// The identifier of the status that it replies to.
  var parent: String?
  var visibility: ServerVisibility
  /// The text as it is shown.
  var text: String
  var warning: String
  var isSensitive: Bool
  var language: String
  /// The identifiers of its media.
  var media: [String]
  var hasPoll: Bool

  /// Reads a status that `host` has returned. Nil if it lacks an identifier, author or date.
  init?(_ value: JSONValue, host: String) {
    guard let id = TimelineStatus.identifier(value),
      let post = MastodonStatus.post(value, source: "mastodon", host: host)
    else {
      return nil
    }
    self.id = id
    (uri, page) = (post.nativeID, post.body.permalink.string)
    created = post.createdAt
    parent = value["in_reply_to_id"]?.id
    visibility = MastodonStatus.unknownVisibility(value).map { .other($0) } ?? .known(post.body.visibility)
    (text, warning) = (post.body.text.string, post.body.contentWarning.string)
    isSensitive = value["sensitive"]?.bool == true
    language = post.body.language.string
    media = (value["media_attachments"]?.elements ?? JSONValue.Elements.none).compactMap { $0["id"]?.id }
    hasPoll = value["poll"] != nil
  }
}
