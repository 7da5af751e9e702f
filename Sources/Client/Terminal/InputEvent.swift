/// An event from the terminal.
public enum InputEvent: Equatable, Sendable {
  case key(Key)
  /// Text pasted between the brackets of mode 2004, never keys.
  case paste([UInt8])
  case mouse(Mouse)
  case focus(Bool)
  /// A reply to a query of ours.
  case reply(TerminalReply)
}

/// A key, as far as all terminals can distinguish it.
public struct Key: Hashable, Sendable {
  /// The key itself.
  public enum Code: Hashable, Sendable {
    /// The text it types, one grapheme cluster.
    case character(Character)
    case enter, tab, backspace, escape, insert, delete
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  /// The modifiers held. Shift is only reported for keys that type nothing.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift.
    public static let shift = Modifiers(rawValue: 1)
    /// Alt, Option, or Escape before the key.
    public static let alt = Modifiers(rawValue: 2)
    /// Control.
    public static let control = Modifiers(rawValue: 4)
  }

  public var code: Code
  public var modifiers: Modifiers

  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }
}

/// A mouse event, in cells from 0 (mode 1006).
public struct Mouse: Hashable, Sendable {
  /// The action of the left button or the wheel.
  public enum Action: Hashable, Sendable { case press, release, drag, wheelUp, wheelDown }

  public var action: Action
  public var line: Int
  public var column: Int

  public init(_ action: Action, line: Int, column: Int) {
    self.action = action
    self.line = line
    self.column = column
  }
}

/// A terminal's reply to a query.
public enum TerminalReply: Equatable, Sendable {
  /// The position of the cursor, from 0 (CPR).
  case cursor(line: Int, column: Int)
  /// The state of a private mode (DECRPM): 0 unknown, 1 set, 2 reset, 3 permanently set, 4 permanently reset.
  case mode(Int, state: Int)
  /// The primary device attributes. Every terminal replies to this query, so it ends a round of queries.
  case attributes
}
