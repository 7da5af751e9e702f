/// Undoes the last action, or redoes it.
public struct UndoRequest: Equatable, DeclaredMessage {
  /// At most 64 bytes; empty for none.
  public var requestID = ""
  public var isRedo = false

  static let schema = MessageSchema("UndoRequest")

  /// Undoes or redoes.
  public init(isRedo: Bool) { self.isRedo = isRedo }

  /// Undoes.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID)
    fields.flag(2, &isRedo)
  }
}

/// The result of Undo.
public struct UndoResponse: Equatable, DeclaredMessage {
  /// The action, in words that follow "Undone:".
  public var description = ""
  /// The post it was about; 0 for none.
  public var postID: UInt64 = 0
  /// Numbers of actions that can now be undone and redone.
  public var undoable: UInt32 = 0
  public var redoable: UInt32 = 0
  /// Frames at or after this revision include the change.
  public var revision: UInt64 = 0
  /// True if the action cannot be redone, or undone again.
  public var isIrrevocable = false

  static let schema = MessageSchema("UndoResponse")

  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &description)
    fields.number(2, &postID)
    fields.number(3, &undoable)
    fields.number(4, &redoable)
    fields.number(5, &revision)
    fields.flag(6, &isIrrevocable)
  }
}
