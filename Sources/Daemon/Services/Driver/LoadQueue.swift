internal import Engine
internal import Posts

/// The engine's loads on their way to the readers of the store and back. The accounts take turns, and only a few loads
/// are under way: the queues of the readers and of the daemon's own inputs are in order of arrival, and the sessions of
/// one account may have thousands of panes, each with a list to load.
///
/// Loads for which no client waits have turns of their own, as they have a reader of their own.
final class LoadQueue {
  private struct Waiting {
    let id: LoadID
    let load: Load
  }

  /// The loads for one reader.
  private final class Line {
    let turns = Turns<Waiting>(limitBytes: 0)
    /// Loads that have begun and whose results the engine has not handled.
    var underWay = 0
  }

  /// Maximum loads under way for each reader; as many as keep the reader busy between two turns of the loop. A load of an
  /// account that has no other waits for these, and for one of each account that has been waiting.
  static let window = 4

  private let foreground = Line()
  private let background = Line()
  /// The loads that have begun.
  private var begun: [LoadID: Line] = [:]
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

  /// Queues a load, or begins it if there is room and it is its account's turn.
  func append(_ id: LoadID, _ load: Load) {
    lastNumber += 1
    // The engine loads for accounts, whatever their connections.
    let origin = Origin(account: load.requester, connection: ObjectIdentifier(self))
    let line = ReadJob.load(load).isBackground ? background : foreground
    _ = line.turns.append(Waiting(id: id, load: load), number: lastNumber, bytes: 0, of: origin)
    begin(line)
  }

  /// Records that the engine has handled a load's result.
  func finish(_ id: LoadID) {
    guard let line = begun.removeValue(forKey: id) else { return }
    line.underWay -= 1
    begin(line)
  }

  private func begin(_ line: Line) {
    while line.underWay < Self.window, let entry = line.turns.next() {
      begun[entry.work.id] = line
      line.underWay += 1
      read(.load(entry.work.load)) { [deliver] outcome in
        if case .loaded(let result) = outcome { deliver(entry.work.id, result) }
      }
    }
  }
}
