public import Messages

extension Record {
  /// How the daemon that was reached at `socket` does, as of `now`, in milliseconds: people see a table of two columns.
  /// What the daemon tells its keepers alone is left out where it did not.
  public static func status(_ status: DaemonStatus, socket: String, now: Int64) -> Record {
    let uptime = Int(max(0, now - status.startedAtMilliseconds) / 1000)
    let isTold = status.processID != 0
    var table: [(String, String)] = [
      ("daemon", status.daemonVersion + (isTold ? ", process \(status.processID)" : "")), ("socket", socket),
      ("running for", ImportProgress.duration(seconds: uptime)), ("account", status.account),
      ("posts", ImportProgress.grouped(status.postCount) + (status.isLoaded ? "" : " (not all in memory yet)")),
    ]
    if isTold {
      table += [
        ("views", "\(status.viewCount)"), ("connections", "\(status.connectionCount)"), ("store", status.storePath),
      ]
    }
    table.append(("revision", "\(status.revision)"))
    let startedAt = ISOInstant.text(milliseconds: status.startedAtMilliseconds)
    return Record(
      [
        ("daemon_version", .text(Array(status.daemonVersion.utf8))),
        ("process_id", isTold ? .number(Int(status.processID)) : .none),
        ("socket", .text(Array(socket.utf8))), ("started_at", .text(Array(startedAt.utf8))),
        ("uptime_seconds", .number(uptime)),
        ("account", .text(Array(status.account.utf8))), ("posts", .number(Int(clamping: status.postCount))),
        ("loaded", .flag(status.isLoaded)), ("views", isTold ? .number(status.viewCount) : .none),
        ("connections", isTold ? .number(status.connectionCount) : .none),
        ("store", isTold ? .text(Array(status.storePath.utf8)) : .none),
        ("epoch", .identifier(status.epoch)), ("revision", .identifier(status.revision)),
      ],
      lines: table.map { name, value in
        [Piece(name + String(repeating: " ", count: 13 - name.count), .faint), Piece(value)]
      })
  }

  /// The versions of the client and, where one answers, of the daemon.
  public static func versions(of daemon: DaemonStatus?) -> Record {
    var lines = [[Piece("stack-client \(ClientVersion.current)")]]
    if let daemon { lines.append([Piece("stack-daemon \(daemon.daemonVersion)")]) }
    return Record(
      [
        ("client", .text(Array(ClientVersion.current.utf8))),
        ("daemon", daemon.map { .text(Array($0.daemonVersion.utf8)) } ?? .none),
      ], lines: lines)
  }
}
