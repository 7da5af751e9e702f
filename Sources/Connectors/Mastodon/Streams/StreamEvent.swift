internal import Dates
internal import Ingest

/// An event of a user's stream.
enum StreamEvent: Equatable {
  /// A status for the home timeline.
  case update(TimelineStatus)
  /// A status was edited.
  case edit(TimelineStatus)
  /// A status has left the home timeline, or was deleted: servers say the same of both.
  case delete(String)
  /// A notification with a status that mentions or quotes the login.
  case mention(TimelineStatus)
  /// Another notification.
  case notice(TimelineStatus)
  /// Notifications that waited for the account's word are among the others now.
  case merged

  /// About the bytes of memory that it takes.
  var byteCount: Int {
    switch self {
    case .update(let status), .edit(let status), .mention(let status), .notice(let status): status.post.count + 256
    case .delete, .merged: 256
    }
  }
}

/// Reads the events of a server's streams.
struct StreamEventReader {
  let login: LoginName
  /// The time by the server's clock.
  let now: Instant
  let parser: JSONParser

  /// Reads an event by its name and payload. Nil for one that changes nothing here, for one of an unknown kind, and for
  /// one that cannot be read.
  func event(_ name: String, _ payload: String) -> StreamEvent? {
    switch name {
    case "update":
      parsed(payload) { TimelineStatus(arriving: $0, host: login.host, now: now) }.map { .update($0) }
    case "status.update": status(payload).map { .edit($0) }
    case "delete": TimelineStatus.isIdentifier(payload) ? .delete(payload) : nil
    case "notification":
      parsed(payload) { value -> StreamEvent? in
        if ["mention", "quote"].contains(value["type"]?.string) {
          return TimelineStatus(notification: value, login: login, now: now).map { .mention($0) }
        }
        return TimelineStatus(notice: value, login: login, now: now).map { .notice($0) }
      }
    case "notifications_merged": .merged
    default: nil
    }
  }

  /// Reads a message of a WebSocket, which holds an event's name and its payload as text.
  func event(message text: String) -> StreamEvent? {
    let parts = parsed(text) { value -> (name: String, payload: String)? in
      value["event"]?.string.map { ($0, value["payload"]?.id ?? "") }
    }
    return parts.flatMap { event($0.name, $0.payload) }
  }

  private func status(_ text: String) -> TimelineStatus? {
    parsed(text) { TimelineStatus($0, host: login.host, now: now) }
  }

  private func parsed<Value>(_ text: String, _ read: (JSONValue) -> Value?) -> Value? {
    var bytes = Array(text.utf8)
    return try? parser.parse(&bytes) { value, _ in read(value) }
  }
}
