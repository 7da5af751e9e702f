public import ViewState

/// Random views and changes of views.
public enum RandomView {
  /// Returns a row with the parts that tests look at.
  public static func row(_ id: UInt64, text: String, height: Int, caps: Caps, label: String) -> PlacedRow {
    let author = RowAuthor(id: id % 7, handle: Array("ann".utf8), displayName: Array("Ann".utf8), avatarURL: [])
    var fields = RowContent.Fields(rowID: id, author: author)
    fields.postID = id
    fields.text = Array(text.utf8)
    return PlacedRow(
      content: RowContent(fields), layout: RowLayout(height: height, lineEnds: [UInt32(text.utf8.count)]), caps: caps,
      label: label)
  }

  /// Returns a row with random values in every field of the schema.
  public static func row(_ id: UInt64, using random: inout some RandomNumberGenerator) -> PlacedRow {
    let words = ["a", "é漢", "word", "👩‍👩‍👧", "שלום", "line\nline", ""]
    func word(_ random: inout some RandomNumberGenerator) -> [UInt8] {
      Array(words.randomElement(using: &random)!.utf8)
    }
    let author = RowAuthor(
      id: .random(in: 1...9, using: &random), handle: word(&random), displayName: word(&random),
      avatarURL: word(&random), source: word(&random), isNamesake: .random(using: &random))
    var fields = RowContent.Fields(rowID: id, author: author)
    fields.postID = Bool.random(using: &random) ? id : id + 1000
    fields.createdAtMilliseconds = .random(in: -5_000_000...5_000_000_000_000, using: &random)
    if Bool.random(using: &random) { fields.repostedBy = author }
    fields.text = Array("some text of it ".utf8) + word(&random)
    if Bool.random(using: &random) {
      fields.spans = [
        RowSpan(kind: .mention, range: 0..<4, target: word(&random)),
        RowSpan(kind: .link, range: 5..<9, target: word(&random)),
      ]
      fields.media = [RowMedia(kind: .image, url: word(&random), altText: word(&random))]
    }
    fields.replies = .random(in: 0...3, using: &random)
    fields.reposts = .random(in: 0...3, using: &random)
    fields.favourites = .random(in: 0...3, using: &random)
    fields.visibility = .random(in: 0...3, using: &random)
    fields.contentWarning = word(&random)
    fields.language = word(&random)
    fields.permalink = word(&random)
    fields.inReplyTo = .random(in: 0...3, using: &random)
    fields.inReplyToHandle = word(&random)
    fields.flags = RowFlags(RowFlags.kinds.filter { _ in Bool.random(using: &random) }.map(\.flag))
    fields.kind = [.post, .list, .notice].randomElement(using: &random)!
    fields.direct = .random(in: 0...2, using: &random)
    fields.delivery = Delivery.allCases.randomElement(using: &random)!
    if fields.delivery == .failed { fields.failure = Array("not now".utf8) }
    fields.readMark = RowReadMark.allCases.randomElement(using: &random)!
    fields.isUnfolded = .random(using: &random)
    fields.listAuthors = .random(in: 0...2, using: &random)
    var placed = PlacedRow(
      content: RowContent(fields),
      layout: RowLayout(height: .random(in: 1...9, using: &random), lineEnds: [4, UInt32(fields.text.count)]),
      caps: Caps(rawValue: .random(in: 0...3, using: &random)),
      label: ["now", "1m", "2h", "about 2 hours ago", ""].randomElement(using: &random)!, day: day(using: &random))
    placed.tree = tree(using: &random)
    placed.layout.foldedLines = .random(in: 0...2, using: &random)
    return placed
  }

  private static func tree(using random: inout some RandomNumberGenerator) -> TreePlace {
    var place = TreePlace()
    place.depth = .random(in: 0...5, using: &random)
    place.collapsedReplies = .random(in: 0...2, using: &random)
    return place
  }

  private static func selection(using random: inout some RandomNumberGenerator) -> PaneSelection {
    var selection = PaneSelection()
    selection.rowID = .random(in: 0...3, using: &random)
    selection.pin = [.none, .top, .bottom].randomElement(using: &random)!
    if selection.pin != .none { selection.row = row(selection.rowID + 1, using: &random) }
    return selection
  }

  private static func profile(using random: inout some RandomNumberGenerator) -> ProfileSummary {
    var profile = ProfileSummary(author: row(7, using: &random).content.fields.author)
    profile.posts = .random(in: 0...9, using: &random)
    profile.followers = .random(in: 0...9, using: &random)
    profile.following = .random(in: 0...9, using: &random)
    profile.isFollowed = Bool.random(using: &random)
    profile.followsMe = Bool.random(using: &random)
    profile.isMe = Bool.random(using: &random)
    return profile
  }

  private static func navigation(using random: inout some RandomNumberGenerator) -> Navigation {
    var navigation = Navigation()
    if Bool.random(using: &random) { navigation.account = row(7, using: &random).content.fields.author }
    for section in Section.allCases {
      var row = Navigation.Row(section: section, label: "\(section)", icon: "≡")
      row.unseen = .random(in: 0...3, using: &random)
      row.isSelected = Bool.random(using: &random)
      navigation.rows.append(row)
    }
    navigation.footer = ["", "Stack"].randomElement(using: &random)!
    navigation.isCompact = Bool.random(using: &random)
    navigation.width = .random(in: 0...22, using: &random)
    return navigation
  }

