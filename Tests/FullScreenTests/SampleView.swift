import FullScreen
import TextLayout
import ViewState

/// Builds views as the daemon would send them, with its pane geometry and line breaks.
struct SampleView {
  /// A post to lay out.
  struct Post: Sendable {
    var id: UInt64
    var name: String
    var handle: String
    var text: String
    var label = "2h"
    var day: String?
    var repostedBy: String?
    var depth = 0
    var edit: @Sendable (inout RowContent.Fields) -> Void = { _ in }
  }

  var snapshot = ViewSnapshot()
  let columns: Int
  let lines: Int
  private var wanted: [Int] = []

  init(columns: Int, lines: Int) {
    self.columns = columns
    self.lines = lines
  }

  var state: ScreenState {
    var state = ScreenState(columns: columns, lines: lines)
    state.status.connection = .live
    state.status.hints = [("j k", "posts"), ("Enter", "opens"), ("?", "keys")]
    state.focused = FocusedPane(paneID: snapshot.panes.last?.header.paneID ?? 0)
    return state
  }

  /// Adds a pane at the right, and goes to a position, by default the greatest.
  mutating func push(
    _ kind: PaneHeader.Kind, _ title: String, _ posts: [Post], width: Int = 0, query: String = "", position: Int? = nil
  ) {
    let id = UInt64(snapshot.panes.count + 1)
    snapshot.panes.append(
      Pane(header: PaneHeader(paneID: id, kind: kind, subject: 0, title: Array(title.utf8), query: Array(query.utf8))))
    wanted.append(width)
    place(at: position)
    let frame = snapshot.paneFrames[snapshot.paneFrames.count - 1]
    var pane = snapshot.panes[snapshot.panes.count - 1]
    pane.rows = posts.enumerated().map { number, post in
      Self.row(post, frame, caps: (number == 0 ? [.top] : Caps()).union(number == posts.count - 1 ? .bottom : []))
    }
    pane.status.rowCount = posts.count
    pane.status.isExact = true
    let (seen, all) = (state.viewHeight, pane.rows.reduce(0) { $0 + $1.height })
    if all > seen { pane.clock.thumbLength = max(1, seen * seen / all) }
    pane.clock.day = posts.first?.day ?? ""
    snapshot.panes[snapshot.panes.count - 1] = pane
  }

  /// Adds a preview of a post's conversation beside the topmost pane.
  mutating func preview(_ post: UInt64, _ posts: [Post]) {
    guard let last = snapshot.paneFrames.last else { return }
    let id = 1 << 63 | post
    var frame = PaneFrame(paneID: id, x: last.x + last.width + 2, width: min(80, columns - last.x - last.width - 2))
    let column = RowMetrics.cells.column(paneWidth: frame.width)
    (frame.columnX, frame.columnWidth) = (column.x, column.width)
    (frame.textX, frame.textWidth) = (column.textX, column.textWidth)
    (frame.indent, frame.roundedSides) = (2, [.left, .right])
    var header = PaneHeader(paneID: id, kind: .conversation, subject: post, title: Array("Conversation".utf8))
    header.isPreview = true
    var pane = Pane(header: header)
    pane.rows = posts.enumerated().map { number, post in
      Self.row(post, frame, caps: (number == 0 ? [.top] : Caps()).union(number == posts.count - 1 ? .bottom : []))
    }
    pane.status.rowCount = posts.count
    pane.status.isExact = true
    snapshot.panes.append(pane)
    snapshot.paneFrames.append(frame)
  }

  /// Lays the panes out.
  mutating func place(at position: Int?) {
    let geometry = SampleGeometry(width: columns, wanted: wanted)
    let position = position ?? geometry.positions.last ?? 0
    snapshot.position = UInt32(position)
    snapshot.paneFrames = zip(snapshot.panes, zip(geometry.lefts(at: position), geometry.widths)).map { pane, place in
      var frame = PaneFrame(paneID: pane.header.paneID, x: place.0, width: place.1)
      let column = RowMetrics.cells.column(paneWidth: place.1)
      (frame.columnX, frame.columnWidth) = (column.x, column.width)
      (frame.textX, frame.textWidth) = (column.textX, column.textWidth)
      frame.isCompact = column.isCompact
      frame.indent = pane.header.kind == .conversation ? min(2, column.textWidth / 2 / 5) : 0
      if !column.isCompact { frame.roundedSides = pane.header.paneID == 1 ? [.left, .right] : .right }
      return frame
    }
    var navigation = Navigation()
    navigation.account = Self.author("Ann Archer", "ann", id: 9)
    let icons = ["⌂", "@", "≣", "✉", "☻", "⌕"]
    for (section, (label, icon)) in zip(
      Section.allCases, zip(["Timeline", "Mentions", "Lists", "Messages", "Profile", "Search"], icons))
    {
      var row = Navigation.Row(section: section, label: label, icon: icon)
      row.isSelected = section == .timeline
      row.unseen = section == .mentions ? 12 : section == .messages ? 3 : 0
      navigation.rows.append(row)
    }
    navigation.footer = "Stack"
    navigation.isCompact = position > 0
    navigation.width = position > 0 ? 4 : 22
    snapshot.navigation = navigation
  }

