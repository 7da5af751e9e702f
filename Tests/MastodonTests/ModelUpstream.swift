import Dates
import Ingest

@testable import Mastodon

/// The daemon as a connector sees it: stores batches when it is told to, and asks for what an account wants until there is
/// an answer.
struct ModelUpstream {
  /// A command.
  struct Order {
    var text: String
    var since: Instant
    /// The time to ask again; nil while it is with the connector.
    var next: Instant?
    var wasAsked = false
    var pause: Int64 = 1_000
    /// What it has become; nil as long as that is not known.
    var answer: Wish.Answer?
  }

  /// The home timeline.
  private(set) var home = ModelDaemon()
  private(set) var cursors: [String: String] = [:]
  /// The statuses that it was told are deleted.
  private(set) var gone: Set<String> = []
  /// The state of the login, as the connector last said it.
  private(set) var state = ""
  private(set) var orders: [Order] = []
  /// Answers to wants, by their IDs.
  private(set) var wants: [String: Bool] = [:]
  private var waiting: [[UInt8]] = []

  var hasUnstored: Bool { !waiting.isEmpty }

  /// The cursors in JSON.
  var cursorText: String {
    let fields = cursors.sorted { $0.key < $1.key }
    let words = fields.map { "\"\($0)\":\"\($1.replacing("\n", with: "\\n"))\"" }
    return "{\(words.joined(separator: ","))}"
  }

  /// Takes a line of the connector. Batches wait until they are stored.
  mutating func take(_ line: String, at now: Instant) {
    var bytes = Array(line.utf8)
    _ = try? JSONParser().parse(&bytes) { value, _ in
      switch value["say"]?.string {
      case "batch": waiting.append(Array(line.utf8))
      case "status": state = value["state"]?.string ?? ""
      case nil: answered(value, at: now)
      default: break
      }
    }
  }

  private mutating func answered(_ value: JSONValue, at now: Instant) {
    guard let id = value["id"]?.string, let isDone = value["ok"]?.bool else { return }
    guard let number = Int(id.dropFirst()), id.hasPrefix("c"), orders.indices.contains(number) else {
      wants[id] = isDone
      return
    }
    guard orders[number].answer == nil else { return }
    if isDone {
      orders[number].answer = .done(id: value["native_id"]?.string ?? "")
    } else if value["retry"]?.bool == true {
      orders[number].next = now.adding(milliseconds: orders[number].pause)
      orders[number].pause = min(orders[number].pause * 2, 300_000)
    } else {
      orders[number].answer = .refused(value["reason"]?.string ?? "")
    }
  }

  // MARK: - Batches

  /// Stores the oldest batch, and returns the line that says so.
  mutating func store() -> String? {
    guard !waiting.isEmpty else { return nil }
    var bytes = waiting.removeFirst()
    return try? JSONParser().parse(&bytes) { batch, _ in
      var have: [String] = []
      for item in batch["items"]?.elements ?? JSONValue.Elements.none { store(item, &have) }
      for (name, value) in batch["cursors"]?.fields ?? JSONValue.Fields.none { cursors[name.string] = value.string }
      let names = have.map { "\"\($0)\"" }.joined(separator: ",")
      return #"{"did":"\#(batch["batch"]?.string ?? "")","revision":1,"have":[\#(names)]}"#
    }
  }

  private mutating func store(_ item: JSONValue, _ have: inout [String]) {
    if let post = item["post"] {
      for name in post["aliases"]?.elements ?? JSONValue.Elements.none {
        let status = TimelineStatus(id: Self.number(name), created: Self.instant(post["created_at"]))
        // One that comes without a list is an edit.
        if item["in"]?.elements.contains(where: { $0.string == "home" }) == true { home.take([.status(status)]) }
      }
    } else if let gap = item["gap"] {
      let isLost = gap["lost"]?.bool == true
      home.take([.gap(older: Self.instant(gap["older"]), newer: Self.instant(gap["newer"]), isLost: isLost)])
    } else if let stretch = item["complete"] {
      home.take([.complete(older: Self.instant(stretch["older"]), newer: Self.instant(stretch["newer"]))])
    } else if let name = item["gone"] ?? item["left"] {
      if item["gone"] != nil { gone.insert(Self.number(name)) }
      home.remove(Self.number(name))
    } else if let name = item["doubt"], home.statuses[Self.number(name)] != nil {
      have.append(name.string ?? "")
    }
  }

  private static func number(_ name: JSONValue) -> String {
    name.string?.split(separator: "#").last.map(String.init) ?? ""
  }

  private static func instant(_ value: JSONValue?) -> Instant {
    value?.string.flatMap { Instant(iso8601: Array($0.utf8)) } ?? Instant(milliseconds: Int64(value?.integer ?? 0))
  }

  // MARK: - Commands

  /// An account writes a post.
  mutating func order(_ text: String, at now: Instant) { orders.append(Order(text: text, since: now, next: now)) }

  /// Returns the commands that are to be sent now.
  mutating func commands(at now: Instant) -> [String] {
    orders.indices.compactMap { index in
      guard orders[index].answer == nil, let time = orders[index].next, time <= now else { return nil }
      defer { (orders[index].next, orders[index].wasAsked) = (nil, true) }
      return """
        {"id":"c\(index)","do":"post","account":"ann","login":"ann@a.example","text":"\(orders[index].text)",\
        "visibility":"public","since":\(orders[index].since.milliseconds),"again":\(orders[index].wasAsked)}
        """
    }
  }

  /// The connector was killed: of its last batches some are stored, and what it was asked is asked again.
  mutating func restart(storing count: Int, at now: Instant) {
    for _ in 0..<count { _ = store() }
    waiting = []
    state = ""
    for index in orders.indices where orders[index].answer == nil && orders[index].next == nil {
      orders[index].next = now.adding(milliseconds: 200)
    }
  }
}
