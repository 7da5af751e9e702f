public import ViewState

/// The options of an ``App``.
public struct AppOptions: Sendable {
  /// The layout and labels of rows. The app sets size, clock and day lines itself.
  public var layout: LayoutParameters
  /// The session's name; empty for main.
  public var session = ""
  public var program = Program()
  public var keymap = Keymap.standard
  public var theme = Theme.dark
  /// The themes that can be chosen by name.
  public var themes = Theme.builtIn
  public var glyphs = Glyphs.unicode
  /// True if panes and clock hands move gradually.
  public var animates = true
  public var toggles = Toggles()
  public var notify = NotifySettings()
  /// The errors in the configuration files, one line each, shown at the start.
  public var complaints: [String] = []
  /// The offsets of wall-clock time.
  public var clock = Clock()

  /// What the daemon is told about this run of the program.
  public struct Program: Sendable {
    /// The name and version.
    public var name = ""
    /// The prefix of request ids: unguessable, and new for each run.
    public var requestPrefix = ""
  }

  /// What a key turns on and off.
  public struct Toggles: Sendable {
    public var hasMouse = false
    /// True if wide screens show a preview beside the panes.
    public var hasPreview = true
  }

  /// The offsets of wall-clock time from the clock of events.
  public struct Clock: Sendable {
    /// The milliseconds since 1970 minus the time of events.
    public var wallOffset: Int64 = 0
    /// The seconds that local time is ahead of UTC.
    public var localOffset: Int64 = 0
  }

  /// Default options with this layout.
  public init(layout: LayoutParameters) { self.layout = layout }
}
