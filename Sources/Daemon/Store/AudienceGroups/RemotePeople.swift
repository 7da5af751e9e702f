internal import Posts

/// The people of a direct conversation at a server elsewhere, as they are stored with its audience group.
struct RemotePeople: Equatable {
  /// The server's number in the store.
  var server: Int64
  /// The names that the others have there, in order.
  var names: [String]

  init(server: Int64, names: [String]) { (self.server, self.names) = (server, names) }

  /// Returns the people as the column `audience_groups.people` has them, for the account that they write to.
  func key(for account: AccountID) -> String {
    let words = [String(server)] + names.map { $0.filter { $0 != "\"" && $0 != "\\" } }
    return "\(account.rawValue)," + words.map { "\"\($0)\"" }.joined(separator: ",")
  }

  /// Reads such a key; nil for that of a conversation of accounts.
  init?(key: String) {
    let words = key.split(separator: "\"").map(String.init)
    guard words.count > 1, let server = Int64(words[1]) else { return nil }
    self.init(server: server, names: words.dropFirst(2).filter { $0 != "," })
  }
}
