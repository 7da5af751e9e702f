/// What a style is for; the raw value is its name in a file (docs/THEMES.md).
public enum ThemeRole: String, CaseIterable, Sendable {
  // Everything, where nothing else is said.
  case text

  // Rows.
  case author
  case handle
  case label
  case mention
  case hashtag
  case link
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

  // The last line.
  case status
  case statusKey = "status-key"
  case statusWarning = "status-warning"

  // What lies over the panes.
  case panel
  case panelBorder = "panel-border"
  case panelTitle = "panel-title"
  case panelSelected = "panel-selected"
  case panelFaint = "panel-faint"
  case key
  case field
  case error

  /// What it is for, in a few words.
  public var summary: String {
    switch self {
    case .text: "everything that no other role says; its background is the screen's"
    case .author: "the name of who wrote a post"
    case .handle: "the handle behind it"
    case .label: "the time of a post"
    case .mention: "a person in a text"
    case .hashtag: "a topic in a text"
    case .link: "a link in a text"
    case .warning: "a content warning"
    case .counts: "the line below a text"
    case .repost: "who reposted"
    case .day: "the line above the first row of a day"
    case .border: "the lines around rows"
    case .borderFocused: "the same in the pane with the keys"
    case .borderSelected: "the same beside the selected row"
    case .selected: "what lies behind the selected row"
    case .pinned: "what lies behind it where it is pinned to an edge"
    case .guide: "the lines that lead from an answer to what it answers"
    case .unread: "how much is new"
    case .avatar: "the letters on an author's colour; its own colours are `avatars`"
    case .title: "the line above a pane"
    case .titleFocused: "the same above the pane with the keys"
    case .covered: "how many panes are covered"
    case .thumb: "the thumb of the scroll bar"
    case .clock: "the clock beside it"
    case .note: "what an empty pane says"
    case .navigation: "the rows of the navigation pane"
    case .navigationSelected: "the section that is open"
    case .navigationGlow: "a section with something new"
    case .navigationLine: "the lines between sections"
    case .account: "who one is"
    case .footer: "the handle below it, and the foot of the navigation pane"
    case .status: "the last line"
    case .statusKey: "a key in it"
    case .statusWarning: "something wrong in it"
    case .panel: "what lies over the panes"
    case .panelBorder: "the line around it"
    case .panelTitle: "its title"
    case .panelSelected: "what is chosen in it"
    case .panelFaint: "less important words in it"
    case .key: "a key in it"
    case .field: "what is typed"
    case .error: "what is wrong with it"
    }
  }
}
