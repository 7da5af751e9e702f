/// Why the store could not do what it was asked: a kind to decide by and one line that says what to do.
///
/// Thrown by everything that touches the disk. After it the transaction is rolled back, nothing of it remains, and the
/// store can be read and, once the cause is gone, written again.
public struct StoreError: Error, Equatable, Sendable {
  /// What kind of failure it was.
  public enum Kind: Sendable, Equatable {
    /// No room on the disk, in the quota or under the file's size limit.
    case diskFull
    /// The file, its folder or its file system cannot be written.
    case readOnly
    /// Another process holds the store.
    case busy
    /// The file is a database of ours with damage in it.
    case corrupt
    /// The file is something else.
    case notADatabase
    /// A later version of Stack wrote it.
    case newerSchema
    /// A version of Stack wrote it that is too old to be read.
    case olderSchema
    /// There is a file where a copy should be made.
    case exists
    /// The file cannot be opened: no such folder, no permission, not a file.
    case cannotOpen
    /// The disk answered with an error.
    case inputOutput
    /// Anything else, such as memory running out.
    case other
  }

  /// What kind of failure it was.
  public let kind: Kind
  /// SQLite's extended result code (https://sqlite.org/rescode.html); 0 where SQLite was not the one to complain.
  public let code: Int32
  /// One line without a final full stop: what failed and what to do.
  public let message: String

  /// An error that SQLite has no code for.
  init(kind: Kind, code: Int32 = 0, message: String) {
    self.kind = kind
    self.code = code
    self.message = message
  }
}

extension StoreError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
