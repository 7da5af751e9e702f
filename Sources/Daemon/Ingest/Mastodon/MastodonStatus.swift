package import Posts

/// Statuses as a server of Mastodon's API returns them, for connectors.
package enum MastodonStatus {
  /// Returns a status as a post of `source`; nil if it lacks an author, an identifier or a date. Its server's numbers,
  /// which are aliases, begin with `host`.
  package static func post(_ value: JSONValue, source: String, host: String) -> ImportedPost? {
    (try? StatusDecoder(source: source).decode(value, native: [])).map { LocalNumbers.rename($0) { host + $0 } }
  }

  /// Returns the person whom an account describes; nil if it lacks a name or an address. It is the author of the
  /// account's posts if it ``hasAddress(_:)``, and else named by its page.
  package static func author(_ account: JSONValue) -> ImportedAuthor? {
    try? StatusDecoder.author(account, statusURI: "")
  }

  /// True if an account has the address by which its posts name their author. Servers before Mastodon 4.2, GoToSocial
  /// and Pixelfed have only that of its page.
  package static func hasAddress(_ account: JSONValue) -> Bool { (try? StatusDecoder.address(of: account)) != nil }

  /// Returns the server's word for who may read a status if it is one that is unknown here: some may then read it who do
  /// not follow its author, and some who follow may not. Nil if it is known.
  package static func unknownVisibility(_ status: JSONValue) -> String? {
    let word = status["visibility"]?.string
    return StatusDecoder.visibility(word) == nil ? word : nil
  }

  /// Returns an attachment as a server describes it.
  package static func media(_ attachment: JSONValue) -> Media { StatusDecoder.media(attachment) }

  /// Returns the alias of the status with this number at `host`.
  package static func alias(_ number: String, host: String) -> String { host + LocalNumbers.mark + number }
}
