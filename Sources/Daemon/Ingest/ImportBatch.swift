public import Posts

/// The result of reading a piece of a file.
public struct ImportBatch: Equatable, Sendable {
  /// The posts, in the order of the file.
  public private(set) var posts: [ImportedPost] = []
  /// The position of each post in the file, as in ``SkippedItem/position``.
  public private(set) var positions: [Int] = []
  /// The file's statements about missing posts, in its order.
  public var gaps: [GapMark] = []
  /// The number of skipped items.
  public var skippedCount = 0
  /// The first skipped items, at most ``reasonLimit``: enough for a report, without filling memory.
  public var skipped: [SkippedItem] = []
  /// The owner of the archive, if the piece names them.
  public var owner: ImportedAuthor?
  /// The format of the file; nil until something in it has been understood.
  public var format: ImportFormat?

  /// The maximum number of skipped items in a batch that have a reason.
  public static let reasonLimit = 100

  public init() {}

  /// A statement about a gap, with its place among the posts.
  public struct GapMark: Equatable, Sendable {
    /// The number of the batch's posts before it.
    public var postsBefore: Int
    public var note: GapNote
    /// The position in the file, as in ``SkippedItem/position``.
    public var position: Int

    public init(postsBefore: Int, note: GapNote, position: Int) {
      self.postsBefore = postsBefore
      self.note = note
      self.position = position
    }
  }

  /// Adds a post found at a position of the file, as in ``SkippedItem/position``.
  public mutating func append(_ post: ImportedPost, at position: Int) {
    posts.append(post)
    positions.append(position)
  }

  /// Counts a skipped item.
  mutating func skip(_ item: SkippedItem) {
    skippedCount += 1
    if skipped.count < Self.reasonLimit { skipped.append(item) }
  }
}

/// An item that was not imported.
public struct SkippedItem: Equatable, Sendable {
  /// Its number in the file, from 1.
  public var item: Int
  /// The line it begins on, from 1; 0 in a binary file.
  public var line: Int
  /// The number of the file's bytes before it.
  public var byte: Int
  /// The number by which a user finds it: that of its line in a file of lines, else that of the item.
  public var position: Int
  /// The reason for the user, safe to print ("a deletion (imports never delete posts)").
  public var reason: String

  public init(item: Int, line: Int, byte: Int, position: Int, reason: String) {
    self.item = item
    self.line = line
    self.byte = byte
    self.position = position
    self.reason = reason
  }
}

/// An error for a file that is not imported, or not to its end; nothing more is read from it.
public struct ImportRefusal: Error, Equatable, Sendable {
  /// The file's name as given.
  public var file: String
  /// The reason for the user and a remedy, safe to print.
  public var reason: String

  public init(file: String, reason: String) {
    self.file = file
    self.reason = reason
  }
}

extension ImportRefusal: CustomStringConvertible {
  public var description: String { "\(file): \(reason)" }
}

/// A reason why an item yields no post.
struct SkipReason: Error {
  var text: String
  init(_ text: String) { self.text = text }
}
