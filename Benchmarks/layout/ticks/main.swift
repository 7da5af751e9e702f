// Runs a million posts and twenty views through a week in which only time passes; ticks.py describes the measurements.
//
// The engine is called only at its deadlines. Before and after each call, every label of every view is computed again
// and compared. A wrong label, a label sent without a change, and a call without effect each count as a fault.

internal import Dates
internal import Engine
internal import Glibc
internal import Posts
internal import ViewState

/// Returns the CPU time of this thread in nanoseconds.
func threadNanoseconds() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Twenty views of a timeline with posts a minute apart, the newest from the start of the week.
struct Week: ~Copyable {
  static let views = 20
  static let styles: [LayoutParameters.TimeStyle] = [.veryShort, .words, .short, .long]
  let posts: Int
  let start = Instant(seconds: 1_800_000_000)
  var now = Instant(seconds: 1_800_000_000)
  var engine = StackEngine(epoch: 1, revision: 1)
  var held: [ViewSnapshot] = Array(repeating: ViewSnapshot(), count: Week.views)
  /// Nanoseconds in the engine, its calls, the labels it sent, and faults.
  var spent = 0
  var wakes = 0
  var labels = 0
  var faults = 0

  init(posts: Int) { self.posts = posts }

  func createdAt(_ number: Int) -> Instant { start.adding(milliseconds: Int64(number - posts) * 60_000) }

  mutating func handle(_ input: Input) {
    var inputs = [input]
    while !inputs.isEmpty {
      let began = threadNanoseconds()
      let effects = engine.handle(inputs.removeFirst(), at: now)
      var frames: [(view: Int, frame: Frame)] = []
      for case .viewsReady(let ids) in effects {
        for id in ids {
          if let frame = engine.nextFrame(of: id, at: now) { frames.append((Int(id.rawValue) - 1, frame)) }
        }
      }
      spent += threadNanoseconds() - began
      for (view, frame) in frames {
        count(frame, view)
        do { try held[view].apply(frame) } catch { fatalError("cannot apply a frame: \(error)") }
      }
      for case .load(let id, let load) in effects { inputs.append(.loaded(id, result(of: load))) }
    }
  }

  /// Counts the labels of a frame, and those without a change as faults.
  private mutating func count(_ frame: Frame, _ view: Int) {
    for case .timesRefreshed(_, let texts, let rows, let indexes) in frame.operations {
      for (row, index) in zip(rows, indexes) {
        labels += 1
        if held[view].panes[0].rows.first(where: { $0.rowID == row })?.label == texts[Int(index)] { faults += 1 }
      }
    }
  }

  /// Counts the wrong labels at an instant as faults.
  mutating func check(at instant: Instant) {
    for view in 0..<Self.views {
      for row in held[view].panes[0].rows {
        let createdAt = Instant(milliseconds: row.content.fields.createdAtMilliseconds)
        if row.label != label(for: createdAt, now: instant, zone: .utc, style: Self.style(view)).text { faults += 1 }
      }
    }
  }

  private static func style(_ view: Int) -> LabelStyle {
    switch styles[view % 4] {
    case .veryShort: .veryShort
    case .words: .words
    case .short: .short
    case .long: .long
    case .withinDay: .withinDay
    }
  }

  /// Opens the views, each further down than the last, and runs until only time can change them.
  mutating func open() {
    for view in 0..<Self.views {
      var layout = LayoutParameters(width: 80, height: 50)
      layout.isSinglePane = true
      layout.timeStyle = Self.styles[view % 4]
      var viewport = ViewportParameters()
      viewport.anchorRow = UInt64(posts - view * view * 2_500)
      handle(
        .viewOpened(
          ViewID(UInt64(view) + 1),
          ViewOpening(
            session: SessionKey(account: AccountID(1), name: ""), layout: layout, zone: .utc, viewport: viewport,
            acknowledges: false)))
    }
    while let deadline = engine.nextDeadline, deadline <= start.adding(milliseconds: 1000) {
      now = max(now, deadline)
      handle(.timePassed)
    }
    (spent, labels) = (0, 0)
  }

  /// Runs a week.
  mutating func run() {
    let end = start.adding(milliseconds: 7 * 86_400_000)
    while let deadline = engine.nextDeadline, deadline <= end {
      check(at: deadline.adding(milliseconds: -1))
      now = deadline
      let before = labels
      handle(.timePassed)
      wakes += 1
      if labels == before { faults += 1 }
      check(at: now)
    }
  }

  private func result(of load: Load) -> LoadResult {
    guard case .page(_, let before, let limit) = load else { return .session(LoadedSession(bytes: nil, revision: 0)) }
    let end = before.map { Int($0.id.rawValue) - 1 } ?? posts
    let body = PackedBody(PostBody(text: SafeText("a post"), visibility: .public))
    let slice = stride(from: end, to: max(0, end - limit), by: -1).map { number in
      StoredPost(
        id: PostID(Int64(number)), subject: PostID(Int64(number)), createdAt: createdAt(number), author: AuthorID(1),
        repostedBy: nil, owner: AccountID(1), inReplyTo: nil, body: body)
    }
    return .page(ListPage(posts: slice, authors: [], revision: 1, total: posts, isLast: end <= limit))
  }

  /// Returns the nanoseconds to compute the labels of all posts once, as a program without deadlines does each second.
  func scan() -> Int {
    let began = threadNanoseconds()
    var different = 0
    for number in 1...posts {
      let label = wording(for: createdAt(number), now: now, zone: .utc, style: .veryShort)
      if label.nextChange == nil { different += 1 }
    }
    return threadNanoseconds() - began + (different < 0 ? 1 : 0)
  }
}

var week = Week(posts: Int(CommandLine.arguments[1])!)
week.open()
week.run()
print(week.spent, week.wakes, week.labels, week.faults, week.scan())
