public import Messages

extension Record {
  /// The versions of the client and, where one answers, of the daemon.
  public static func versions(of daemon: DaemonStatus?) -> Record {
    var lines = [[Record.Piece("stack-client \(ClientVersion.current)")]]
    if let daemon { lines.append([Record.Piece("stack-daemon \(daemon.daemonVersion)")]) }
    return Record(
      [
        ("client", .text(Array(ClientVersion.current.utf8))),
        ("daemon", daemon.map { .text(Array($0.daemonVersion.utf8)) } ?? .none),
      ], lines: lines)
  }
}

extension DaemonStatus {
  /// How the daemon that was reached at `socket` does, as of `now`, in milliseconds: people see a table of two columns.
  /// What the daemon tells its keepers alone is left out where it did not.
  public func record(socket: String, now: Int64) -> Record {
    let uptime = Int(max(0, now - startedAtMilliseconds) / 1000)
    let isTold = processID != 0
    var table: [(String, String)] = [
      ("daemon", daemonVersion + (isTold ? ", process \(processID)" : "")), ("socket", socket),
      ("running for", NumberText.duration(seconds: uptime)), ("account", account),
      ("posts", NumberText.grouped(postCount) + (isLoaded ? "" : " (not all in memory yet)")),
    ]
    if isTold {
      table += [
        ("views", "\(viewCount)"), ("connections", "\(connectionCount)"), ("store", storePath),
      ]
    }
    table.append(("revision", "\(revision)"))
    let startedAt = ISOInstant.text(milliseconds: startedAtMilliseconds)
    return Record(
      [
        ("daemon_version", .text(Array(daemonVersion.utf8))),
        ("process_id", isTold ? .number(Int(processID)) : .none),
        ("socket", .text(Array(socket.utf8))), ("started_at", .text(Array(startedAt.utf8))),
        ("uptime_seconds", .number(uptime)),
        ("account", .text(Array(account.utf8))), ("posts", .number(Int(clamping: postCount))),
        ("loaded", .flag(isLoaded)), ("views", isTold ? .number(viewCount) : .none),
        ("connections", isTold ? .number(connectionCount) : .none),
        ("store", isTold ? .text(Array(storePath.utf8)) : .none),
        ("epoch", .identifier(epoch)), ("revision", .identifier(revision)),
      ],
      lines: table.map { name, value in
        [Record.Piece(name + String(repeating: " ", count: 13 - name.count), .faint), Record.Piece(value)]
      })
  }
}
