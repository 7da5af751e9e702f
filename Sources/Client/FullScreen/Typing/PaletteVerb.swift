/// What can be asked for with words only; the raw value is its name.
public enum PaletteVerb: String, CaseIterable, Sendable {
  case search
  case author
  case conversation
  case list
  case tag
  case direct
  case post
  case follow
  case unfollow
  case mute
  case unmute
  case block
  case unblock
  case muteWord = "mute-word"
  case unmuteWord = "unmute-word"
  case makeList = "list-make"
  case renameList = "list-rename"
  case deleteList = "list-delete"
  case addToList = "list-add"
  case removeFromList = "list-remove"
  case session
  case renameSession = "session-rename"
  case deleteSession = "session-delete"
  case date
  case theme
  case width
  case importFile = "import"

  /// What it needs, each word of it one argument; the last takes all that is left.
  public var arguments: [String] {
    switch self {
    case .search: ["QUERY"]
    case .author, .follow, .unfollow, .mute, .unmute, .block, .unblock: ["AUTHOR"]
    case .muteWord, .unmuteWord: ["WORD"]
    case .conversation: ["ID"]
    case .list, .deleteList: ["LIST"]
    case .tag: ["TAG"]
    case .direct: ["NUMBER"]
    case .post: ["TEXT"]
    case .makeList, .session, .deleteSession, .theme: ["NAME"]
    case .renameList: ["LIST", "NAME"]
    case .addToList, .removeFromList: ["LIST", "AUTHOR"]
    case .renameSession: ["OLD", "NEW"]
    case .date: ["DATE"]
    case .width: ["COLUMNS"]
    case .importFile: ["FILE"]
    }
  }

  /// What it does, in a few words.
  public var summary: String {
    switch self {
    case .search: "find posts: words, \"phrases\", from:, #tag, before:, after:, has:link"
    case .author: "open an author's posts"
    case .conversation: "open the conversation around a post"
    case .list: "open a list"
    case .tag: "find a hashtag"
    case .direct: "open a direct conversation"
    case .post: "write a post"
    case .follow: "take an author's posts into your timeline"
    case .unfollow: "take them out of it"
    case .mute: "hide an author's posts; they are not told"
    case .unmute: "show them again"
    case .block: "mute an author, and neither of you follows the other"
    case .unblock: "the end of that"
    case .muteWord: "hide posts with a word, a phrase or a #tag"
    case .unmuteWord: "show them again"
    case .makeList: "make a list"
    case .renameList: "give a list another name"
    case .deleteList: "delete a list, and not its posts; asks first"
    case .addToList: "put an author into a list"
    case .removeFromList: "take an author out of it"
    case .session: "go to a session, which is made if there is none"
    case .renameSession: "give a session another name"
    case .deleteSession: "forget a session; asks first"
    case .date: "go to a date: 2024-03-03, or 2h, 3d, 1w ago"
    case .theme: "change how things look"
    case .width: "make the pane so many columns wide; 0 is as wide as others"
    case .importFile: "bring posts in from a file"
    }
  }
}
