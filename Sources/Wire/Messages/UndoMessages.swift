/// Takes back what was done last, or does that again.
public struct UndoRequest: Equatable, DeclaredMessage {
  /// At most 64 bytes; empty for none.
  public var requestID = ""
  public var isRedo = false

  static let schema = MessageSchema("UndoRequest")

  /// Takes back, or does again.
  public init(isRedo: Bool) { self.isRedo = isRedo }

  /// Takes back.
  public init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &requestID)
    fields.flag(2, &isRedo)
  }
}

/// It is taken back, or done again.
public struct UndoResponse: Equatable, DeclaredMessage {
  /// What, in words that go on after "Undone:".
  public var description = ""
  /// The post it was about; 0 for none.
  public var postID: UInt64 = 0
  /// Steps that can be taken back now, and done again.
  public var undoable: UInt32 = 0
  public var redoable: UInt32 = 0
  /// A frame at or after this revision shows it.
  public var revision: UInt64 = 0
  /// It cannot be done again, or taken back once more.
  public var isIrrevocable = false

  static let schema = MessageSchema("UndoResponse")

  /// Nothing yet, for those who fill it.
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
