/// Sequences that prepare a terminal for the full screen, and restore it.
public enum TerminalModes {
  /// Saves the title; turns on the alternate screen, bracketed paste, focus events, and modified keys where a terminal
  /// can report them (xterm's modifyOtherKeys, the kitty protocol's first level); turns off autowrap; and sets cursor
  /// keys and keypad to the modes that all terminals distinguish.
  public static func enter(mouse: Bool) -> [UInt8] {
    let modes =
      "\u{1B}[22;2t\u{1B}[?1049h\u{1B}[?7l\u{1B}[?1l\u{1B}>\u{1B}[?2004h\u{1B}[?1004h\u{1B}[>4;1m\u{1B}[>1u\u{1B}[0m"
    return Array(modes.utf8) + (mouse ? self.mouse(true) : [])
  }

  /// Turns bracketed paste on or off, which is all that line output needs.
  public static func lines(_ isOn: Bool) -> [UInt8] { Array((isOn ? "\u{1B}[?2004h" : "\u{1B}[?2004l").utf8) }

  /// Reports clicks, drags and the wheel, with coordinates of any size, or leaves the mouse to the terminal.
  public static func mouse(_ isOn: Bool) -> [UInt8] {
    Array((isOn ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l").utf8)
  }

  /// Restores the terminal, whatever is on, even in the middle of a picture. The bytes are constant, so that a signal
  /// handler has them at hand.
  ///
  /// It begins with CAN (ECMA-48, 8.3.6), which ends an open sequence, and in tmux an open character too: otherwise the
  /// next character, from any program, would be taken as its rest and lost.
  public static let leave: [UInt8] = Array(
    ("\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}]8;;\u{1B}\\\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?1004l\u{1B}[?2004l"
      + "\u{1B}[>4m\u{1B}[<u\u{1B}[?7h\u{1B}[?1l\u{1B}>\u{1B}[?1049l\u{1B}[?25h\u{1B}[23;2t").utf8)
}
