public import Messages

/// How the daemon does, for `status`.
public enum StatusReport {
  /// Lines for people, as a table of two columns; each ends with LF.
  public static func lines(_ status: DaemonStatus, socket: String, now: Int64, traits: TerminalTraits) -> [UInt8] {
    let uptime = Int(max(0, now - status.startedAtMilliseconds) / 1000)
    let rows: [(String, String)] = [
      ("daemon", "\(status.daemonVersion), process \(status.processID)"), ("socket", socket),
      ("running for", ImportProgress.duration(seconds: uptime)), ("account", status.account),
      ("posts", ImportProgress.grouped(status.postCount) + (status.isLoaded ? "" : " (not all in memory yet)")),
      ("views", "\(status.viewCount)"), ("connections", "\(status.connectionCount)"), ("store", status.storePath),
      ("revision", "\(status.revision)"),
    ]
    var output = TerminalText(traits)
    for (name, value) in rows {
      output.append(name + String(repeating: " ", count: 13 - name.count), as: .faint)
      output.append(value)
      output.endLine()
    }
    return output.bytes
  }

  /// The same as a JSON object, LF included.
  public static func json(_ status: DaemonStatus, socket: String, now: Int64) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("daemon_version")
      json.string(status.daemonVersion)
      json.key("process_id")
      json.number(status.processID)
      json.key("socket")
      json.string(socket)
      json.key("started_at")
      json.string(ISOInstant.text(milliseconds: status.startedAtMilliseconds))
      json.key("uptime_seconds")
      json.number(max(0, now - status.startedAtMilliseconds) / 1000)
      json.key("account")
      json.string(status.account)
      json.key("posts")
      json.number(status.postCount)
      json.key("loaded")
      json.bool(status.isLoaded)
      json.key("views")
      json.number(status.viewCount)
      json.key("connections")
      json.number(status.connectionCount)
      json.key("store")
      json.string(status.storePath)
      json.key("epoch")
      json.identifier(status.epoch)
      json.key("revision")
      json.identifier(status.revision)
    }
    return json.bytes + [0x0A]
  }

  /// The versions of the client and, where one runs, of the daemon; LF included.
  public static func versions(of daemon: DaemonStatus?, asJSON: Bool) -> [UInt8] {
    guard asJSON else {
      var output = TerminalText(.bare)
      output.append("stack-client \(ClientVersion.current)")
      output.endLine()
      if let daemon {
        output.append("stack-daemon \(daemon.daemonVersion)")
        output.endLine()
      }
      return output.bytes
    }
    var json = JSONWriter()
    json.object { json in
      json.key("client")
      json.string(ClientVersion.current)
      json.key("daemon")
      if let daemon { json.string(daemon.daemonVersion) } else { json.null() }
    }
    return json.bytes + [0x0A]
  }
}
