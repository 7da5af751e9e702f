public import ViewState

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
  /// Clocks on the wall.
  public var clock = Clock()

  /// Clocks on the wall, by the clock that events are told by.
  public struct Clock: Sendable {
    /// Milliseconds since 1970, less those of the clock that events are told by.
    public var wallOffset: Int64 = 0
    /// Seconds that local time is ahead of UTC.
    public var localOffset: Int64 = 0
  }

  /// Rows laid out so, and everything else as it usually is.
  public init(layout: LayoutParameters) { self.layout = layout }
}
