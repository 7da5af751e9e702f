public import Messages
public import ViewState

extension Record {
  /// The versions of the client and, if it is known, of the daemon.
  public static func versions(of daemon: DaemonStatus?) -> Record {
    var lines = [[Record.Piece("stack-client \(Release.version)")]]
    if let daemon { lines.append([Record.Piece("stack-daemon \(daemon.daemonVersion)")]) }
    return Record(
      [
        ("client", .text(Array(Release.version.utf8))),
        ("daemon", daemon.map { .text(Array($0.daemonVersion.utf8)) } ?? .none),
      ], lines: lines)
  }
}

extension DaemonStatus {
  /// The status of the daemon that was reached at `socket`; as text, a table of two columns. Facts that the daemon
  /// reports to its administrators only are omitted for others.
  ///
  /// - Parameter now: milliseconds since 1970.
  public func record(socket: String, now: Int64) -> Record {
    let uptime = Int(max(0, now - startedAtMilliseconds) / 1000)
    let isForAdministrator = processID != 0
    var table: [(String, String)] = [
      ("daemon", daemonVersion + (isForAdministrator ? ", process \(processID)" : "")), ("socket", socket),
      ("uptime", NumberText.duration(seconds: uptime)), ("account", account),
      ("posts", NumberText.grouped(postCount) + (isLoaded ? "" : " (still loading)")),
    ]
    if isForAdministrator {
      table += [
        ("views", "\(viewCount)"), ("connections", "\(connectionCount)"), ("store", storePath),
      ]
    }
    if let follows { table.append(("follows", follows.words)) }
    table.append(("revision", "\(revision)"))
    let startedAt = ISOInstant.text(milliseconds: startedAtMilliseconds)
    return Record(
      [
        ("daemon_version", .text(Array(daemonVersion.utf8))),
        ("process_id", isForAdministrator ? .number(Int(processID)) : .none),
        ("socket", .text(Array(socket.utf8))), ("started_at", .text(Array(startedAt.utf8))),
        ("uptime_seconds", .number(uptime)),
        ("account", .text(Array(account.utf8))), ("posts", .number(Int(clamping: postCount))),
        ("loaded", .flag(isLoaded)), ("views", isForAdministrator ? .number(viewCount) : .none),
        ("connections", isForAdministrator ? .number(connectionCount) : .none),
        ("store", isForAdministrator ? .text(Array(storePath.utf8)) : .none),
        ("epoch", .identifier(epoch)), ("revision", .identifier(revision)),
        ("follows", follows.map { .text(Array($0.name.utf8)) } ?? .none),
      ],
      lines: table.map { name, value in
        [Record.Piece(name + String(repeating: " ", count: 13 - name.count), .faint), Record.Piece(value)]
      })
  }
}

extension FollowPolicy {
  /// The record of the setting `follows`.
  public var record: Record { Record([("follows", .text(Array(name.utf8)))], lines: [[Record.Piece(words)]]) }

  /// The value, and who may read posts for followers.
  fileprivate var words: String {
    switch self {
    case .open: "open: anyone here can follow anyone and read their posts for followers"
    case .ask: "ask: accounts approve who can follow them and read their posts for followers"
    }
  }
}
