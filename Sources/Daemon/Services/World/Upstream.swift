public import Posts

/// The upstream programs that speak for other sources; the services start them and talk to them (docs/UPSTREAM.md).
public struct Upstreams {
  /// Starts the program of a source.
  ///
  /// - Parameters:
  ///   - source: its name, one of ``sources``.
  ///   - onMessage: called with each line that the program writes.
  ///   - onEnd: called once when it has ended.
  /// - Throws: the reason it could not be started, as a clause.
  public typealias Start = (
    _ source: String, _ onMessage: @escaping (UpstreamMessage) -> Void, _ onEnd: @escaping (UpstreamEnd) -> Void
  ) throws(UpstreamFailure) -> any UpstreamProgram

  /// The names of the sources that have a program.
  public var sources: [String]
  /// The names of sources whose program starts when the first feed or login exists, or somebody signs in.
  public var onDemand: Set<String> = []
  /// See ``Start``.
  public var start: Start
  /// Writes a line to the daemon's log, for the administrator.
  public var log: (String) -> Void
  /// The time without an answer after which a command is sent again.
  public var patience: Duration

  public init(sources: [String], patience: Duration, log: @escaping (String) -> Void, start: @escaping Start) {
    (self.sources, self.patience, self.log, self.start) = (sources, patience, log, start)
  }

  /// No source has a program.
  public static var none: Upstreams {
    Upstreams(sources: [], patience: .seconds(30), log: { _ in }) { _, _, _ throws(UpstreamFailure) in
      throw UpstreamFailure(reason: "there is no upstream program")
    }
  }
}

/// A running program that speaks for a source.
public protocol UpstreamProgram: AnyObject {
  /// Sends a command. A command that the program does not read is lost with it: the program has ended then, or is
  /// terminated.
  func send(_ command: UpstreamCommand)
  /// Sends a notice, to a program that speaks protocol 2.
  func send(_ notice: UpstreamNotice)
  /// Calls `body` once the program has taken what was sent to it, at once if it has.
  func whenTaken(_ body: @escaping () -> Void)
  /// Terminates the program; nothing more is received from it.
  func close()
}

/// How a source's program ended.
public struct UpstreamEnd: Equatable, Sendable {
  /// A clause for a log line.
  public let reason: String
  /// True if it was terminated for breaking a rule.
  public let isTermination: Bool

  public init(reason: String, isTermination: Bool = false) {
    (self.reason, self.isTermination) = (reason, isTermination)
  }
}

/// The reason a source's program could not be started.
public struct UpstreamFailure: Error {
  /// A clause for a log line.
  public let reason: String

  public init(reason: String) { self.reason = reason }
}
