internal import Dates
internal import Messages
public import Posts
public import ViewState

/// A cache of rows, shared by all views: their contents, their layouts by key, and their encoded bytes.
struct RowCache {
  private struct ContentKey: Hashable {
    /// Keeps the IDs of posts and lists apart.
    var kind: RowContent.Kind
    var post: PostID
    /// The account's marks on the post; accounts with the same marks share a content.
    var mark: Mark
    /// The reason why the post's source refused one of these marks.
    var failure: SafeText?
    /// True if the session has unfolded the row.
    var isUnfolded: Bool

    init(_ entry: ListEntry, _ account: AccountID?, isUnfolded: Bool) {
      self.isUnfolded = isUnfolded
      post = entry.id
      mark = []
      switch entry {
      case .gap: kind = .gap
      case .list: kind = .list
      case .notice, .followRequest: kind = .notice
      case .post(let stored):
        kind = .post
        guard let account else { break }
        mark = stored.mark(of: account)
        if mark.contains(.failed) { failure = stored.marks.failure(of: account) }
      }
    }
  }

  private struct RowKey: Hashable {
    var content: ContentKey
    var layout: LayoutKey
  }

  private let fingerprint: Fingerprint
  /// Each content with the entry from which it was made, since the entry may have changed.
  private var contents: GenerationCache<ContentKey, (entry: ListEntry, content: RowContent)>
  private var rows: GenerationCache<RowKey, LaidOutRow>
  private var authors: [AuthorID: Author] = [:]
  /// Authors that were requested before they were known.
  private var missed: Set<AuthorID> = []

  init(limits: EngineLimits, fingerprint: Fingerprint) {
    self.fingerprint = fingerprint
    contents = GenerationCache(limit: limits.caches.contentBytes)
    rows = GenerationCache(limit: limits.caches.rowBytes)
  }

  /// Adds authors. Returns true if a known or previously requested one has changed; all contents are then dropped.
  @discardableResult
  mutating func addAuthors(_ new: [Author]) -> Bool {
    var changed = false
    for author in new where authors[author.id] != author {
      if authors[author.id] != nil || missed.remove(author.id) != nil { changed = true }
      authors[author.id] = author
    }
    if changed { contents.removeAll() }
    return changed
  }

  /// Returns an author's handle with its "@", as in the title of a pane; empty if it is unknown.
  func shownHandle(of id: AuthorID) -> [UInt8] {
    guard let author = authors[id], !author.handle.isEmpty else { return [] }
    let handle = Array("@".utf8) + author.handle.utf8
    return author.isNamesake ? handle + Array(" (from ".utf8) + author.source.utf8 + Array(")".utf8) : handle
  }

  /// Returns the names by which searches find an author; none if it is unknown.
  func searchNames(of author: AuthorID) -> [SafeText] { authors[author]?.searchNames ?? [] }

  /// Returns the old and new names of known authors whose names differ in `new`.
  func searchNamesChanged(by new: [Author]) -> [SafeText] {
    new.flatMap { author in
      guard let known = authors[author.id]?.searchNames, known != author.searchNames else { return [] as [SafeText] }
      return known + author.searchNames
    }
  }

  /// Returns the row of a list's entry as `account` sees it, laid out for `key`. Does not check whether the account may
  /// see it.
  mutating func row(_ entry: ListEntry, account: AccountID?, key: LayoutKey) -> LaidOutRow {
    let contentKey = ContentKey(entry, account, isUnfolded: key.folding == .unfolded)
    let content = content(entry, contentKey)
    let rowKey = RowKey(content: contentKey, layout: key)
    let known = rows.value(of: rowKey)
    if let known, known.content === content { return known }
    let parts = RowParts(content.fields)
    let layout =
      if let known, known.content.fields.text == content.fields.text, RowParts(known.content.fields) == parts {
        known.layout
      } else {
        key.measure(content.fields.text, parts)
      }
    let row = LaidOutRow.encoding(content: content, layout: layout)
    rows.insert(row, bytes: Self.bytes(of: row), for: rowKey)
    return row
  }

  /// Approximate size of a cached row besides its encoded bytes and line ends: two objects, two array headers and a
  /// dictionary slot.
  private static let bytesBesideEncoding = 200

  private static func bytes(of row: LaidOutRow) -> Int {
    bytesBesideEncoding + row.encoded.count + 4 * row.layout.lineEnds.count
  }

  /// Returns the approximate size of an entry, packed and unpacked, with its author and an object.
  private static func bytes(of entry: ListEntry) -> Int {
    guard case .post(let post) = entry else { return 700 }
    return 700 + 2 * post.body.bytes.count + post.marks.bytes.count
  }

  private mutating func content(_ entry: ListEntry, _ key: ContentKey) -> RowContent {
    if let known = contents.value(of: key), known.entry == entry { return known.content }
    var fields =
      switch entry {
      case .post(let post): fields(post, key.mark, key.failure)
      case .gap(let gap): gapFields(gap, entry)
      case .list(let list, let author): listFields(list, author, entry)
      case .notice: noticeFields(entry)
      case .followRequest(let request): requestFields(request, entry)
      }
    fields.isUnfolded = key.isUnfolded
    fields.fingerprint = fingerprint.of(fields)
    let content = RowContent(fields)
    contents.insert((entry, content), bytes: Self.bytes(of: entry), for: key)
    return content
  }

