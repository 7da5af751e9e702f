internal import HTTPSupport
internal import Ingest

/// What a server says of itself, from `/api/v2/instance` or `/api/v1/instance`.
struct ServerFacts: Equatable {
  /// The origin of its streams, as an http(s) address; nil if it names none.
  var streams: WebURL?
  /// The most characters of a post, and what a link counts; nil if it does not say.
  var characters: Int?
  var linkCharacters: Int?
  /// What it takes of files.
  var media = MediaLimits()
  /// True if it has notifications of the kind `quote`, as Mastodon has from 4.5 on, whose API is of version 7. Other
  /// servers may refuse kinds that they do not know.
  var notifiesOfQuotes = false
  /// True if it knows the `Idempotency-Key` of a request again for an hour, as Mastodon, Pleroma and Akkoma do.
  var keepsKeys: Bool

  /// Reads either document. Nil if it is not one of an instance.
  init?(_ value: JSONValue) {
    guard let version = value["version"]?.string else { return nil }
    let configuration = value["configuration"]
    let address = configuration?["urls"]?["streaming"]?.string ?? value["urls"]?["streaming_api"]?.string
    streams = address.flatMap(Self.webAddress)
    characters = configuration?["statuses"]?["max_characters"]?.integer ?? value["max_toot_chars"]?.integer
    notifiesOfQuotes = value["api_versions"]?["mastodon"]?.integer ?? 0 >= 7
    linkCharacters = configuration?["statuses"]?["characters_reserved_per_url"]?.integer
    media = MediaLimits(value)
    keepsKeys = Self.keepsKeys(version, source: value["source_url"]?.string ?? "")
  }

  /// Other servers say which they are behind the version of Mastodon that they speak, or have versions of their own.
  private static func keepsKeys(_ version: String, source: String) -> Bool {
    let words = version.lowercased()
    if words.contains("compatible") { return words.contains("akkoma") || words.contains("pleroma") }
    let isOther = words.contains("gotosocial") || source.lowercased().contains("gotosocial")
    return !isOther && (Int(version.prefix { $0 != "." }) ?? 0) >= 2
  }

  /// Returns an address of WebSocket as one of HTTP, which it is until it is upgraded.
  private static func webAddress(_ text: String) -> WebURL? {
    if text.hasPrefix("wss://") { return WebURL("https://" + text.dropFirst(6)) }
    if text.hasPrefix("ws://") { return WebURL("http://" + text.dropFirst(5)) }
    return WebURL(text)
  }
}
