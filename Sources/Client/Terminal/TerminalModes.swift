/// How a terminal is made ready for a whole screen, and how it is given back.
public enum TerminalModes {
  /// Title kept, alternate screen, no autowrap, cursor keys and keypad as they are told apart everywhere, pastes in
  /// brackets, focus told, and keys with modifiers told wherever a terminal can (xterm's modifyOtherKeys, the kitty
  /// protocol's first step).
  public static func enter(mouse: Bool) -> [UInt8] {
    let modes =
      "\u{1B}[22;2t\u{1B}[?1049h\u{1B}[?7l\u{1B}[?1l\u{1B}>\u{1B}[?2004h\u{1B}[?1004h\u{1B}[>4;1m\u{1B}[>1u\u{1B}[0m"
    return Array(modes.utf8) + (mouse ? self.mouse(true) : [])
  }

  /// For lines, which need nothing of the terminal but to be told what is pasted; and back.
  public static func lines(_ isOn: Bool) -> [UInt8] { Array((isOn ? "\u{1B}[?2004h" : "\u{1B}[?2004l").utf8) }

  /// Tells clicks, drags and the wheel, with coordinates of any size; or leaves the mouse to the terminal.
  public static func mouse(_ isOn: Bool) -> [UInt8] {
    Array((isOn ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l").utf8)
  }

  /// Gives the terminal back as it was found, whatever is on, in the middle of a picture too. The same bytes always, so
  /// that a signal handler has them at hand.
  ///
  /// It begins with CAN (ECMA-48, 8.3.6), which ends an open sequence, and in tmux an open character too: the next one,
  /// whoever writes it, would be taken for the rest of that and be lost.
  public static let leave: [UInt8] = Array(
    ("\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}]8;;\u{1B}\\\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?1004l\u{1B}[?2004l"
      + "\u{1B}[>4m\u{1B}[<u\u{1B}[?7h\u{1B}[?1l\u{1B}>\u{1B}[?1049l\u{1B}[?25h\u{1B}[23;2t").utf8)
}
