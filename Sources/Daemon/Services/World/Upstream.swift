public import Posts

/// The programs that speak for sources elsewhere, which the services have started and talk to (docs/UPSTREAM.md).
public struct Upstreams {
  /// Starts the program of a source.
  ///
  /// - Parameters:
  ///   - source: its name, one of ``sources``.
  ///   - onAnswer: called with each answer.
  ///   - onEnd: called once when it has ended, with half a sentence that says how.
  /// - Throws: what kept it from being started, as half a sentence.
  public typealias Start = (
    _ source: String, _ onAnswer: @escaping (UpstreamAnswer) -> Void, _ onEnd: @escaping (String) -> Void
  ) throws(UpstreamFailure) -> any UpstreamProgram

  /// The names of the sources that have one.
  public var sources: [String]
  /// See ``Start``.
  public var start: Start
  /// What the keeper of the daemon reads.
  public var log: (String) -> Void
  /// After how long without an answer a command is told again.
  public var patience: Duration

  /// Puts the parts together.
  public init(sources: [String], patience: Duration, log: @escaping (String) -> Void, start: @escaping Start) {
    (self.sources, self.patience, self.log, self.start) = (sources, patience, log, start)
  }

  /// No source has one.
  public static var none: Upstreams {
    Upstreams(sources: [], patience: .seconds(30), log: { _ in }) { _, _, _ throws(UpstreamFailure) in
      throw UpstreamFailure(reason: "there is none")
    }
  }
}

/// A program that speaks for a source, and runs.
public protocol UpstreamProgram: AnyObject {
  /// Tells it a command. What it does not take is lost with it: it has ended then, or is made to end.
  func send(_ command: UpstreamCommand)
  /// Ends it, and hears nothing more of it.
  func close()
}

/// Why a source's program could not be started.
public struct UpstreamFailure: Error {
  /// Half a sentence.
  public let reason: String

  /// For this reason.
  public init(reason: String) { self.reason = reason }
}
