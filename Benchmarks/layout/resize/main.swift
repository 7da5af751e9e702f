// Resizes a pane of a million rows repeatedly; resize.py describes the measurements.
//
// Drives the engine alone, as the daemon does: loads get the store's replies, a ready view receives its frame and
// acknowledges it, and time advances to the engine's deadlines. Each call stands for a turn of the loop.

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

/// Returns the resident memory of this process in bytes.
func residentBytes() -> Int {
  guard let file = unsafe fopen("/proc/self/statm", "r") else { fatalError("no /proc") }
  defer { unsafe fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  guard unsafe fgets(&line, 256, file) != nil else { fatalError("no /proc/self/statm") }
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return Int(text.split(separator: " ")[1])! * 4096
}

/// The posts of a corpus (corpus.py), repeated up to `count`: a second apart, the last one the newest.
struct Posts {
  private let bytes: [UInt8]
  private let offsets: [Int]
  let count: Int

  init(path: String, count: Int) {
    guard let file = unsafe fopen(path, "rb") else { fatalError("cannot open \(path)") }
    defer { unsafe fclose(file) }
    unsafe fseek(file, 0, SEEK_END)
    let size = unsafe ftell(file)
    unsafe rewind(file)
    let content = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      filled = unsafe fread(buffer.baseAddress, 1, size, file)
    }
    func number(_ index: Int) -> Int { (0..<4).reduce(0) { $0 | Int(content[index * 4 + $1]) << (8 * $1) } }
    let texts = number(0)
    offsets = (0...texts).map { 4 * (texts + 2) + number($0 + 1) }
    bytes = content
    self.count = count
  }

  /// The size of all texts in bytes.
  var textBytes: Int {
    (0..<count).reduce(0) { $0 + offsets[$1 % (offsets.count - 1) + 1] - offsets[$1 % (offsets.count - 1)] }
  }

  /// Returns post `number`, counted from 1.
  func post(_ number: Int) -> StoredPost {
    let text = (number - 1) % (offsets.count - 1)
    let body = PostBody(
      text: SafeText(String(decoding: bytes[offsets[text]..<offsets[text + 1]], as: UTF8.self)), visibility: .public)
    return StoredPost(
      id: PostID(Int64(number)), subject: PostID(Int64(number)),
      createdAt: Instant(seconds: 1_700_000_000 + Int64(number)),
      author: AuthorID(Int64(number % 500 + 1)), repostedBy: nil, owner: AccountID(1), inReplyTo: nil,
      body: PackedBody(body))
  }
}

/// An engine with one view, and the cost of its turns.
struct Bench: ~Copyable {
  let posts: Posts
  var engine = StackEngine(epoch: 1, revision: 1)
  var now = Instant(seconds: 1_800_000_000)
  var snapshot = ViewSnapshot()
  /// The costliest turn and the sum of all turns since the last reset, in nanoseconds of CPU.
  var longestTurn = 0
  var spent = 0

  init(posts: Posts) { self.posts = posts }

  /// Handles an input and everything that follows from it, as turns.
  mutating func turn(_ input: Input) {
    var inputs = [input]
    while !inputs.isEmpty {
      var ready: [ViewID] = []
      let began = threadNanoseconds()
      let effects = engine.handle(inputs.removeFirst(), at: now)
      var frames: [Frame] = []
      for case .viewsReady(let ids) in effects { ready += ids }
      for id in ready { if let frame = engine.nextFrame(of: id, at: now) { frames.append(frame) } }
      let cost = threadNanoseconds() - began
      longestTurn = max(longestTurn, cost)
      spent += cost
      for frame in frames {
        do { try snapshot.apply(frame) } catch { fatalError("cannot apply a frame: \(error)") }
        inputs.append(.acknowledged(ViewID(1), frame: frame.number))
      }
      for case .load(let id, let load) in effects { inputs.append(.loaded(id, result(of: load))) }
    }
  }

  /// Advances time until all heights are exact.
  mutating func runUntilExact() {
    while !snapshot.panes[0].status.isExact, let deadline = engine.nextDeadline {
      now = max(now, deadline)
      turn(.timePassed)
    }
  }

  private func result(of load: Load) -> LoadResult {
    guard case .page(_, let before, let limit) = load else { return .session(LoadedSession(bytes: nil, revision: 0)) }
    let end = before.map { Int($0.id.rawValue) - 1 } ?? posts.count
    let slice = stride(from: end, to: max(0, end - limit), by: -1).map { posts.post($0) }
    return .page(ListPage(posts: slice, authors: [], revision: 1, total: posts.count, isLast: end <= limit))
  }

  /// Resizes the view and returns nanoseconds of CPU: until the frame with the new rows, and until all is exact.
  mutating func resize(to width: Int) -> (first: Int, all: Int, longestTurn: Int) {
    (longestTurn, spent) = (0, 0)
    var layout = LayoutParameters(width: width, height: 50)
    layout.isSinglePane = true
    turn(.layoutChanged(ViewID(1), layout, .utc))
    let first = spent
    runUntilExact()
    return (first, spent, longestTurn)
  }
}

var bench = Bench(posts: Posts(path: CommandLine.arguments[1], count: Int(CommandLine.arguments[2])!))
let before = residentBytes()
var layout = LayoutParameters(width: 80, height: 50)
layout.isSinglePane = true
var viewport = ViewportParameters()
viewport.anchorRow = UInt64(bench.posts.count / 2)
bench.turn(
  .viewOpened(
    ViewID(1),
    ViewOpening(
      session: SessionKey(account: AccountID(1), name: ""), layout: layout, zone: .utc, viewport: viewport,
      acknowledges: true)))
bench.runUntilExact()
print("loaded", bench.longestTurn, bench.spent, residentBytes() - before, bench.posts.textBytes)
fflush(nil)
while let line = readLine(), let width = Int(line) {
  let cost = bench.resize(to: width)
  print("resized", cost.first, cost.all, cost.longestTurn, bench.snapshot.panes[0].status.totalHeight)
  fflush(nil)
}
