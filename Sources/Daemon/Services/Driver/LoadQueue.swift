internal import Engine
internal import Posts

/// The engine's loads on their way to the readers of the store and back. The accounts take turns, and each has a few
/// loads under way: the queues of the readers and of the daemon's own inputs are in order of arrival, and the sessions
/// of one account may have thousands of panes, each with a list to load.
///
/// Loads for which no client waits have turns of their own, as they have a reader of their own.
final class LoadQueue {
  private struct Waiting {
    let id: LoadID
    let load: Load
  }

  /// Maximum loads of an account for each reader that have begun and whose results the engine has not handled; as many
  /// as keep the reader busy between two turns of the loop.
  static let window = 4

  private let foreground = Turns<Waiting>(window: LoadQueue.window, limitBytes: 0)
  private let background = Turns<Waiting>(window: LoadQueue.window, limitBytes: 0)
  /// The loads that have begun.
  private var begun: [LoadID: (account: AccountID, turns: Turns<Waiting>)] = [:]
  private let read: (ReadJob, _ completion: @escaping (ReadOutcome) -> Void) -> Void
  private let deliver: (LoadID, LoadResult) -> Void
  private var lastNumber: UInt64 = 0

  /// Passes loads on to `read`, and their results to `deliver`. For each of them ``finish(_:)`` is called later.
  init(
    read: @escaping (ReadJob, _ completion: @escaping (ReadOutcome) -> Void) -> Void,
    deliver: @escaping (LoadID, LoadResult) -> Void
  ) {
    self.read = read
    self.deliver = deliver
  }

  /// Queues a load, or begins it if it is its account's turn.
  func append(_ id: LoadID, _ load: Load) {
    lastNumber += 1
    // The engine loads for accounts, whatever their connections.
    let origin = Origin(account: load.requester, connection: ObjectIdentifier(self))
    let turns = ReadJob.load(load).isBackground ? background : foreground
    _ = turns.append(Waiting(id: id, load: load), number: lastNumber, bytes: 0, of: origin)
    begin(turns)
  }

  /// Records that the engine has handled a load's result.
  func finish(_ id: LoadID) {
    guard let (account, turns) = begun.removeValue(forKey: id) else { return }
    turns.finish(account)
    begin(turns)
  }

  private func begin(_ turns: Turns<Waiting>) {
    while let entry = turns.next() {
      begun[entry.work.id] = (entry.origin.account, turns)
      read(.load(entry.work.load)) { [deliver] outcome in
        if case .loaded(let result) = outcome { deliver(entry.work.id, result) }
      }
    }
  }
}