  /// Returns an author as shown in rows.
  mutating func author(_ id: AuthorID) -> RowAuthor {
    // The store returns the authors of all its posts; in a damaged store an author may be missing, but the row still
    // appears.
    guard let author = authors[id] else {
      missed.insert(id)
      return RowAuthor(id: UInt64(id.rawValue), handle: Array("?".utf8), displayName: Array("?".utf8), avatarURL: [])
    }
    return RowAuthor(author)
  }

  private mutating func listFields(_ list: MadeListFacts, _ author: AuthorID, _ entry: ListEntry) -> RowContent.Fields {
    var fields = RowContent.Fields(rowID: UInt64(entry.id.rawValue), author: self.author(author))
    fields.kind = .list
    fields.text = entry.text
    fields.listAuthors = UInt32(clamping: list.authorCount)
    return fields
  }

  private func noticeFields(_ entry: ListEntry, at instant: Instant? = nil) -> RowContent.Fields {
    let name = Array("Stack".utf8)
    var fields = RowContent.Fields(
      rowID: UInt64(entry.id.rawValue),
      author: RowAuthor(id: 0, handle: Array("stack".utf8), displayName: name, avatarURL: []))
    fields.kind = .notice
    fields.text = entry.text
    if let instant { fields.createdAtMilliseconds = instant.milliseconds }
    return fields
  }

  private func requestFields(_ request: PendingFollow, _ entry: ListEntry) -> RowContent.Fields {
    var fields = noticeFields(entry, at: request.askedAt)
    fields.author = RowAuthor(request.author)
    return fields
  }

  private func gapFields(_ gap: Gap, _ entry: ListEntry) -> RowContent.Fields {
    var fields = noticeFields(entry, at: gap.orderKey.createdAt)
    fields.kind = .gap
    fields.gapNewerMilliseconds = gap.newer.milliseconds
    fields.gapOlderMilliseconds = gap.older.milliseconds
    fields.gapMissing = UInt32(clamping: gap.missing)
    fields.isGapLost = gap.isLost
    return fields
  }

  private mutating func fields(_ post: StoredPost, _ mark: Mark, _ failure: SafeText?) -> RowContent.Fields {
    var fields = RowContent.Fields(rowID: UInt64(post.id.rawValue), author: author(post.author))
    fields.postID = UInt64(post.subject.rawValue)
    fields.createdAtMilliseconds = post.createdAt.milliseconds
    if let by = post.repostedBy {
      fields.repostedBy = author(by)
      fields.originalAtMilliseconds = (post.originalAt ?? post.createdAt).milliseconds
    }
    if case .group(let group) = post.audience, post.body.visibility == .direct {
      fields.direct = UInt64(group.rawValue)
    }
    if mark.contains(.pending) { fields.delivery = .pending }
    if let failure { (fields.delivery, fields.failure) = (.failed, failure.utf8) }
    fields.inReplyTo = post.inReplyTo.map { UInt64($0.rawValue) } ?? 0
    guard let body = post.body.unpacked() else {
      fields.text = CompactBody.damagedText
      return fields
    }
    fields.text = body.text.utf8
    fields.spans = body.spans.map {
      RowSpan(kind: RowSpan.Kind(rawValue: $0.kind.rawValue) ?? .link, range: $0.range, target: $0.target.utf8)
    }
    fields.media = body.media.map {
      RowMedia(kind: RowMedia.Kind(rawValue: $0.kind.rawValue) ?? .unknown, url: $0.url.utf8, altText: $0.altText.utf8)
    }
    let counts = post.marks.counts(beside: body.counts)
    fields.replies = counts.replies
    fields.reposts = counts.reposts
    fields.favourites = counts.favourites
    // The schema counts from 1; 0 means unspecified.
    fields.visibility = UInt32(body.visibility.rawValue) + 1
    fields.contentWarning = body.contentWarning.utf8
    fields.language = body.language.utf8
    fields.permalink = body.permalink.utf8
    fields.inReplyToHandle = body.inReplyToHandle.utf8
    fields.flags = RowFlags(rawValue: body.flags.subtracting(.ofAccount).union(mark.flags).rawValue).intersection(.all)
    fields.readMark = RowReadMark(rawValue: mark.reading.rawValue)!
    return fields
  }
}

extension Fingerprint {
  /// Returns the fingerprint of a row's fields; never 0.
  fileprivate func of(_ fields: RowContent.Fields) -> UInt64 {
    let bytes = LaidOutRow.encoding(content: RowContent(fields), layout: RowLayout(height: 0, lineEnds: [])).encoded
    return max(1, of(bytes))
  }
}

extension RowAuthor {
  /// Creates an author for messages. The handle stands in for a missing display name.
  public init(_ author: Author) {
    let name = author.displayName.isEmpty ? author.handle : author.displayName
    self.init(
      id: UInt64(author.id.rawValue), handle: author.handle.utf8, displayName: name.utf8,
      avatarURL: author.avatarURL.utf8, source: author.source.utf8, isNamesake: author.isNamesake)
  }
}
