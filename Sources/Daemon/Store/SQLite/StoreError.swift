/// An error of the store: a kind for code to act on, and one line that tells the user what to do.
///
/// Thrown by everything that touches the disk. The transaction has been rolled back completely; the store can be read
/// and, once the cause is gone, written again.
public struct StoreError: Error, Equatable, Sendable {
  /// The kind of a failure.
  public enum Kind: Sendable, Equatable {
    /// No room on the disk, in the quota or under the file's size limit.
    case diskFull
    /// The file, its folder or its file system cannot be written.
    case readOnly
    /// Another process holds the store.
    case busy
    /// The file is a store, but damaged.
    case corrupt
    /// The file is not a store.
    case notADatabase
    /// The file was written by a later version of Stack.
    case newerSchema
    /// The file was written by a version of Stack that is too old to be read.
    case olderSchema
    /// A file already exists at the path of a copy.
    case exists
    /// The file cannot be opened: no such folder, no permission, not a file.
    case cannotOpen
    /// The disk reported an error.
    case inputOutput
    /// Anything else, such as memory running out.
    case other
  }

  /// The kind of the failure.
  public let kind: Kind
  /// SQLite's extended result code (https://sqlite.org/rescode.html); 0 if the error is not from SQLite.
  public let code: Int32
  /// One line without a final full stop: what failed and what to do.
  public let message: String

  /// Creates an error that has no SQLite code.
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
