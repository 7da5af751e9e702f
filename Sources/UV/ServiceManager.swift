internal import CUV

/// The service manager that started this process, such as systemd, which is told of its state as sd_notify(3)
/// describes: each message is one datagram, so that no library is needed.
public struct ServiceManager: Sendable {
  private let path: String
  /// The time within which the manager wants a sign of life; nil if it does not want any.
  public let watchdogInterval: Duration?

  /// Takes the manager's socket from the environment, so that children do not inherit it; nil if there is none.
  public static func take() -> ServiceManager? {
    defer {
      for name in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"] { Process.removeFromEnvironment(name) }
    }
    guard let path = Process.environment("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@") else {
      return nil
    }
    var interval: Duration?
    let process = Process.environment("WATCHDOG_PID").map { Int32($0) } ?? Process.identifier
    if process == Process.identifier, let text = Process.environment("WATCHDOG_USEC"), let microseconds = Int64(text),
      microseconds > 0
    {
      interval = .microseconds(microseconds)
    }
    return ServiceManager(path: path, watchdogInterval: interval)
  }

  /// Tells the manager something, such as `READY=1`. A manager that does not listen is no fault of ours.
  public func tell(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe cuv_send_datagram(path, $0.baseAddress, $0.count) }
  }
}
