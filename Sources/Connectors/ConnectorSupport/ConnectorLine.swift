internal import Dates
package import Ingest
package import Posts

/// Lines to the daemon that every connector writes (docs/UPSTREAM.md).
package enum ConnectorLine {
  /// The first line: the protocol's version, and what the program can do.
  package static func hello(can words: [String]) -> [UInt8] {
    line { writer in
      writer.field("say", "hello")
      writer.number("protocol", 2)
      writer.list("can", words) { $0.string(Array($1.utf8)) }
    }
  }

  /// The status of a login or feed.
  package static func status(_ subject: UpstreamSubject, _ status: ConnectorStatus) -> [UInt8] {
    line { writer in
      writer.field("say", "status")
      writer.field(subject.key, subject.name)
      writer.field("state", status.state.rawValue)
      if let since = status.since { writer.number("since", Int(since.milliseconds)) }
      if let next = status.next { writer.number("next", Int(next.milliseconds)) }
      if !status.reason.isEmpty { writer.field("reason", status.reason) }
      if !status.history.isEmpty { writer.list("history", status.history) { $0.string(Array($1.utf8)) } }
    }
  }

  /// Items, each an object in JSON, with the cursors that stand for them; nil removes a cursor.
  static func batch(_ number: Int, _ subject: UpstreamSubject, items: [[UInt8]], cursors: [String: String?]) -> [UInt8]
  {
    line { writer in
      writer.field("say", "batch")
      writer.field("batch", String(number))
      writer.field(subject.key, subject.name)
      writer.list("items", items) { $0.bytes += $1 }
      writer.object("cursors") { writer in
        for (name, value) in cursors.sorted(by: { $0.key < $1.key }) {
          writer.field(Array(name.utf8)) { field in
            if let value { field.string(Array(value.utf8)) } else { field.bytes += "null".utf8 }
          }
        }
      }
    }
  }

  /// The answer to a want or a command.
  package static func answer(_ id: String, refusal: String? = nil) -> [UInt8] {
    line { writer in
      writer.field("id", id)
      writer.flag("ok", refusal == nil)
      if let refusal { writer.field("reason", refusal) }
    }
  }

  /// Returns an object as a line, with its end.
  package static func line(_ body: (inout JSONLinesWriter) -> Void) -> [UInt8] {
    JSONLinesWriter.object(body) + [0x0A]
  }
}

extension UpstreamSubject {
  /// The field of a line that names it.
  fileprivate var key: StaticString {
    switch self {
    case .login: "login"
    case .feed: "feed"
    }
  }
}
