internal import Posts

/// The limits of posts where accounts have logins.
struct LoginLimits {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Returns the limits of posts that an account writes for a source, by its first login there; nil if it has none:
  /// then the account's own limit applies.
  func limits(of account: AccountID, at source: Int64) throws(StoreError) -> PostLimits? {
    try connection.first(UpstreamQuery.limits, source, account) { row in
      PostLimits(characters: Int(row.integer(0)), linkCharacters: Int(row.integer(1)))
    }
  }

  /// Refuses a text that is too long, with its content warning, for a source.
  func check(_ text: SafeText, warning: SafeText, by account: Account, for source: String) throws {
    try account.checkLength(of: text, warning: warning, by: try limits(of: account.id, in: source))
  }

  /// Returns the limits of posts that an account writes for a source, by its name; nil if its own limit applies.
  func limits(of account: AccountID, in source: String) throws(StoreError) -> PostLimits? {
    guard source != LocalSource.name, let number = try connection.number(SourceQuery.find, source) else { return nil }
    return try limits(of: account, at: number)
  }

  /// Stores the limits of a login. No frame shows them, so they have no revision.
  func save(_ limits: PostLimits, of login: String, at source: Int64) throws(StoreError) {
    try connection.run(
      UpstreamQuery.saveLimits, source, login, Int64(limits.characters), Int64(limits.linkCharacters))
  }

  /// Returns the limits of a post that an account would write for a source or, without one, as a reply; nil if its own
  /// limit applies. `upstreams` are the sources with a program.
  func limits(
    of account: AccountID, for source: String, replyingTo parent: StoredPost?, upstreams: Set<String>
  ) throws(StoreError) -> PostLimits? {
    var destination = source
    if source.isEmpty {
      guard let parent, parent.audience == .everyone,
        let name = try PostReader(connection).name(of: parent.subject)?.source, upstreams.contains(name)
      else { return nil }
      destination = name
    }
    guard destination != LocalSource.name, let number = try connection.number(SourceQuery.find, destination) else {
      return nil
    }
    if source.isEmpty {
      guard try SourcePrograms(connection).carryOut(.post, at: number) else { return nil }
    }
    return try limits(of: account, at: number)
  }
}
