/// Slides the pane stack of a view.
public struct MoveStackRequest: Equatable, DeclaredMessage {
  /// The direction in which panes move; the numbers are the schema's.
  public enum Direction: UInt8, Sendable {
    /// Reveals newer panes.
    case left = 1
    /// Reveals older panes and the menu.
    case right = 2
  }

  /// The end of a drag.
  public struct DragEnd: Equatable, DeclaredMessage {
    public var paneID: UInt64 = 0
    /// The left edge at which it was released.
    public var x: Int32 = 0
    /// Nil if it was not moving.
    public var direction: Direction?

    static let schema = MessageSchema("DragEnd")

    public init(paneID: UInt64, x: Int32, direction: Direction?) {
      self.paneID = paneID
      self.x = x
      self.direction = direction
    }

    init() {}

    mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
      fields.number(1, &paneID)
      fields.signed(2, &x)
      try fields.choice(3, &direction)
    }
  }

  /// The target of the slide.
  public enum Move: Equatable, Sendable {
    case slide(Direction)
    case drag(DragEnd)
    /// The smallest position that shows this pane completely.
    case reveal(UInt64)
    case position(Int)
  }

  public var viewID: UInt64 = 0
  public var move: Move

  static let schema = MessageSchema("MoveStackRequest")

  public init(viewID: UInt64, _ move: Move) {
    self.viewID = viewID
    self.move = move
  }

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
    guard let move else { throw fields.failure("move", "is missing; set slide, drag, reveal_pane or position") }
    self.move = move
  }
}

/// The new position of a stack.
public struct MoveStackResponse: Equatable, DeclaredMessage {
  /// As in StackMoved.
  public var position = 0
  /// False if the position did not change.
  public var hasMoved = false

  static let schema = MessageSchema("MoveStackResponse")

  public init(position: Int, hasMoved: Bool) {
    self.position = position
    self.hasMoved = hasMoved
  }

  init() {}

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.count(1, &position)
    fields.flag(2, &hasMoved)
  }
}
