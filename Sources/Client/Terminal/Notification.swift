/// Control sequences that make a terminal tell its user something.
public enum Notification {
  /// The bell.
  public static let bell: [UInt8] = [0x07]

  /// Returns OSC 9 with a text.
  public static func osc9(_ text: [UInt8]) -> [UInt8] { command("9;", text) }

  /// Returns OSC 777 with a title and a text.
  public static func osc777(title: String, _ text: [UInt8]) -> [UInt8] { command("777;notify;\(title);", text) }

  /// Returns OSC 99 with a text.
  public static func osc99(_ text: [UInt8]) -> [UInt8] { command("99;;", text) }

  /// Returns an operating system command (ECMA-48, 8.3.89).
  ///
  /// - Parameter text: a text without control characters, or it would end the sequence.
  private static func command(_ head: String, _ text: [UInt8]) -> [UInt8] {
    Array("\u{1B}]\(head)".utf8) + text + Array("\u{1B}\\".utf8)
  }

  /// Returns a sequence as tmux passes it on to its own terminal, if its option `allow-passthrough` is on. Without the
  /// option tmux drops it.
  public static func throughTmux(_ sequence: [UInt8]) -> [UInt8] {
    Array("\u{1B}Ptmux;".utf8) + sequence.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] } + Array("\u{1B}\\".utf8)
  }
}
