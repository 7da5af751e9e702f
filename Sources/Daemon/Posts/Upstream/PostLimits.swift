/// The length of a post as a source elsewhere counts it, and its limit there, as Mastodon does: each cluster of
/// characters counts 1, a link with `http://` or `https://` the same whatever its length, and `@name@host` as `@name`.
public struct PostLimits: Equatable, Sendable {
  /// Maximum length of a post.
  public var characters: Int
  /// Length of a link.
  public var linkCharacters: Int

  /// The limits of a source that has named none.
  public static let standard = PostLimits(characters: 500, linkCharacters: 23)
  /// The limits that a source may name.
  public static let characterRange = 1...1_000_000
  /// The lengths of a link that a source may name.
  public static let linkRange = 1...10_000

  public init(characters: Int, linkCharacters: Int) {
    (self.characters, self.linkCharacters) = (characters, linkCharacters)
  }

  /// Returns the length of a text. O(n).
  public func length(of text: SafeText) -> Int {
    let bytes = text.utf8
    func clusters(_ range: Range<Int>) -> Int { String(decoding: bytes[range], as: UTF8.self).count }
    var length = 0
    var position = 0
    for span in TextSpans.find(in: text) {
      let part = bytes[span.range]
      switch span.kind {
      case .link where part.starts(with: "http://".utf8) || part.starts(with: "https://".utf8):
        length += clusters(position..<span.range.lowerBound) + linkCharacters
      case .mention:
        guard let host = part.dropFirst().firstIndex(of: UInt8(ascii: "@")) else { continue }
        length += clusters(position..<host)
      default: continue
      }
      position = span.range.upperBound
    }
    return length + clusters(position..<bytes.count)
  }
}
