internal import Engine
internal import Posts
internal import Store
internal import ViewState

/// Keeps the reading positions of the session `main` and those of sources together (docs/UPSTREAM.md, "Reading
/// positions").
final class MarkerKeeper {
  /// Where an account has read further than its source knows.
  private struct News: Sendable {
    var place: ReadingMarkers.Place
    var key: OrderKey
    var names: [String]
  }

  private let driver: EngineDriver
  private let loop: any ServiceLoop
  /// Made when a program keeps reading positions.
  private var timer: (any ServiceTimer)?
  private var markers = ReadingMarkers()
  private let relay = Relay<MarkerKeeper>()
  /// Returns the programs that keep reading positions, by source.
  var runners: () -> [String: UpstreamRunner] = { [:] }

  init(driver: EngineDriver, loop: any ServiceLoop) {
    (self.driver, self.loop) = (driver, loop)
    relay.target = self
    driver.reading.onPlaces = { [relay] account, bytes in
      guard let keeper = relay.target, !keeper.runners().isEmpty else { return }
      keeper.handle { $0.moved(account, to: SavedPlaces.readings(in: bytes), at: $1) }
    }
    driver.reading.onLooking = { [relay] account, isOpened in
      relay.target?.handle { $0.viewChanged(account, isOpened: isOpened, at: $1) }
      if isOpened { relay.target?.tellPrograms(ofViewers: [account]) }
    }
  }

  deinit { relay.target = nil }

  /// Releases everything on the loop.
  func close() {
    relay.target = nil
    timer?.close()
    timer = nil
  }

  /// The store has taken batches of a source's program, which say how far accounts have read there. A position that is
  /// later than the session's moves that; an earlier one is brought up to it.
  func batchesStored(_ batches: [TakenBatch], from source: String) {
    for marker in batches.flatMap(\.markers) {
      let place = ReadingMarkers.Place(source: source, login: marker.login, list: marker.list)
      handle { $0.told(place, marker.place, of: marker.account, at: $1) }
      guard marker.isTaken, let post = marker.post,
        let section = ReadingMarkers.lists.first(where: { $0.list == marker.list })?.section
      else { continue }
      let command = StackCommand(action: .read(section, row: UInt64(clamping: post.rawValue), line: 0))
      // Refused if the session has read further already.
      driver.command(command, .main(of: marker.account)) { _ in }
    }
  }

  private func handle(_ change: (inout ReadingMarkers, Duration) -> Void) {
    change(&markers, loop.monotonicClock)
    guard let deadline = markers.nextDeadline, !runners().isEmpty else {
      timer?.disarm()
      return
    }
    if timer == nil { timer = try? loop.makeTimer { [relay] in relay.target?.timerFired() } }
    timer?.arm(after: deadline - loop.monotonicClock)
  }

  private func timerFired() {
    var accounts: [AccountID] = []
    var viewers: Set<AccountID> = []
    handle {
      accounts = $0.takeDue(at: $1)
      viewers = $0.takeDueViewers(at: $1)
    }
    for account in accounts { send(account) }
    tellPrograms(ofViewers: viewers)
  }

  /// Tells programs that accounts have open views.
  private func tellPrograms(ofViewers accounts: Set<AccountID>) {
    guard !accounts.isEmpty, !runners().isEmpty else { return }
    driver.ask { store throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in try store.logins() }
    } _: { [relay] (result: Result<[StoredLogin], EngineError>) in
      guard let keeper = relay.target, let logins = try? result.get() else { return }
      for login in logins where accounts.contains(login.account) {
        keeper.runners()[login.source]?.send(.looking(login: login.name))
      }
    }
  }

  /// Tells programs how far an account has read, where that is further than they have said.
  private func send(_ account: AccountID) {
    guard !runners().isEmpty else { return }
    driver.ask { [markers] store throws(EngineError) in
      try StoreLookup.attempt { () throws(StoreError) in try Self.news(of: account, markers, store) }
    } _: { [relay] (result: Result<[News], EngineError>) in
      guard let keeper = relay.target, let news = try? result.get() else { return }
      for one in news {
        guard let runner = keeper.runners()[one.place.source] else { continue }
        keeper.markers.sent(one.key, to: one.place)
        // What lies between is looked through once.
        if one.names.isEmpty { continue }
        runner.send(.read(login: one.place.login, one.place.list, posts: one.names))
      }
    }
  }

  private static func news(
    of account: AccountID, _ markers: ReadingMarkers, _ store: StoreReader
  ) throws(StoreError) -> [News] {
    let readings = try Self.readings(of: account, store)
    if readings.isEmpty { return [] }
    var news: [News] = []
    for login in try store.logins() where login.account == account {
      for (section, list) in ReadingMarkers.lists {
        let place = ReadingMarkers.Place(source: login.source, login: login.name, list: list)
        guard let key = readings[section], let known = markers.position(at: place), known < key else { continue }
        let names = try store.names(of: list, at: login.source, for: account, notAbove: key, above: known)
        news.append(News(place: place, key: key, names: names))
      }
    }
    return news
  }

  /// Returns how far an account has read in its session `main`, as stored.
  private static func readings(
    of account: AccountID, _ store: StoreReader
  ) throws(StoreError) -> [Section: OrderKey] {
    SavedPlaces.readings(in: try store.session(account, SessionKey.main(of: account).name)?.places ?? [])
  }
}
