internal import Posts
internal import Search

/// A change that an account made and can undo. The reverse of a change is a change too.
enum UndoEntry: Equatable {
  /// Favourited, reposted or saved a post, muted a conversation, or reversed that.
  case mark(PostID, Mark, isOn: Bool)
  /// Wrote or deleted a post; `isMarked` is true for a repost that its original's marks recorded. Deleted rows are in
  /// the deleted posts of the undo entry.
  case post(PostID, isThere: Bool, isMarked: Bool = false)
  /// Edited a post: the texts before and after.
  case text(PostID, before: EditableText, after: EditableText)
  /// Followed or unfollowed an author, or asked to follow or withdrew that.
  case follow(AuthorID, isOn: Bool)
  /// Muted or blocked an author, muted a word, or reversed that.
  case mute(MuteChange.Subject, isOn: Bool)
  /// Created a list, or deleted it with these authors in it.
  case list(ListID, name: SafeText, authors: [AuthorID], isThere: Bool)
  /// Renamed a list.
  case listName(ListID, before: SafeText, after: SafeText)
  /// Added an author to a list, or removed one.
  case listAuthor(ListID, AuthorID, isIn: Bool)
  /// Marked posts as read or unread; at least one.
  case reading([ReadChange])

  /// The change that undoes this one.
  var reversed: UndoEntry {
    switch self {
    case .mark(let post, let mark, let isOn): .mark(post, mark, isOn: !isOn)
    case .post(let post, let isThere, let isMarked): .post(post, isThere: !isThere, isMarked: isMarked)
    case .text(let post, let before, let after): .text(post, before: after, after: before)
    case .follow(let author, let isOn): .follow(author, isOn: !isOn)
    case .mute(let subject, let isOn): .mute(subject, isOn: !isOn)
    case .list(let list, let name, let authors, let isThere):
      .list(list, name: name, authors: authors, isThere: !isThere)
    case .listName(let list, let before, let after): .listName(list, before: after, after: before)
    case .listAuthor(let list, let author, let isIn): .listAuthor(list, author, isIn: !isIn)
    case .reading(let changes): .reading(changes.map { ReadChange(post: $0.post, before: $0.after, after: $0.before) })
    }
  }
}

/// The read mark of a post before and after a change.
struct ReadChange: Equatable {
  var post: PostID
  var before: ReadMark
  var after: ReadMark
}

// MARK: - As a row

extension UndoEntry {
  /// The columns of `undo_entries` that hold a change.
  struct Columns {
    var kind: Int64
    var isOn = true
    var subject: Int64
    var object: Int64 = 0
    var before: [UInt8] = []
    var after: [UInt8] = []
  }

  /// The encoded change. The numbers of kinds are never reused.
  var columns: Columns {
    switch self {
    case .mark(let post, let mark, let isOn):
      Columns(kind: 1, isOn: isOn, subject: post.rawValue, object: Int64(mark.rawValue))
    case .post(let post, let isThere, let isMarked):
      Columns(kind: 2, isOn: isThere, subject: post.rawValue, object: isMarked ? 1 : 0)
    case .follow(let author, let isOn): Columns(kind: 3, isOn: isOn, subject: author.rawValue)
    case .list(let list, let name, let authors, let isThere):
      Columns(kind: 4, isOn: isThere, subject: list.rawValue, before: name.utf8, after: Self.packed(authors))
    case .listName(let list, let before, let after):
      Columns(kind: 5, subject: list.rawValue, before: before.utf8, after: after.utf8)
    case .mute(.word(let word), let isOn): Columns(kind: 8, isOn: isOn, subject: 0, before: Array(word.spelling.utf8))
    case .mute(.muted(let author), let isOn): Columns(kind: 9, isOn: isOn, subject: author.rawValue)
    case .mute(.blocked(let author), let isOn): Columns(kind: 10, isOn: isOn, subject: author.rawValue)
    case .text(let post, let before, let after):
      Columns(kind: 7, subject: post.rawValue, before: before.packed.bytes, after: after.packed.bytes)
    case .listAuthor(let list, let author, let isIn):
      Columns(kind: 6, isOn: isIn, subject: list.rawValue, object: author.rawValue)
    case .reading(let changes):
      Columns(kind: 11, subject: changes[0].post.rawValue, object: Int64(changes.count), before: Self.packed(changes))
    }
  }

  /// Decodes a change; returns nil for a kind of another version.
  init?(_ columns: Columns) {
    let (subject, isOn) = (columns.subject, columns.isOn)
    switch columns.kind {
    case 1: self = .mark(PostID(subject), Mark(rawValue: UInt16(truncatingIfNeeded: columns.object)), isOn: isOn)
    case 2: self = .post(PostID(subject), isThere: isOn, isMarked: columns.object != 0)
    case 3: self = .follow(AuthorID(subject), isOn: isOn)
    case 4:
      let authors = Self.unpacked(columns.after)
      self = .list(ListID(subject), name: SafeText(trusted: columns.before), authors: authors, isThere: isOn)
    case 5:
      self = .listName(
        ListID(subject), before: SafeText(trusted: columns.before), after: SafeText(trusted: columns.after))
    case 6: self = .listAuthor(ListID(subject), AuthorID(columns.object), isIn: isOn)
    case 7:
      self = .text(
        PostID(subject), before: EditableText(of: PackedBody(trusted: columns.before)),
        after: EditableText(of: PackedBody(trusted: columns.after)))
    case 8:
      guard let word = try? MutedWord(parsing: String(decoding: columns.before, as: UTF8.self)) else { return nil }
      self = .mute(.word(word), isOn: isOn)
    case 9: self = .mute(.muted(AuthorID(subject)), isOn: isOn)
    case 10: self = .mute(.blocked(AuthorID(subject)), isOn: isOn)
    case 11:
      let changes = Self.unpackedChanges(columns.before)
      guard !changes.isEmpty else { return nil }
      self = .reading(changes)
    default: return nil
    }
  }

  /// Encodes each post's ID and its read marks.
  private static func packed(_ changes: [ReadChange]) -> [UInt8] {
    var bytes: [UInt8] = []
    for change in changes {
      Varint.append(UInt64(bitPattern: change.post.rawValue), to: &bytes)
      bytes.append(change.before.rawValue << 4 | change.after.rawValue)
    }
    return bytes
  }

  private static func unpackedChanges(_ bytes: [UInt8]) -> [ReadChange] {
    var changes: [ReadChange] = []
    var position = 0
    while position < bytes.count {
      let post = PostID(Int64(bitPattern: Varint.read(bytes.span, at: &position)))
      guard position < bytes.count, let before = ReadMark(rawValue: bytes[position] >> 4),
        let after = ReadMark(rawValue: bytes[position] & 0xF)
      else { return changes }
      position += 1
      changes.append(ReadChange(post: post, before: before, after: after))
    }
    return changes
  }

  private static func packed(_ authors: [AuthorID]) -> [UInt8] {
    var bytes: [UInt8] = []
    for author in authors { Varint.append(UInt64(bitPattern: author.rawValue), to: &bytes) }
    return bytes
  }

  private static func unpacked(_ bytes: [UInt8]) -> [AuthorID] {
    var authors: [AuthorID] = []
    var position = 0
    while position < bytes.count { authors.append(AuthorID(Int64(bitPattern: Varint.read(bytes.span, at: &position)))) }
    return authors
  }
}
