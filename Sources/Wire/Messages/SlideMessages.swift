/// Slides the pane stack of a view.
public struct MoveStackRequest: Equatable, DeclaredMessage {
  /// Which way panes go; the numbers are the schema's.
  public enum Direction: UInt8, Sendable {
    /// Newer panes show.
    case left = 1
    /// Older panes and the menu show.
    case right = 2
  }

  /// The end of a drag.
  public struct DragEnd: Equatable, DeclaredMessage {
    public var paneID: UInt64 = 0
    /// Its left edge where it was let go.
    public var x: Int32 = 0
    /// Nil where it stood still.
    public var direction: Direction?

    static let schema = MessageSchema("DragEnd")

    /// Puts the parts together.
    public init(paneID: UInt64, x: Int32, direction: Direction?) {
      self.paneID = paneID
      self.x = x
      self.direction = direction
    }

    /// Nothing yet, for those who fill it.
    init() {}

    mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
      fields.number(1, &paneID)
      fields.signed(2, &x)
      try fields.choice(3, &direction)
    }
  }

  /// Where to.
  public enum Move: Equatable, Sendable {
    case slide(Direction)
    case drag(DragEnd)
    /// To the smallest position that shows this pane whole.
    case reveal(UInt64)
    case position(Int)
  }

  public var viewID: UInt64 = 0
  public var move: Move

  static let schema = MessageSchema("MoveStackRequest")

  /// Puts the parts together.
  public init(viewID: UInt64, _ move: Move) {
    self.viewID = viewID
    self.move = move
  }

  /// To the left end, for those who fill it.
  init() { move = .position(0) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &viewID)
    var move = fields.isReading ? nil : move
    try fields.choice(2, of: &move, Move.slide) { if case .slide(let direction) = $0 { direction } else { nil } }
    try fields.message(3, of: &move, Move.drag) { if case .drag(let end) = $0 { end } else { nil } }
    fields.number(4, of: &move, Move.reveal) { if case .reveal(let pane) = $0 { pane } else { nil } }
    fields.number(5, of: &move) {
      .position(Int(clamping: $0))
    } _: {
      if case .position(let position) = $0 { UInt64(clamping: position) } else { nil }
    }
    guard let move else { throw fields.failure("move", "is missing: say slide, drag, reveal_pane or position") }
    self.move = move
  }
}

/// Where a stack is now.
public struct MoveStackResponse: Equatable, DeclaredMessage {
  /// As in StackMoved.
  public var position = 0
  /// False where it is as it was.
  public var hasMoved = false

  static let schema = MessageSchema("MoveStackResponse")

  /// Puts the parts together.
  public init(position: Int, hasMoved: Bool) {
    self.position = position
    self.hasMoved = hasMoved
  }

  /// Nothing yet, for those who fill it.
  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.count(1, &position)
    fields.flag(2, &hasMoved)
  }
}
