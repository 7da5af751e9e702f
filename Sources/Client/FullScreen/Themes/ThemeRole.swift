/// The purpose of a style. The raw value is its name in a theme file (docs/THEMES.md).
public enum ThemeRole: String, CaseIterable, Sendable {
  // The default for everything.
  case text

  // Rows.
  case author
  case handle
  case label
  case mention
  case hashtag
  case link
  case found
  case warning
  case counts
  case repost
  case day
  case border
  case borderFocused = "border-focused"
  case borderSelected = "border-selected"
  case selected
  case pinned
  case guide
  case unread
  case avatar

  // Around rows.
  case title
  case titleFocused = "title-focused"
  case covered
  case thumb
  case clock
  case note

  // The navigation pane.
  case navigation
  case navigationSelected = "navigation-selected"
  case navigationGlow = "navigation-glow"
  case navigationLine = "navigation-line"
  case account
  case footer

  // The status line.
  case status
  case statusKey = "status-key"
  case statusWarning = "status-warning"

  // Overlays.
  case panel
  case panelBorder = "panel-border"
  case panelTitle = "panel-title"
  case panelSelected = "panel-selected"
  case panelFaint = "panel-faint"
  case key
  case field
  case error

  /// A short description of the role.
  public var summary: String {
    switch self {
    case .text: "everything without a role of its own; its background is the screen's"
    case .author: "an author's name"
    case .handle: "an author's handle"
    case .label: "the time of a post"
    case .mention: "a mention in a post"
    case .hashtag: "a hashtag in a post"
    case .link: "a link in a post"
    case .found: "the words that were searched for in a post"
    case .warning: "a content warning"
    case .counts: "the line of counts below a post"
    case .repost: "the line that names the reposter"
    case .day: "the line above the first post of a day"
    case .border: "the lines between posts, and the right edge of panes"
    case .borderFocused: "the right edge of the focused pane"
    case .borderSelected: "the mark beside the selected post"
    case .selected: "the background of the selected post"
    case .pinned: "the background of the selected post while it is pinned to an edge"
    case .guide: "the lines from a reply to its parent"
    case .unread: "the number of new posts"
    case .avatar: "the letters of an avatar; its background is one of `avatars`"
    case .title: "a pane's title"
    case .titleFocused: "the focused pane's title"
    case .covered: "the number of covered panes"
    case .thumb: "the thumb of the scroll bar"
    case .clock: "the clock beside the scroll bar"
    case .note: "the text in an empty pane"
    case .navigation: "the rows of the navigation pane"
    case .navigationSelected: "the open section"
    case .navigationGlow: "a section with new posts"
    case .navigationLine: "the lines between sections"
    case .account: "your name"
    case .footer: "your handle, and the foot of the navigation pane"
    case .status: "the status line"
    case .statusKey: "a key in the status line"
    case .statusWarning: "a warning in the status line"
    case .panel: "a box over the panes"
    case .panelBorder: "the border of a box"
    case .panelTitle: "the title of a box"
    case .panelSelected: "the selected item in a box"
    case .panelFaint: "secondary text in a box"
    case .key: "a key in a box"
    case .field: "text that is typed into a box"
    case .error: "an error in a box"
    }
  }
}
