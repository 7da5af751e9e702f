internal import Posts

/// The people of a direct conversation at a server elsewhere, as they are stored with its audience group.
struct RemotePeople: Equatable {
  /// The server's number in the store.
  var server: Int64
  /// The login that takes part in it, and by which it is answered; empty if that is not known.
  var login: String
  /// The names that the others have there, in order.
  var names: [String]

  init(server: Int64, login: String, names: [String]) {
    (self.server, self.login, self.names) = (server, login, names)
  }

  /// Returns a name without what the key cannot hold.
  static func storable(_ name: String) -> String { name.filter { $0 != "\"" && $0 != "\\" } }

  /// Returns the people as the column `audience_groups.people` has them, for the account that they write to.
  func key(for account: AccountID) -> String {
    let words = ["\(server) \(Self.storable(login))"] + names.map(Self.storable)
    return "\(account.rawValue)," + words.map { "\"\($0)\"" }.joined(separator: ",")
  }

  /// Reads such a key; nil for that of a conversation of accounts.
  init?(key: String) {
    let words = key.split(separator: "\"").map(String.init)
    guard words.count > 1 else { return nil }
    let place = words[1].split(separator: " ", maxSplits: 1).map(String.init)
    guard let server = place.first.flatMap({ Int64($0) }) else { return nil }
    self.init(
      server: server, login: place.count > 1 ? place[1] : "",
      names: stride(from: 3, to: words.count, by: 2).map { words[$0] })
  }
}
