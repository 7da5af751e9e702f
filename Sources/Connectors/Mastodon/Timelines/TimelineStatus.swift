internal import Dates
internal import Ingest
internal import Posts

/// A status of a timeline.
struct TimelineStatus: Equatable {
  /// The server's identifier: of a timeline's entry, which for a notification is not that of its status. Opaque; compared
  /// only for equality.
  var id: String
  /// When it was written or, if that is later than now by the server's clock, when it arrived.
  var created: Instant
  /// The post, as an object of the daemon's JSON Lines; empty for a notification without one.
  var post: [UInt8]
  /// What a notification tells; nil if its post is all that it brings.
  var notice: ServerNotice?

  init(id: String, created: Instant, post: [UInt8] = []) {
    (self.id, self.created, self.post) = (id, created, post)
  }

  /// A status may be dated this much later than now, in milliseconds.
  private static let clockTolerance: Int64 = 5 * 60_000
  /// One that arrives this long after it was written, in milliseconds, is late.
  private static let lateness: Int64 = 5 * 60_000
  /// The most bytes of an identifier.
  private static let idBytes = 64

  /// Reads a status. Nil if it has no identifier, author or date.
  ///
  /// - Parameters:
  ///   - host: the server that returned it.
  ///   - now: the time by the server's clock.
  init?(_ value: JSONValue, host: String, now: Instant) {
    guard let id = Self.identifier(value), let post = Self.post(value, host: host, now: now) else { return nil }
    self.init(id: id, created: post.createdAt, post: Self.line(post))
  }

  /// Reads a status that is new since the timeline was first read. One that arrives late is marked as unread.
  init?(arriving value: JSONValue, host: String, now: Instant) {
    guard let id = Self.identifier(value), var post = Self.post(value, host: host, now: now) else { return nil }
    if post.createdAt < now.adding(milliseconds: -Self.lateness) { post.body.flags.insert(.unread) }
    self.init(id: id, created: post.createdAt, post: Self.line(post))
  }

  /// Reads the status of a notification of a login: the notification is one more name of it.
  init?(notification value: JSONValue, login: LoginName, now: Instant) {
    guard let id = Self.identifier(value), let status = value["status"],
      var post = Self.post(status, host: login.host, now: now)
    else { return nil }
    post.aliases.append(login.alias(ofNotification: id))
    self.init(id: id, created: post.createdAt, post: Self.line(post))
  }

  /// Reads a notification of another kind than those of mentions. One that is of no use here has neither a post nor a
  /// notice. One about an older post, such as the end of a poll, is no name of it: the post is dated as it was written,
  /// and its place would say nothing of how far notifications have been read.
  init?(notice value: JSONValue, login: LoginName, now: Instant) {
    guard let id = Self.identifier(value) else { return nil }
    let date = min(Self.date(ofNotification: value) ?? now, now.adding(milliseconds: Self.clockTolerance))
    self.init(id: id, created: date)
    let hasPost = ["status", "poll", "update"].contains(value["type"]?.string)
    var status = hasPost ? value["status"].flatMap { Self.post($0, host: login.host, now: now) } : nil
    if Self.bringsPost(value) {
      status?.aliases.append(login.alias(ofNotification: id))
    } else {
      notice = ServerNotice(value, id: id, login: login)
    }
    if let status { post = Self.line(status) }
  }

  /// True if a notification is of a new post, which stands among the mentions as it was dated. All others stand there
  /// as notices, at the time of the notification.
  static func bringsPost(_ notification: JSONValue) -> Bool {
    ["mention", "quote", "status"].contains(notification["type"]?.string)
  }

  /// Returns when a notification was made; nil if it does not say so.
  static func date(ofNotification value: JSONValue) -> Instant? {
    value["created_at"]?.string.flatMap { Instant(iso8601: Array($0.utf8)) }
  }

  /// Returns the identifier in `value`; nil if it has none.
  static func identifier(_ value: JSONValue) -> String? { value["id"]?.id.flatMap { isIdentifier($0) ? $0 : nil } }

  /// True if `text` can be an identifier: it becomes part of addresses and of cursors.
  static func isIdentifier(_ text: String) -> Bool {
    (1...idBytes).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D || $0 == 0x5F
      }
  }

  /// Returns the identifier that ends a name; nil if the name does not begin with `front`.
  static func identifier(in name: String, after front: String) -> String? {
    guard name.hasPrefix(front) else { return nil }
    let id = String(name.dropFirst(front.count))
    return isIdentifier(id) ? id : nil
  }

  private static func post(_ value: JSONValue, host: String, now: Instant) -> ImportedPost? {
    guard var post = MastodonStatus.post(value, source: "mastodon", host: host) else { return nil }
    if post.createdAt > now.adding(milliseconds: clockTolerance) { post.createdAt = now }
    // Whether bookmarks are saved here is the account's choice (``LoginBookmarks``).
    post.body.flags.remove(.saved)
    return post
  }

  /// Returns a post as an object of the daemon's JSON Lines.
  static func line(_ post: ImportedPost) -> [UInt8] {
    var line: [UInt8] = []
    JSONLines.append(post, to: &line)
    return Array(line.dropLast())
  }
}
