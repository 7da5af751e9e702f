internal import Posts

/// Decides when a program is asked for what people want: in order, and for a limited number at a time. Pure.
struct UpstreamWants {
  /// Maximum number of wants other than files that the program has not answered; the others wait.
  static let limit = 16
  /// Maximum number of files that the program has not answered, and of those of an account: each takes minutes, and
  /// memory.
  static let uploadLimit = 4
  static let accountUploadLimit = 1
  /// Maximum number of wants of accounts that wait.
  static let waitingLimit = 64
  /// Maximum number of an account's wants that are open, and of those that are open or wait.
  static let accountOpenLimit = 4
  static let accountLimit = 16
  /// Maximum number of an account's unasked wants, open and in all, so that there is room for those of people.
  static let unaskedOpenLimit = 2
  static let unaskedLimit = 8
  /// Time after which a want that was not answered has failed.
  static let patience = Duration.seconds(120)
  /// The same for a file, which has to be sent and made ready; it counts from the call.
  static let uploadPatience = Duration.seconds(600)
  /// Minimum time between two requests of people for the same feed.
  static let refreshPause = Duration.seconds(60)

  private struct Want {
    var number: Int
    var want: UpstreamWant
    /// Who wants it; nil for feeds.
    var account: AccountID?
    /// When it has failed, if it still waits then; nil for never.
    var deadline: Duration?
  }

  /// A want that the program has.
  private struct OpenWant {
    var number: Int
    var account: AccountID?
    var isUnasked: Bool
    var isUpload: Bool
    /// When it has failed.
    var deadline: Duration
  }

  /// The wants that the program has, by the IDs under which it knows them.
  private var open: [String: OpenWant] = [:]
  private var waiting: [Want] = []
  private var waitingFeeds: Set<String> = []
  private var lastID = 0
  private var lastNumber = 0
  /// When each feed was last asked for.
  private var refreshed: [String: Duration] = [:]

  /// Adds a want for what is new in a feed, unless one waits already or the feed was asked for just now.
  mutating func addRefresh(of feed: String, at now: Duration) {
    if let last = refreshed[feed], now - last < Self.refreshPause { return }
    guard waitingFeeds.insert(feed).inserted else { return }
    refreshed[feed] = now
    append(.refresh(feed: feed), of: nil)
  }

  /// Adds a want of an account, which fails if the program has not got it by `deadline`. Returns its number; nil if too
  /// many wait, or too many are the account's.
  mutating func add(_ want: UpstreamWant, of account: AccountID, until deadline: Duration) -> Int? {
    let own = waiting.filter { $0.account == account }
    let open = openCount(of: account)
    if want.isUnasked, own.count(where: \.want.isUnasked) + open.unasked >= Self.unaskedLimit { return nil }
    guard own.count + open.all < Self.accountLimit, waiting.count(where: { $0.account != nil }) < Self.waitingLimit
    else { return nil }
    return append(want, of: account, until: deadline)
  }

  private func openCount(of account: AccountID) -> (all: Int, unasked: Int, uploads: Int) {
    let own = open.values.filter { $0.account == account }
    return (own.count, own.count(where: \.isUnasked), own.count(where: \.isUpload))
  }

  /// True if the program may be asked for one more.
  private func hasRoom(for want: Want) -> Bool {
    let uploads = open.values.count(where: \.isUpload)
    let own = want.account.map { openCount(of: $0) }
    if want.want.isUpload {
      return uploads < Self.uploadLimit && own.map { $0.uploads < Self.accountUploadLimit } ?? true
    }
    guard open.count - uploads < Self.limit else { return false }
    guard let own else { return true }
    return own.all - own.uploads < Self.accountOpenLimit
      && (!want.want.isUnasked || own.unasked < Self.unaskedOpenLimit)
  }

  /// A want is not wanted any more. Returns the line for the program that has it.
  mutating func withdraw(_ number: Int) -> UpstreamNotice? {
    waiting.removeAll { $0.number == number }
    guard let id = open.first(where: { $0.value.number == number })?.key else { return nil }
    // Its answer is awaited all the same: until then, or its deadline, the program may be busy with it.
    return .unwanted(id: id)
  }

  /// The program has answered. Returns the number of the want; nil if it has none of this ID.
  mutating func answered(_ id: String) -> Int? { open.removeValue(forKey: id)?.number }

  /// Returns the time after which a want has failed that the program has not got, or not answered.
  static func patience(for want: UpstreamWant) -> Duration { want.isUpload ? uploadPatience : patience }

  /// Returns the number of the want that the program has under an ID, and the ID of a want that it has.
  func number(of id: String) -> Int? { open[id]?.number }
  func id(of number: Int) -> String? { open.first { $0.value.number == number }?.key }

  /// The time to call ``expire(at:)`` next; nil for never.
  var nextDeadline: Duration? { (open.values.map(\.deadline) + waiting.compactMap(\.deadline)).min() }

  /// Gives up wants that were not answered in time; returns their numbers, in order, and the IDs of those that the
  /// program has.
  mutating func expire(at now: Duration) -> [(number: Int, id: String?)] {
    var late: [(number: Int, id: String?)] = []
    for (id, want) in open where want.deadline <= now {
      late.append((want.number, id))
      open[id] = nil
    }
    waiting.removeAll { want in
      guard let deadline = want.deadline, deadline <= now else { return false }
      late.append((want.number, nil))
      return true
    }
    return late.sorted { $0.number < $1.number }
  }

  /// Returns what the program is to be asked now. Feeds that are not known any more are passed over, and so are for now
  /// accounts with enough open wants.
  mutating func next(at now: Duration, isKnown: (String) -> Bool) -> [UpstreamNotice] {
    var notices: [UpstreamNotice] = []
    var left: [Want] = []
    for want in waiting {
      guard hasRoom(for: want) else {
        left.append(want)
        continue
      }
      if case .refresh(let feed) = want.want {
        waitingFeeds.remove(feed)
        guard isKnown(feed) else { continue }
      }
      lastID += 1
      open["w\(lastID)"] = OpenWant(
        number: want.number, account: want.account, isUnasked: want.want.isUnasked, isUpload: want.want.isUpload,
        deadline: want.want.isUpload ? want.deadline ?? now : now + Self.patience)
      notices.append(.want(id: "w\(lastID)", want.want))
    }
    waiting = left
    return notices
  }

  /// A feed is not read any more.
  mutating func forget(_ feed: String) { refreshed[feed] = nil }

  /// The program has ended. IDs are not used again.
  mutating func ended() {
    open = [:]
    waiting = []
    waitingFeeds = []
    refreshed = [:]
  }

  @discardableResult
  private mutating func append(_ want: UpstreamWant, of account: AccountID?, until deadline: Duration? = nil) -> Int {
    lastNumber += 1
    waiting.append(Want(number: lastNumber, want: want, account: account, deadline: deadline))
    return lastNumber
  }
}

extension UpstreamWant {
  fileprivate var isUpload: Bool { if case .upload = self { true } else { false } }
}
