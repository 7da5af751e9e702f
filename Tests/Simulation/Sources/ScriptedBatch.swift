import Posts

/// A batch of a ``ScriptedProgram``.
struct ScriptedBatch {
  var serial: Int
  /// The login or feed.
  var subject: String
  /// How far its log is brought with it.
  var cursor: Int
  var line: [UInt8]
  /// True if it breaks a rule, so that nothing of it may be stored.
  var isBroken = false
  /// The posts that it brings.
  var posts: [Int] = []
  /// Items that the daemon cannot keep.
  var refused: [Int] = []
  /// The IDs that are in doubt and must be there.
  var present: [String] = []
  /// False once the daemon has answered that it is to come again.
  var isSent = true
  /// True while it is to be sent again, at ``sendAt``.
  var isDue = false
  var sendAt = Duration.zero

  var number: String { "\(serial)" }

  /// Returns what is wrong with an answer; nil if it is as it must be.
  func flaw(in report: UpstreamBatchReport) -> String? {
    if isBroken { return "it breaks a rule, and is stored" }
    if report.refused.map(\.index) != refused { return "refused \(report.refused), expected \(refused)" }
    if report.present != present { return "have \(report.present), expected \(present)" }
    return report.revision == 0 ? "it has no revision" : nil
  }
}

extension ScriptedProgram {
  /// Returns the next batch of a login or feed.
  func batch(of subject: String, from position: Int) -> ScriptedBatch {
    let log = source.logs[subject]!
    let end = min(log.events.count, position + .random(in: 1...4, using: &source.random))
    var items: [String] = []
    var states: [Int: SourceLog.State] = [:]
    var batch = ScriptedBatch(serial: 0, subject: subject, cursor: end, line: [])
    for index in position..<end {
      items.append(log.item(index))
      switch log.events[index] {
      case .post(let post, let version): states[post] = .version(version)
      case .gone(let post): states[post] = .absent
      default: break
      }
      if source.chance(oneIn: 12) {
        batch.refused.append(items.count)
        items.append(source.chance(oneIn: 2) ? #"{"dance":"n0"}"# : #"{"post":{"id":"wordless"}}"#)
      }
    }
    batch.posts = states.filter { $0.value != .absent }.map(\.key).sorted()
    if source.chance(oneIn: 3) {
      for post in states.keys.sorted() {
        items.append(#"{"doubt":"\#(log.id(of: post))"}"#)
        if states[post] != .absent { batch.present.append(log.id(of: post)) }
      }
    }
    batch.serial = source.recordBatch(subject, cursor: end)
    batch.line = line(batch.number, subject, items, cursor: end)
    return batch
  }

  /// Returns a batch that breaks a rule.
  func brokenBatch(of subject: String) -> ScriptedBatch {
    let post = #"{"post":{"id":"stolen","author":"thief","created_at":1700000000000,"text":"stolen"},"in":["home"]}"#
    let serial = source.recordBatch(subject, cursor: nil)
    let line =
      switch Int.random(in: 0..<3, using: &source.random) {
      case 0: line("\(serial)", "nobody", [post], cursor: 1)
      case 1: line("\(serial)", subject, [String](repeating: #"{"doubt":"n1"}"#, count: 500) + [post], cursor: 1)
      default:
        Array(
          #"{"say":"batch","batch":"\#(serial)","\#(kind)":"\#(subject)","items":[\#(post)],"cursors":{"at":{}}}"#.utf8)
      }
    return ScriptedBatch(serial: serial, subject: subject, cursor: 0, line: line, isBroken: true)
  }

  private var kind: String { source.isFeed ? "feed" : "login" }

  private func line(_ number: String, _ subject: String, _ items: [String], cursor: Int) -> [UInt8] {
    let list = items.joined(separator: ",")
    let cursors = #"{"at":"\#(cursor)"}"#
    return Array(
      #"{"say":"batch","batch":"\#(number)","\#(kind)":"\#(subject)","items":[\#(list)],"cursors":\#(cursors)}"#.utf8)
  }
}