  private static func day(using random: inout some RandomNumberGenerator) -> DayLine? {
    guard Int.random(in: 0..<4, using: &random) == 0 else { return nil }
    return DayLine(
      label: ["Today", "Yesterday", "3 مارس"].randomElement(using: &random)!,
      height: .random(in: 0...40, using: &random))
  }

  private static func clock(using random: inout some RandomNumberGenerator) -> PaneClock {
    var clock = PaneClock()
    clock.thumbTop = .random(in: 0...50, using: &random)
    clock.thumbLength = .random(in: 0...9, using: &random)
    clock.isVisible = Bool.random(using: &random)
    clock.top = .random(in: 0...50, using: &random)
    clock.hourHand = .random(in: 0...719, using: &random)
    clock.minuteHand = .random(in: 0...354, using: &random)
    clock.turn = [.none, .clockwise, .anticlockwise].randomElement(using: &random)!
    clock.label = ["", "2:05 PM", "Yesterday"].randomElement(using: &random)!
    clock.day = ["", "Today"].randomElement(using: &random)!
    clock.dayTop = .random(in: -9...0, using: &random)
    return clock
  }

  /// Returns a view with up to three panes.
  public static func make(using random: inout some RandomNumberGenerator) -> ViewSnapshot {
    var view = ViewSnapshot()
    view.epoch = 42
    view.revision = .random(in: 1...100, using: &random)
    for id in 1...UInt64.random(in: 1...3, using: &random) { view.panes.append(pane(id, using: &random)) }
    return view
  }

  private static func pane(_ id: UInt64, using random: inout some RandomNumberGenerator) -> Pane {
    var pane = Pane(
      header: PaneHeader(
        paneID: id, kind: id == 1 ? .timeline : .conversation, subject: id - 1, title: Array("Pane".utf8)))
    for row in 0..<UInt64.random(in: 0...12, using: &random) {
      pane.rows.append(Self.row(100 * id + row + 1, using: &random))
    }
    pane.status.rowCount = pane.rows.count
    return pane
  }

  /// Returns the view after one to four random changes, at a later revision.
  public static func change(_ view: ViewSnapshot, using random: inout some RandomNumberGenerator) -> ViewSnapshot {
    var view = view
    view.revision += .random(in: 1...3, using: &random)
    view.labelsAtMilliseconds += 1000
    view.sessionRevision = .random(in: 0...view.revision, using: &random)
    for _ in 0..<Int.random(in: 1...4, using: &random) { changeOnce(&view, using: &random) }
    return view
  }

  private static func changeOnce(_ view: inout ViewSnapshot, using random: inout some RandomNumberGenerator) {
    switch Int.random(in: 0...11, using: &random) {
    case 3: view.navigation = navigation(using: &random)
    case 0:
      let next = (view.panes.map(\.header.paneID).max() ?? 0) + 10
      view.panes.append(pane(next, using: &random))
    case 1: if view.panes.count > 1 { view.panes.removeLast() }
    case 2:
      view.position = .random(in: 0...4, using: &random)
      view.paneFrames = view.panes.map { frame(of: $0.header.paneID, using: &random) }
    default:
      guard let index = view.panes.indices.randomElement(using: &random) else { return }
      changeRows(&view.panes[index], using: &random)
    }
  }

  private static func frame(of pane: UInt64, using random: inout some RandomNumberGenerator) -> PaneFrame {
    var frame = PaneFrame(paneID: pane, x: .random(in: -5...90, using: &random), width: 58)
    frame.columnX = .random(in: 0...9, using: &random)
    frame.columnWidth = .random(in: 1...58, using: &random)
    frame.textX = .random(in: 0...9, using: &random)
    frame.textWidth = .random(in: 1...50, using: &random)
    frame.indent = .random(in: 0...3, using: &random)
    frame.isCompact = Bool.random(using: &random)
    frame.roundedSides = PaneFrame.RoundedSides(rawValue: .random(in: 0...3, using: &random))
    return frame
  }

  private static func changeRows(_ pane: inout Pane, using random: inout some RandomNumberGenerator) {
    let place = Int.random(in: 0...pane.rows.count, using: &random)
    let fresh = UInt64.random(in: 10_000...UInt64(UInt32.max), using: &random)
    switch Int.random(in: 0...13, using: &random) {
    case 10: pane.selection = selection(using: &random)
    case 11: if place < pane.rows.count { pane.rows[place].tree = tree(using: &random) }
    case 12: pane.status.profile = Bool.random(using: &random) ? profile(using: &random) : nil
    case 13: (pane.status.readingRow, pane.status.readingLine, pane.status.newRows) = (fresh, place, place)
    case 0, 1: pane.rows.insert(row(fresh, using: &random), at: place)
    case 2: if place < pane.rows.count { pane.rows.remove(at: place) }
    case 3: pane.rows.shuffle(using: &random)
    case 4: if place < pane.rows.count { pane.rows[place] = row(pane.rows[place].rowID, using: &random) }
    case 5: for index in pane.rows.indices { pane.rows[index].layout.height += 1 }
    case 6: pane.clock = clock(using: &random)
    case 7: if place < pane.rows.count { pane.rows[place].day = day(using: &random) }
    case 8:
      pane.status.anchorRow = place < pane.rows.count ? pane.rows[place].rowID : 0
      pane.status.anchorLine = .random(in: 0...9, using: &random)
    default: for index in pane.rows.indices { pane.rows[index].label = ["now", "3m"].randomElement(using: &random)! }
    }
    pane.status.rowCount = pane.rows.count
  }
}
