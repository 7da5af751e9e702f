internal import Posts
internal import ViewState

/// Decides when reading positions go to sources (docs/UPSTREAM.md, "Reading positions"): some time after the last
/// movement, and only forward. Pure: no clock, store or program.
struct ReadingMarkers {
  /// A list of a login at its source.
  struct Place: Hashable {
    var source: String
    var login: String
    var list: UpstreamLists
  }

  /// Time after the last movement of a position until it is sent.
  static let pause = Duration.seconds(10)
  /// Interval at which programs are told of open views.
  static let lookPause = Duration.seconds(300)
  /// The lists of a login, by the sections that show them here.
  static let lists: [(section: Section, list: UpstreamLists)] = [(.timeline, .home), (.mentions, .mentions)]

  /// Up to where each source says that its list has been read; its beginning if nothing has.
  private var known: [Place: OrderKey] = [:]
  /// Up to where accounts have read here, and when that is sent.
  private var read: [AccountID: [Section: OrderKey]] = [:]
  private var due: [AccountID: Duration] = [:]
  /// The number of views of each account, and when programs are told of them again.
  private var views: [AccountID: Int] = [:]
  private var lookDue: Duration?

  /// The time to call ``takeDue(at:)`` and ``takeDueViewers(at:)`` next; nil for never.
  var nextDeadline: Duration? { (Array(due.values) + [lookDue].compactMap(\.self)).min() }

  // MARK: Positions

  /// An account has read up to these rows, as far as it is known.
  mutating func moved(_ account: AccountID, to readings: [Section: OrderKey], at now: Duration) {
    let wanted = readings.filter { reading in Self.lists.contains { $0.section == reading.key } }
    guard read.updateValue(wanted, forKey: account) != wanted else { return }
    due[account] = now + Self.pause
  }

  /// A source has said up to where a list has been read. It has to be told of the account's position, if that is later.
  mutating func told(_ place: Place, _ key: OrderKey?, of account: AccountID, at now: Duration) {
    known[place] = key ?? .lowest
    if due[account] == nil { due[account] = now + Self.pause }
  }

  /// Returns the accounts whose positions are to be sent now.
  mutating func takeDue(at now: Duration) -> [AccountID] {
    let ready = due.filter { $0.value <= now }.keys
    for account in ready { due[account] = nil }
    return ready.sorted { $0.rawValue < $1.rawValue }
  }

  /// Returns up to where a source has read; nil if it has not said that.
  func position(at place: Place) -> OrderKey? { known[place] }

  /// A source was told that a list has been read up to a row.
  mutating func sent(_ key: OrderKey, to place: Place) { known[place] = max(key, known[place] ?? .lowest) }

  // MARK: Views

  /// A view of an account was opened or closed.
  mutating func viewChanged(_ account: AccountID, isOpened: Bool, at now: Duration) {
    let count = (views[account] ?? 0) + (isOpened ? 1 : -1)
    views[account] = count > 0 ? count : nil
    if views.isEmpty { lookDue = nil } else if lookDue == nil { lookDue = now + Self.lookPause }
  }

  /// Returns the accounts with open views, if programs are to be told of them again now.
  mutating func takeDueViewers(at now: Duration) -> Set<AccountID> {
    guard let time = lookDue, time <= now else { return [] }
    lookDue = now + Self.lookPause
    return Set(views.keys)
  }
}
