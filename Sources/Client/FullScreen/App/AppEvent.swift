public import Messages
public import Terminal
public import ViewState

/// What happens to an ``App``.
public enum AppEvent: Sendable {
  /// A connection stands: a view can be opened on it.
  case connected
  /// There is none, or it could not be made; why, in words.
  case disconnected(String)
  /// The view got a frame.
  case frame(Frame)
  /// The view's stream is over.
  case viewEnded(CallEnd)
  /// A call has its answer, under the number that it was made with.
  case answered(UInt64, Result<[UInt8], CallEnd>)
  /// Somebody did something.
  case input(InputEvent)
  /// The terminal has so many cells now.
  case resized(columns: Int, lines: Int)
  /// All that was drawn is on the screen.
  case painted
  /// It is time for what ``App/nextTick`` said.
  case tick
  /// An editor has ended: with a text, or with words about why not.
  case edited(Result<String, CallEnd>)
  /// A program that was started has something to say.
  case notice(String, isWarning: Bool)
}

/// How a call ended, if not well.
public struct CallEnd: Error, Equatable, Sendable {
  /// gRPC's number of it.
  public var code: Int
  /// A sentence for people.
  public var message: String

  /// Puts the parts together.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }

  static let ok = 0
  static let deadlineExceeded = 4
  static let cancelled = 1
  static let notFound = 5
  static let resourceExhausted = 8
  static let unavailable = 14

  /// Nobody knows whether it was done, or it can be tried again.
  var isTransient: Bool { [Self.cancelled, Self.deadlineExceeded, Self.unavailable].contains(code) }
}

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

/// What an ``App`` is made with.
public struct AppOptions: Sendable {
  /// How rows are laid out and labelled; size, clock and days are the app's own.
  public var layout: LayoutParameters
  /// Empty for main.
  public var session = ""
  /// Name and version of the program.
  public var client = ""
  public var keymap = Keymap.standard
  public var theme = Theme.dark
  /// Those that can be chosen by name.
  public var themes = Theme.builtIn
  public var glyphs = Glyphs.unicode
  /// Panes and clocks move, instead of being elsewhere.
  public var animates = true
  public var hasMouse = false
  /// What is wrong with the files of keys and themes, a line each; shown first.
  public var complaints: [String] = []
  /// What ids of requests begin with: not to be guessed, and new each time.
  public var requestPrefix = ""
  /// Milliseconds since 1970, less those of the clock that events are told by.
  public var wallClockOffset: Int64 = 0
  /// Seconds that local time is ahead of UTC.
  public var localOffset: Int64 = 0

  /// Rows laid out so, and everything else as it usually is.
  public init(layout: LayoutParameters) { self.layout = layout }
}