  static func author(_ name: String, _ handle: String, id: UInt64) -> RowAuthor {
    RowAuthor(id: id, handle: Array(handle.utf8), displayName: Array(name.utf8), avatarURL: [])
  }

  static func row(_ post: Post, _ frame: PaneFrame, caps: Caps) -> PlacedRow {
    var fields = RowContent.Fields(
      rowID: post.id,
      author: author(post.name, post.handle, id: UInt64(post.handle.utf8.reduce(7) { $0 &* 31 &+ Int($1) })))
    fields.postID = post.id
    fields.text = Array(post.text.utf8)
    if let name = post.repostedBy { fields.repostedBy = author(name, name.lowercased(), id: 77) }
    post.edit(&fields)
    var ends: [UInt32] = []
    wrap(
      fields.text.span, width: frame.textWidth - post.depth * frame.indent, metrics: .cells(CellProfile()), into: &ends)
    let height = RowMetrics.cells.height(
      lines: ends.count, isRepost: fields.repostedBy != nil, hasFacts: fields.hasFacts, isCompact: frame.isCompact)
    var row = PlacedRow(
      content: RowContent(fields), layout: RowLayout(height: height, lineEnds: ends), caps: caps, label: post.label,
      day: post.day.map { DayLine(label: $0, height: 1) })
    row.tree.depth = post.depth
    return row
  }

  /// Adds a span over the first occurrence of `words` in the text.
  static func span(_ kind: RowSpan.Kind, _ words: String, in fields: inout RowContent.Fields, target: String? = nil) {
    let needle = Array(words.utf8)
    guard
      let start = (0...max(0, fields.text.count - needle.count)).first(where: {
        fields.text[$0...].starts(with: needle)
      })
    else { return }
    fields.spans.append(
      RowSpan(
        kind: kind, range: start..<start + needle.count, target: Array((target ?? String(words.dropFirst())).utf8)))
  }

  /// Posts in many scripts.
  static let posts = [
    Post(
      id: 11, name: "Bertil Öst", handle: "bertil",
      text: "Otter at the old quay again, @ann. Pictures: https://example.org/otter #otter",
      label: "5m", day: "Today",
      edit: { fields in
        span(.mention, "@ann", in: &fields)
        span(.link, "https://example.org/otter", in: &fields, target: "https://example.org/otter")
        span(.hashtag, "#otter", in: &fields)
        (fields.replies, fields.favourites) = (2, 25)
      }),
    Post(
      id: 10, name: "遥 HARUKA", handle: "haruka", text: "仕様です。港の時計は二分おくれていますが、船は時間どおりに出ます。", label: "1h",
      edit: { $0.favourites = 7 }),
    Post(
      id: 9, name: "נועה ברקת", handle: "noa", text: "הספרייה פתוחה היום עד שמונה. Bring the atlas back!", label: "3h",
      repostedBy: "Teodor"),
    Post(
      id: 8, name: "مها الساحل", handle: "maha",
      text: "السفينة وصلت إلى الميناء عند الفجر، والقهوة جاهزة في المقهى القديم.", label: "9h",
      day: "Yesterday", edit: { $0.reposts = 1 }),
    Post(id: 7, name: "मीरा जोशी", handle: "mira", text: "बंदरगाह पर आज बहुत हवा है, नावें धीरे लौट रही हैं।", label: "Nov 3"),
    Post(
      id: 6, name: "Family 👩‍👩‍👧", handle: "fam", text: "Breakfast on board 🥐☕️ and a flag 🇸🇪, then 👍🏽 to the pilot 🚢🚢🚢",
      label: "Nov 3",
      edit: {
        $0.media = [
          RowMedia(kind: .image, url: Array("https://example.org/a".utf8), altText: Array("A table on deck".utf8))
        ]
      }),
    Post(
      id: 5, name: "Old Salt", handle: "salt", text: "The ending is that the ship was theirs all along.",
      label: "Nov 2",
      edit: { $0.contentWarning = Array("end of the film".utf8) }),
    Post(id: 4, name: "ann", handle: "ann", text: "one\n\nthree", label: "Nov 1"),
  ]

  /// A conversation as a tree.
  static let thread = [
    Post(
      id: 21, name: "Ann Archer", handle: "ann", text: "Who has seen the otter this week?", label: "2h", day: "Today"),
    Post(
      id: 22, name: "Bertil Öst", handle: "bertil",
      text: "This morning, at the old quay, with a fish that was longer than it was.", label: "1h", depth: 1),
    Post(id: 23, name: "遥 HARUKA", handle: "haruka", text: "私も見ました。とても大きな魚でした。", label: "50m", depth: 2),
    Post(
      id: 24, name: "Deep Diver", handle: "deep", text: "So far down the tree that it goes no further.", label: "40m",
      depth: 5),
    Post(id: 25, name: "Old Salt", handle: "salt", text: "It is two otters.", label: "5m", depth: 1),
  ]
}
