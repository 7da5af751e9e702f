import Messages
import Testing
import ViewState

@Suite("The byte examples in docs/PROTOCOL.md")
struct WireExamplesTests {
  private let document: WireDocument

  init() throws { document = try WireDocument() }

  @Test("a hello") func hello() throws {
    var layout = LayoutParameters(width: 80, height: 24)
    layout.isSinglePane = true
    layout.timeZone = "Europe/Berlin"
    let frame = ClientFrame.hello(Hello(session: "", layout: layout, client: "demo 1.0"))
    let bytes = try document.bytes("hello", of: "ClientFrame")
    #expect(try ClientFrame(decoding: bytes) == frame)
    #expect(frame.encoded() == bytes)
  }

  @Test("a hello that resumes") func resume() throws {
    var mirror = ViewSnapshot()
    try mirror.apply(try Frame(decoding: try document.bytes("first", of: "ServerFrame")))
    try mirror.apply(try Frame(decoding: try document.bytes("delta", of: "ServerFrame")))
    var layout = LayoutParameters(width: 80, height: 24)
    layout.isSinglePane = true
    layout.timeZone = "Europe/Berlin"
    let frame = ClientFrame.hello(Hello(session: "", layout: layout, client: "demo 1.0", resume: mirror.resume))
    let bytes = try document.bytes("resume", of: "ClientFrame")
    #expect(try ClientFrame(decoding: bytes) == frame)
    #expect(frame.encoded() == bytes)
  }

  @Test("the first frame") func first() throws {
    let bytes = try document.bytes("first", of: "ServerFrame")
    #expect(try Frame(decoding: bytes) == Self.first)
    #expect(Self.first.encoded() == bytes)
  }

  @Test("a delta") func delta() throws {
    let bytes = try document.bytes("delta", of: "ServerFrame")
    #expect(try Frame(decoding: bytes) == Self.delta)
    #expect(Self.delta.encoded() == bytes)
  }

  @Test("an acknowledgement") func acknowledgement() throws {
    let bytes = try document.bytes("ack", of: "ClientFrame")
    #expect(try ClientFrame(decoding: bytes) == .ack(1))
    #expect(ClientFrame.ack(1).encoded() == bytes)
  }

  @Test("the frames apply in order, and a diff finds the same delta") func applied() throws {
    var mirror = ViewSnapshot()
    try mirror.apply(try Frame(decoding: try document.bytes("first", of: "ServerFrame")))
    let before = mirror
    try mirror.apply(try Frame(decoding: try document.bytes("delta", of: "ServerFrame")))
    #expect(mirror.operations(from: before) == Self.delta.operations)
    let shown = mirror.panes[0].rows.map { row in
      "\(String(decoding: row.content.fields.text, as: UTF8.self)) \(row.label) \(row.caps.rawValue)"
    }
    #expect(shown == ["Two of them. now 1", "Otter. #sea 1m 2"])
  }

  @Test("are all covered by these tests") func complete() {
    #expect(Set(document.examples.keys) == ["hello", "first", "ack", "delta", "resume"])
  }

  // MARK: The values

  private static let layoutKey: UInt64 = 0x5BD1_E995_A3C2_470F

  private static let limits: Welcome.Limits = {
    var limits = Welcome.Limits()
    limits.requestBytes = 65_536
    limits.windowRows = 200
    limits.responseBytes = 4 << 20
    limits.panes = 64
    limits.stallTimeoutMilliseconds = 60_000
    return limits
  }()

  private static let first: Frame = {
    var frame = makeFrame(number: 1, base: 0, revision: 7, at: 1_791_979_235_000)
    frame.reset = .first
    frame.welcome = Welcome(
      viewID: 1_739_250_194_823, session: "main", daemonVersion: "0.1.0", limits: limits)
    frame.layoutKey = layoutKey
    frame.body = FrameBody([
      .panePushed(PaneHeader(paneID: 1, kind: .timeline, subject: 0, title: Array("Timeline".utf8))),
      .stackMoved(position: 0, frames: [place]),
      .rowsInserted(pane: 1, after: 0, rows: [otter]),
      .paneStatus(pane: 1, status(rows: 1)),
    ])
    return frame
  }()

  private static let place: PaneFrame = {
    var place = PaneFrame(paneID: 1, x: 0, width: 80)
    place.columnWidth = 80
    place.textWidth = 79
    place.isCompact = true
    return place
  }()

  private static let delta: Frame = {
    var frame = makeFrame(number: 2, base: 7, revision: 8, at: 1_791_979_260_000)
    frame.pacing.ageMilliseconds = 3
    frame.body = FrameBody([
      .rowsInserted(pane: 1, after: 0, rows: [two]),
      .rowsChanged(pane: 1, changes: [RowChange(rowID: 3, caps: .bottom, row: nil)]),
      .paneStatus(pane: 1, status(rows: 2)),
      .timesRefreshed(pane: 1, labels: ["1m"], rows: [3], indexes: [0]),
    ])
    return frame
  }()

  private static let otter: PlacedRow = {
    var fields = RowContent.Fields(rowID: 3, author: ann)
    fields.postID = 3
    fields.createdAtMilliseconds = 1_791_979_200_000
    fields.text = Array("Otter. #sea".utf8)
    fields.spans = [RowSpan(kind: .hashtag, range: 7..<11, target: Array("sea".utf8))]
    fields.favourites = 2
    fields.fingerprint = 0x8C2F_5E0B_7D91_A346
    return PlacedRow(
      content: RowContent(fields), layout: RowLayout(height: 4, lineEnds: [11]), caps: [.top, .bottom], label: "35s")
  }()

  private static let two: PlacedRow = {
    var fields = RowContent.Fields(rowID: 4, author: ann)
    fields.postID = 4
    fields.createdAtMilliseconds = 1_791_979_260_000
    fields.text = Array("Two of them.".utf8)
    fields.fingerprint = 0x1F60_D3A9_4C7B_E825
    return PlacedRow(
      content: RowContent(fields), layout: RowLayout(height: 3, lineEnds: [12]), caps: .top, label: "now")
  }()

  private static let ann = RowAuthor(id: 1, handle: Array("ann".utf8), displayName: Array("Ann".utf8), avatarURL: [])

  private static func makeFrame(number: UInt64, base: UInt64, revision: UInt64, at instant: Int64) -> Frame {
    var frame = Frame()
    frame.number = number
    frame.epoch = 0x1122_3344_5566_7788
    frame.baseRevision = base
    frame.revision = revision
    frame.generations.layout = 1
    frame.labelsAtMilliseconds = instant
    frame.sessionRevision = 5
    return frame
  }

  private static func status(rows: Int) -> PaneStatus {
    var status = PaneStatus()
    status.rowCount = rows
    status.totalHeight = 1 + 3 * rows
    status.isExact = true
    return status
  }
}
