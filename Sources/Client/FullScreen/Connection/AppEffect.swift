public import ClientCore
public import Messages

/// An effect that an ``App`` asks for.
public enum AppEffect: Equatable, Sendable {
  /// Connect after some milliseconds.
  case connect(after: Int64)
  /// Open a view in place of the current one.
  case attach(Hello)
  /// Watch the sources of the account.
  case watchSources
  /// Send a frame on the view's stream.
  case send(ClientFrame)
  /// Make a call. Its answer arrives under its number.
  case call(UInt64, method: String, request: [UInt8])
  /// Send a file to the source of a new post. The answer arrives under the number.
  case upload(UInt64, String, UploadMediaHeader)
  /// Stop sending the file.
  case cancelUpload
  /// Open a text in the user's editor.
  case edit(String)
  /// Open an address in the user's browser.
  case browse([UInt8])
  /// Run a command, given as words, on the terminal, with bytes as its input.
  case pipe([String], [UInt8])
  /// Copy a text to the terminal's clipboard.
  case copy([UInt8])
  /// Import a file, in a separate process.
  case importFile(String)
  /// Tell the user something outside of the screen, as the settings say.
  case notify(String)
  /// List the files of a folder, given as typed; empty for the current one.
  case listFiles(String)
  /// Report mouse events to the program, or leave the mouse to the terminal.
  case setMouse(Bool)
  /// Remember in later runs whether wide screens show a preview.
  case remember(hasPreview: Bool)
  /// Paint the whole screen again.
  case repaint
  /// Suspend the program, as Ctrl-Z does.
  case suspend
  /// Quit, with a failure if something went wrong.
  case quit(failure: ClientFailure?)
}
