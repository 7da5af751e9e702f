internal import DequeModule
internal import Engine
internal import Posts

/// Everything that waits for the engine, and the order in which the engine gets it.
///
/// - The daemon's own inputs (commits, loads, saves, time) stay in order: each builds on the ones before it.
/// - Commands and what views send stay in the order of their connection, since each builds on the ones before it:
///   a move on the layout, a close on both. Different connections may overtake each other, as they may on their way
///   here: a client that needs an order waits for the response, which is sent once the engine has handled its input.
/// - Reads change nothing that others see, so they may be overtaken by anything.
///
/// Nothing of a client's overtakes the daemon's own inputs that were queued before it. Otherwise a client whose command
/// was answered, which happens once the commit is queued, could send a read that does not see it. The daemon's own
/// inputs may overtake those of clients, which cannot know what the store has finished in the meantime.
final class InputQueue {
  /// A step of the engine.
  enum Step {
    // Boxed, so that entries are small: most are acknowledgements.
    indirect case input(Input)
    indirect case open(ViewStream, ViewOpening)
    /// A view's client has sent something.
    case clientUpdates(ViewStream)
    /// Starts a read.
    case read(_ begin: () -> Void)

    /// True if it opens or changes a view.
    fileprivate func concerns(_ stream: ViewStream) -> Bool {
      switch self {
      case .open(let other, _), .clientUpdates(let other): stream === other
      case .input, .read: false
      }
    }
  }

  typealias Lane = Turns<Step>.Lane

  /// Maximum bytes of an account's commands or reads that wait; one more is refused with RESOURCE_EXHAUSTED.
  static let limitBytes = 16 << 20
  /// Memory of a waiting step beside its request.
  private static let overheadBytes = 1024
  /// Maximum reads of an account that have begun and are not answered. The rest waits here, where it takes turns and is
  /// withdrawn when its call ends: the queue of the store's reader is in order of arrival, and nothing leaves it before.
  /// As many as keep the reader busy between two turns of the loop.
  static let readWindow = 4

  private enum Source {
    case own, clients, reads
  }

  private var own = Deque<(number: UInt64, input: Input)>()
  private let clients = Turns<Step>(limitBytes: InputQueue.limitBytes)
  private let reads = Turns<Step>(window: InputQueue.readWindow, limitBytes: InputQueue.limitBytes)
  private var last = Source.reads
  private var lastNumber: UInt64 = 0

  /// True if ``next()`` returns a step.
  var hasNext: Bool { !own.isEmpty || clients.nextNumber != nil || reads.nextNumber != nil }

  /// Removes and returns the next step: in turns one of the daemon's own, one that a client sends, and a read.
  func next() -> Step? {
    for _ in 0..<3 {
      switch last {
      case .reads:
        last = .own
        if let next = own.popFirst() { return .input(next.input) }
      case .own:
        last = .clients
        if isDue(clients.nextNumber) { return clients.next()?.work }
      case .clients:
        last = .reads
        if isDue(reads.nextNumber) { return reads.next()?.work }
      }
    }
    return nil
  }

  private func isDue(_ number: UInt64?) -> Bool {
    guard let number else { return false }
    return own.isEmpty || number < own[0].number
  }

  private func newNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  // MARK: The daemon's own

  /// Queues an input of the daemon's own.
  func append(_ input: Input) { own.append((newNumber(), input)) }

  // MARK: Views

  /// Returns the lane for a view's steps, and keeps it until ``leave(_:)``.
  func join(_ origin: Origin) -> Lane { clients.join(origin) }

  /// Ends a view's use of its lane.
  func leave(_ lane: Lane) { clients.leave(lane) }

  /// Queues a step of a view.
  func append(_ step: Step, to lane: Lane) { clients.append(step, number: newNumber(), to: lane) }

  /// Removes all that a view has queued.
  func withdraw(_ stream: ViewStream, from lane: Lane) {
    clients.withdraw(from: lane.origin) { $0.work.concerns(stream) }
  }

  // MARK: Calls

  /// Queues a command. It stays queued when its call ends: a client may send a command and leave. Returns false if too
  /// much of its account waits.
  func append(_ command: Input, bytes: Int, of origin: Origin) -> Bool {
    clients.append(.input(command), number: newNumber(), bytes: bytes + Self.overheadBytes, of: origin)
  }

  /// Queues a read. Returns its number, or nil if too much of its account waits.
  func append(read: Step, bytes: Int, of origin: Origin) -> UInt64? {
    let number = newNumber()
    return reads.append(read, number: number, bytes: bytes + Self.overheadBytes, of: origin) ? number : nil
  }

  /// Removes a read whose call has ended, unless it has begun.
  func withdraw(read number: UInt64, from origin: Origin) { reads.withdraw(from: origin) { $0.number == number } }

  /// Records that a read which had begun has been answered.
  func finishRead(of account: AccountID?) { reads.finish(account) }
}
