internal import ClientCore
internal import Messages
internal import ViewState

/// A list of the account that the shell prints, as a menu.
enum Listing: Equatable {
  case people
  case drafts
  case outbox
  case muted
  case follows
  case followers
  case imports
  case sources

  /// The title of the menu.
  var title: String {
    switch self {
    case .people: "People"
    case .drafts: "Drafts"
    case .outbox: "Outbox"
    case .muted: "Muted and blocked"
    case .follows: "You follow"
    case .followers: "Your followers"
    case .imports: "Imports"
    case .sources: "Sources"
    }
  }

  /// The notice for an empty list.
  var emptyNotice: String {
    switch self {
    case .people: "No one is here."
    case .drafts: "No drafts."
    case .outbox: "The outbox is empty."
    case .muted: "Nothing is muted."
    case .follows: "You follow no one."
    case .followers: "No followers yet."
    case .imports: "No imports to take back."
    case .sources: "No program brings you posts."
    }
  }

  /// Returns the items of the menu for the daemon's answer.
  func items(_ bytes: [UInt8]) -> [(Menu.Item, Dialog.Choice)] {
    switch self {
    case .people:
      let people = (try? ListPeopleResponse(decoding: bytes))?.people ?? []
      return people.map { (Self.item(of: $0.record), .author(String($0.author.id))) }
    case .drafts:
      let drafts = (try? ListDraftsResponse(decoding: bytes))?.drafts ?? []
      return drafts.map { (Menu.Item($0.beginning, detail: $0.occasion), .draft($0)) }
    case .outbox:
      let entries = (try? ListOutboxResponse(decoding: bytes))?.entries ?? []
      return entries.map { (Menu.Item($0.beginning, detail: $0.occasion), .post($0.postID)) }
    case .muted:
      let items = (try? ListMutedResponse(decoding: bytes))?.items ?? []
      return items.map { (Self.item(of: MutedItem.record(of: [$0])), Self.choice(of: $0)) }
    case .follows, .followers:
      let authors = (try? FollowsResponse(decoding: bytes))?.authors ?? []
      return authors.map { (Self.item(of: $0.record), .author(String($0.id))) }
    case .imports:
      let imports = (try? ListImportsResponse(decoding: bytes))?.imports ?? []
      return imports.map { (Self.item(of: $0.record), .nothing) }
    case .sources:
      let page = try? ListSourcesResponse(decoding: bytes)
      let sources = page?.sources ?? []
      // What needs attention comes first.
      let sorted = sources.filter { !$0.status.state.isWell } + sources.filter(\.status.state.isWell)
      let items = sorted.map { source -> (Menu.Item, Dialog.Choice) in
        (Self.item(of: source.record), source.authorID == 0 ? .nothing : .author(String(source.authorID)))
      }
      return page?.nextPageToken.isEmpty == false ? Self.cut(items) : items
    }
  }

  /// Returns the beginning of a list that is longer than a menu, with an item that says so.
  private static func cut(_ items: [(Menu.Item, Dialog.Choice)]) -> [(Menu.Item, Dialog.Choice)] {
    let shown = items.prefix(Menu.limit - 1)
    let note = "Only \(NumberText.grouped(shown.count)) are shown. `stack-client sources` lists all."
    return Array(shown) + [(Menu.Item(note), .nothing)]
  }

  private static func choice(of item: MutedItem) -> Dialog.Choice {
    switch item {
    case .author(let author), .blocked(let author): .author(String(author.id))
    case .conversation(let conversation): .post(conversation.postID)
    case .word, .unknown: .nothing
    }
  }

  /// Returns a record as an item: its first line, and the others as the detail.
  private static func item(of record: Record) -> Menu.Item {
    let lines = record.lines.map { line in String(decoding: line.flatMap(\.text), as: UTF8.self) }
    return Menu.Item(lines.first ?? "", detail: lines.dropFirst().joined(separator: " · "))
  }
}
