public import Dates
public import UV

/// The surroundings of a connector's state machine: a loop, the daemon's pipe, a fetcher and a timer. Runs until its
/// input ends.
public final class ConnectorHost {
  /// What happens, beside the ends of requests and streams.
  public enum Event {
    case line([UInt8])
    case lineTooLong
    /// The deadline has passed, or the program has just begun.
    case time
  }

  public let loop: Loop
  public let fetcher: Fetcher
  private let name: String
  private let daemon: DaemonPipe
  private var timer: Timer?
  private var onEnd: () -> Void = {}
  private var status: Int32 = 0

  /// Creates the host of the program `name`. `authorities` is the path of a file of certificates to trust instead of the
  /// system's.
  public init(_ name: String, userAgent: String, authorities: String?) throws(UVError) {
    self.name = name
    loop = try Loop()
    do throws(UVError) {
      daemon = try DaemonPipe(loop: loop)
      fetcher = try Fetcher(loop: loop, userAgent: userAgent, authorities: authorities)
    } catch {
      try loop.close()
      throw error
    }
  }

  /// Writes to the log why a program cannot run. Returns its exit status.
  public static func complain(_ error: UVError, of name: String) -> Int32 {
    let hint = error == .invalidArgument ? "; it is meant to be started by stack-daemon" : ""
    ProgramLog.write("\(error)\(hint)", of: name)
    return 74
  }

  /// Runs until the input ends or ``end(_:)`` is called, and returns the exit status. `onEnd` closes what the program
  /// itself has on the loop.
  public func run(
    _ onEvent: @escaping (Event) -> Void, onEnd: @escaping () -> Void = {}
  ) throws(UVError) -> Int32 {
    self.onEnd = onEnd
    let timer = try Timer(loop: loop) { onEvent(.time) }
    timer.keepsLoopRunning = false
    self.timer = timer
    try daemon.start { [unowned self] event in
      switch event {
      case .line(let line): onEvent(.line(line))
      case .lineTooLong: onEvent(.lineTooLong)
      case .ended(let status): end(status)
      }
    }
    onEvent(.time)
    loop.run()
    try loop.close()
    return status
  }

  /// False once the program is to end.
  public var isOpen: Bool { daemon.isOpen }

  /// The time of the wall clock.
  public var now: Instant { Instant(milliseconds: Loop.wallClockMilliseconds) }

  /// Adds a line for the daemon, which ``rest(until:)`` writes.
  public func write(_ line: [UInt8]) { daemon.write(line) }

  /// Writes a line to the log.
  public func log(_ line: String) { ProgramLog.write(line, of: name) }

  /// Writes the lines that wait, and sets the time of the next event; nil for none.
  public func rest(until deadline: Instant?) {
    daemon.flush()
    guard let deadline else {
      timer?.disarm()
      return
    }
    timer?.arm(after: .milliseconds(max(0, deadline.milliseconds - now.milliseconds)))
  }

  /// Stops everything: the daemon has gone, or the program cannot go on.
  public func end(_ status: Int32) {
    self.status = status
    fetcher.close()
    onEnd()
    timer?.close()
    daemon.close()
    loop.stop()
  }
}
