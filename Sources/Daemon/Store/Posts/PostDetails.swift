public import Posts

/// What is known about a post beside its text.
public struct PostDetails: Equatable, Sendable {
  public var post: StoredPost
  /// The name of its source, and its ID there.
  public var source: String
  public var nativeID: String
  /// The name of the account that wrote or imported it.
  public var owner: String
  /// The names of the accounts that may see it, ordered by ID; nil for everyone, or if the reader is not to know them:
  /// only the writer sees the followers that a post is for.
  public var readers: [String]?
  /// True if it came with an import, whoever wrote it.
  public var isImported: Bool
  /// The import that brought it first; nil if none is known, or if it is another account's.
  public var run: StoredImport?
}

/// Reads what is known about posts.
struct PostDetailsReader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// See ``StoreReader/details(of:for:)``.
  func details(of id: PostID, for account: AccountID) throws(StoreError) -> PostDetails? {
    let posts = PostReader(connection)
    guard let post = try posts.subject(of: id, visibleTo: account), let name = try posts.name(of: post.id) else {
      return nil
    }
    let run = try ImportRunReader(connection).bringing(post.id)
    // What was written here may be for another source, but never by an author of one.
    let isOfHere = try connection.flag(PostQuery.isByAuthorOfHere, post.id, LocalSource.name)
    return PostDetails(
      post: post, source: name.source, nativeID: name.nativeID,
      owner: try AccountReader(connection).account(post.owner)?.name ?? "",
      readers: try readers(of: post, for: account), isImported: run != nil || !isOfHere,
      run: run.flatMap { $0.account == account ? $0 : nil })
  }

  private func readers(of post: StoredPost, for account: AccountID) throws(StoreError) -> [String]? {
    let accounts = AccountReader(connection)
    switch post.audience {
    case .everyone, .nobody: return nil
    case .only(let reader): return try accounts.account(reader).map { [$0.name] }
    case .group(let group):
      let groups = AudienceGroupReader(connection)
      if let people = try groups.people(of: group, for: account) { return people.map(\.name) }
      guard post.owner == account else { return nil }
      var names: [String] = []
      for id in try groups.members(of: group).sorted(by: { $0.rawValue < $1.rawValue }) {
        if let member = try accounts.account(id) { names.append(member.name) }
      }
      return names
    }
  }
}
