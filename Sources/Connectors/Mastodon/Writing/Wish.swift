internal import ConnectorSupport
internal import Dates
internal import Ingest
internal import Posts

/// A command of the daemon: what an account wants to be done at its server.
struct Wish: Equatable {
  enum Action: Equatable {
    case post(Writing)
    case edit(Writing)
    case delete
    case favourite, unfavourite, repost, unrepost, save, unsave
  }

  /// The content of a post.
  struct Writing: Equatable {
    var text: String
    var visibility = Visibility.public
    /// The server's own word, to be used in place of the visibility; nil for none.
    var serverWord: String?
    /// The post that it replies to; nil if it is not a reply.
    var parent: PostName?
    /// When it was written, by the daemon's clock.
    var since: Instant
    /// The content warning, the mark of media that not everybody wants to see, and the language; nil if nothing is said
    /// of them.
    var warning: String?
    var isSensitive: Bool?
    var language: String?
    /// The server's identifiers of the files that it has for a new post.
    var media: [String] = []
  }

  /// A post as the daemon names it.
  struct PostName: Equatable {
    /// The post's own address.
    var id: String
    /// Other names, among them its number at each server (``MastodonStatus/alias(_:host:)``).
    var aliases: [String] = []

    /// Returns the post's number at a server; nil if it is not known.
    func number(at host: String) -> String? {
      ([id] + aliases).lazy.compactMap {
        TimelineStatus.identifier(in: $0, after: MastodonStatus.alias("", host: host))
      }.first
    }
  }

  /// The command's name, which no other command ever has. It is also the key by which a server knows the same request.
  var id: String
  var account: String
  /// The name of the login; empty if the account has none.
  var login: String
  var action: Action
  /// The post that it is about; its ID is empty for a new post.
  var post: PostName
  /// True if this program, or an earlier process of it, may have been told before.
  var isAgain: Bool

  /// The answer to a wish.
  enum Answer: Equatable {
    /// It is done. A new post has the address that names it and that of its page, unless they are not known.
    case done(id: String = "", page: String = "")
    /// It is not done, and will not be.
    case refused(String)
    /// It cannot be done now: the daemon asks again.
    case later(String)
  }
}

extension Wish {
  /// Reads a command with this identifier. Nil if it is one that this program does not know.
  init?(_ value: JSONValue, id: String) {
    guard let word = value["do"]?.string, let action = Self.action(word, value) else { return nil }
    self.init(
      id: id, account: value["account"]?.string ?? "", login: value["login"]?.string ?? "", action: action,
      post: PostName(id: value["post"]?.string ?? "", aliases: value.strings("aliases")),
      isAgain: value["again"]?.bool == true)
  }

  private static func action(_ word: String, _ value: JSONValue) -> Action? {
    switch word {
    case "post": .post(writing(value))
    case "edit": .edit(writing(value))
    case "delete": .delete
    case "favourite": .favourite
    case "unfavourite": .unfavourite
    case "repost": .repost
    case "unrepost": .unrepost
    case "save": .save
    case "unsave": .unsave
    default: nil
    }
  }

  private static func writing(_ value: JSONValue) -> Writing {
    let visibility: Visibility =
      switch value["visibility"]?.string {
      case "public": .public
      case "unlisted": .unlisted
      case "followers": .followers
      default: .direct
      }
    var writing = Writing(
      text: value["text"]?.string ?? "", visibility: visibility,
      since: Instant(milliseconds: Int64(value["since"]?.integer ?? 0)))
    writing.parent = value["in_reply_to"]?.string.map {
      PostName(id: $0, aliases: value.strings("parent_aliases"))
    }
    writing.warning = value["content_warning"]?.string
    writing.isSensitive = value["sensitive"]?.bool
    writing.language = value["language"]?.string
    writing.media = value.strings("media")
    return writing
  }
}
