internal import Ingest

/// The name of a login and of its server, with which the daemon's names of notifications and statuses begin.
struct LoginName: Equatable {
  /// The login's name, such as `ann@a.example`.
  var text: String
  /// The server's name, with its port if that is not the usual one.
  var host: String

  /// Returns the name by which the daemon knows a notification: it is the login's own, while all logins at a server see
  /// the same statuses.
  func alias(ofNotification id: String) -> String { MastodonStatus.alias("notification/\(id)", host: text) }
}
