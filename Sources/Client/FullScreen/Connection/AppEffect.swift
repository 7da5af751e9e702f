public import Messages

/// What an ``App`` wants done.
public enum AppEffect: Equatable, Sendable {
  /// A connection, after some milliseconds.
  case connect(after: Int64)
  /// A view in place of the one there is.
  case attach(Hello)
  /// Something said on the view's stream.
  case send(ClientFrame)
  /// A call, whose answer comes under its number.
  case call(UInt64, method: String, request: [UInt8])
  /// The person's editor on a text.
  case edit(String)
  /// The person's browser on an address.
  case browse([UInt8])
  /// A command, as words, that gets the terminal and bytes as its input.
  case pipe([String], [UInt8])
  /// A text in the terminal's clipboard.
  case copy([UInt8])
  /// An import of a file, by a program of its own.
  case importFile(String)
  /// The mouse told to us, or left to the terminal.
  case setMouse(Bool)
  /// The screen painted anew.
  case repaint
  /// The program stopped, as by Ctrl-Z.
  case suspend
  /// The end; with words where something went wrong.
  case quit(failure: String?)
}
