/// Something that came from the terminal.
public enum InputEvent: Equatable, Sendable {
  case key(Key)
  /// What was pasted between the brackets of mode 2004: never keys.
  case paste([UInt8])
  case mouse(Mouse)
  case focus(Bool)
  /// An answer to a question of ours.
  case reply(TerminalReply)
}

/// A key, as it can be told apart in every terminal.
public struct Key: Hashable, Sendable {
  /// Which one.
  public enum Code: Hashable, Sendable {
    /// What it types, one grapheme cluster.
    case character(Character)
    case enter, tab, backspace, escape, insert, delete
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  /// What was held with it. Shift is told for keys that type nothing only.
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

  /// Puts the parts together.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }
}

/// What a mouse did, in cells from 0 (mode 1006).
public struct Mouse: Hashable, Sendable {
  /// What it did: with its left button, or its wheel.
  public enum Action: Hashable, Sendable { case press, release, drag, wheelUp, wheelDown }

  public var action: Action
  public var line: Int
  public var column: Int

  /// Puts the parts together.
  public init(_ action: Action, line: Int, column: Int) {
    self.action = action
    self.line = line
    self.column = column
  }
}

/// What a terminal says of itself.
public enum TerminalReply: Equatable, Sendable {
  /// Where the cursor stands, from 0 (CPR).
  case cursor(line: Int, column: Int)
  /// Whether a private mode is known and set (DECRPM): 0 unknown, 1 set, 2 reset, 3 always set, 4 never.
  case mode(Int, state: Int)
  /// Primary device attributes: every terminal answers, so it ends a round of questions.
  case attributes
}
