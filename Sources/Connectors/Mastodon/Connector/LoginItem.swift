internal import Dates
internal import Ingest
internal import Posts

/// Items of a batch (docs/UPSTREAM.md).
enum LoginItem {
  /// What was found in the home timeline.
  static func item(_ finding: TimelineReader.Finding) -> [UInt8] {
    switch finding {
    case .status(let status): post(status.post, in: ["home"])
    case .gap(let older, let newer, let isLost): gap(older: older, newer: newer, isLost: isLost)
    case .complete(let older, let newer): complete(older: older, newer: newer)
    }
  }

  /// A post, which is an object in JSON, and the lists that it is in.
  static func post(_ post: [UInt8], in lists: [String]) -> [UInt8] {
    JSONLinesWriter.object { writer in
      writer.field("post") { $0.bytes += post }
      writer.list("in", lists) { $0.string(Array($1.utf8)) }
    }
  }

  /// A stretch of which posts are missing.
  private static func gap(older: Instant, newer: Instant, isLost: Bool) -> [UInt8] {
    JSONLinesWriter.object { writer in
      writer.object("gap") { writer in
        ends(older, newer, &writer)
        if isLost { writer.flag("lost", true) }
      }
    }
  }

  /// A stretch of which nothing is missing.
  private static func complete(older: Instant, newer: Instant) -> [UInt8] {
    JSONLinesWriter.object { writer in writer.object("complete") { ends(older, newer, &$0) } }
  }

  /// An author, as now named.
  static func person(_ author: ImportedAuthor) -> [UInt8] {
    JSONLinesWriter.object { writer in writer.object("person") { JSONLines.write(author, to: &$0) } }
  }

  /// A post that its server has deleted.
  static func gone(_ id: String) -> [UInt8] { JSONLinesWriter.object { $0.field("gone", id) } }

  /// A post that has left the home timeline, though it exists.
  static func left(_ id: String) -> [UInt8] {
    JSONLinesWriter.object { writer in
      writer.field("left", id)
      writer.list("in", ["home"]) { $0.string(Array($1.utf8)) }
    }
  }

  /// A post that may be gone.
  static func doubt(_ id: String) -> [UInt8] { JSONLinesWriter.object { $0.field("doubt", id) } }

  /// How far a list has been read at the server: up to a post that was written at an instant; nil for nothing of it. It
  /// is only compared unless it is taken.
  static func marker(_ list: String, post: String?, _ createdAt: Instant?, isTaken: Bool) -> [UInt8] {
    JSONLinesWriter.object { writer in
      writer.object("marker") { writer in
        writer.field("in", list)
        if let post { writer.field("post", post) }
        if let createdAt { writer.number("created_at", Int(createdAt.milliseconds)) }
        if !isTaken { writer.flag("take", false) }
      }
    }
  }

  /// How long posts may be; nil if the server does not say.
  static func limits(_ facts: ServerFacts) -> [UInt8]? {
    guard facts.characters != nil || facts.linkCharacters != nil else { return nil }
    return JSONLinesWriter.object { writer in
      writer.object("limits") { writer in
        if let characters = facts.characters { writer.number("max_characters", characters) }
        if let characters = facts.linkCharacters { writer.number("characters_reserved_per_url", characters) }
      }
    }
  }

  private static func ends(_ older: Instant, _ newer: Instant, _ writer: inout JSONLinesWriter) {
    writer.field("newer") { $0.instant(newer) }
    writer.field("older") { $0.instant(older) }
  }
}
