public import Posts

/// What came out of a piece of a file.
public struct ImportBatch: Equatable, Sendable {
  /// The posts, in the order of the file.
  public var posts: [ImportedPost] = []
  /// What the file says is missing, or is no more, in its order.
  public var gaps: [GapMark] = []
  /// How many items were passed over.
  public var skippedCount = 0
  /// The first of the items passed over, at most ``reasonLimit``: enough to tell somebody, not enough to fill a memory.
  public var skipped: [SkippedItem] = []
  /// Whose archive it is, where the piece said so.
  public var owner: ImportedAuthor?
  /// What the file turned out to be; nil as long as nothing in it was understood.
  public var format: ImportFormat?

  /// How many skipped items of one batch are told with their reason.
  public static let reasonLimit = 100

  public init() {}

  /// Something that is said of a stretch of posts.
  public struct GapMark: Equatable, Sendable {
    /// How many of the posts stand before it.
    public var position: Int
    public var note: GapNote

    /// Puts the parts together.
    public init(position: Int, note: GapNote) {
      self.position = position
      self.note = note
    }
  }

  /// Counts an item passed over.
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
  /// The bytes of the file before it.
  public var byte: Int
  /// Why: a clause for people ("a deletion: …"), harmless to print.
  public var reason: String

  public init(item: Int, line: Int, byte: Int, reason: String) {
    self.item = item
    self.line = line
    self.byte = byte
    self.reason = reason
  }
}

/// A file that was not imported, or not to its end: nothing more is read from it.
public struct ImportRefusal: Error, Equatable, Sendable {
  /// The file's name as given.
  public var file: String
  /// What it is instead of posts, and what to do: for people, harmless to print.
  public var reason: String

  public init(file: String, reason: String) {
    self.file = file
    self.reason = reason
  }
}

extension ImportRefusal: CustomStringConvertible {
  public var description: String { "\(file): \(reason)" }
}

/// Why one item yields no post.
struct SkipReason: Error {
  var text: String
  init(_ text: String) { self.text = text }
}
