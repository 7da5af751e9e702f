import Dates
import Posts
import TestSupport
import ViewState

@testable import Store

/// A store in a folder of its own, with two accounts.
final class Fixture {
  let folder = TemporaryFolder()
  var store: PostStore
  let ann: AccountID
  let bob: AccountID

  init(epoch: UInt64 = 7, follows: FollowPolicy = .open, upstreams: Set<String> = []) throws {
    store = try PostStore(path: folder.file("posts.db"), epoch: epoch, follows: follows)
    ann = try store.account(uid: 1000, name: "ann").id
    bob = try store.account(uid: 1001, name: "bob").id
    if !upstreams.isEmpty { store.upstreams = upstreams }
  }

  /// Imports posts in a commit of its own.
  @discardableResult
  func load(_ posts: [ImportedPost], as owner: AccountID? = nil) throws -> ImportReport {
    let outcome = try store.commit([.importBatch(posts, owner: owner ?? ann)]).outcomes[0]
    guard case .imported(let report) = outcome else { throw Unexpected(outcome) }
    return report
  }

  /// Composes a post in a commit of its own.
  func write(
    _ text: String, as account: AccountID? = nil, at seconds: Int64 = 0, to parent: PostID? = nil,
    _ visibility: Visibility = .public, request: String = ""
  ) throws -> StoredPost {
    let outcome = try store.commit([
      .compose(composition(text, as: account, at: seconds, to: parent, visibility, request))
    ])
    .outcomes[0]
    guard case .composed(let composed) = outcome else { throw Unexpected(outcome) }
    return composed.post
  }

  func composition(
    _ text: String, as account: AccountID? = nil, at seconds: Int64 = 0, to parent: PostID? = nil,
    _ visibility: Visibility = .public, _ request: String = ""
  ) -> Composition {
    let text = SafeText(text)
    let body = PostBody(text: text, spans: TextSpans.find(in: text), visibility: visibility)
    return Composition(
      account: account ?? ann, body: body, recipients: body.recipients.map(\.string), inReplyTo: parent,
      createdAt: Instant(seconds: seconds), requestID: request)
  }

  /// Returns all entries that an account may see, of any owner, newest first.
  func visible(_ account: AccountID? = nil) throws -> [StoredPost] {
    let ids = try store.database.prepare("SELECT id FROM posts WHERE is_entry = 1 ORDER BY created_at DESC, id DESC")
    var posts: [StoredPost] = []
    while try ids.step() {
      if let post = try store.post(PostID(ids.integer(0)), visibleTo: account ?? ann) { posts.append(post) }
    }
    return posts
  }

  /// Returns the texts of all entries that an account may see, newest first.
  func texts(_ account: AccountID? = nil) throws -> [String] { try visible(account).map(\.text) }
}

extension Write {
  /// Follows an author, or asks to at the beginning of 1970.
  static func follow(_ account: AccountID, _ author: AuthorID) -> Write {
    .follow(account, author, at: Instant(seconds: 0))
  }
}

extension StoreReader {
  /// Returns a post without regard to its audience.
  func post(_ id: PostID) throws(StoreError) -> StoredPost? { try PostReader(database).post(id) }

  /// Returns a page of an account's home list.
  func home(_ account: AccountID, before key: OrderKey? = nil, limit: Int = .max) throws -> [StoredPost] {
    try page(of: .home(account), for: account, before: key, limit: limit)?.posts ?? []
  }
}

/// An outcome that the test did not expect.
struct Unexpected: Error {
  let what: String
  init(_ outcome: Outcome) { what = "\(outcome)" }
  init(_ what: String) { self.what = what }
}

extension StoredPost {
  /// The text of the post.
  var text: String { body.unpacked()?.text.string ?? "damaged" }
}

/// Returns a post of source "twitter" as an importer would read it.
func tweet(
  _ id: String, _ text: String = "", at seconds: Int64 = 0, by author: String = "1", answers: String? = nil,
  _ visibility: Visibility = .public, of original: ImportedPost? = nil, aliases: [String] = [], native: String = ""
) -> ImportedPost {
  ImportedPost(
    source: "twitter", nativeID: id, aliases: aliases,
    author: ImportedAuthor(nativeID: author, handle: SafeText("h\(author)"), displayName: SafeText("Name \(author)")),
    createdAt: Instant(seconds: seconds), body: PostBody(text: SafeText(text), visibility: visibility),
    inReplyTo: answers,
    original: original, native: Array(native.utf8))
}
