public import Posts

extension SearchText {
  /// Replaces the tokens by those of a post: the words of its text, its content warning and its media descriptions; a
  /// facet for each link, hashtag and mention; and the words of each link's target, unless the text displays exactly
  /// that.
  public mutating func read(_ body: PostBody) {
    removeAll()
    add(words: body.text.utf8.span)
    if !body.contentWarning.isEmpty { add(another: body.contentWarning) }
    for media in body.media where !media.altText.isEmpty { add(another: media.altText) }
    for span in body.spans {
      switch span.kind {
      case .hashtag: add(facet: Facet.tag, span.target.utf8.span)
      case .mention: add(facet: Facet.mention, span.target.utf8.span)
      case .link:
        add(facet: Facet.has, Facet.link.span)
        if !body.text.utf8[span.range].elementsEqual(span.target.utf8) { add(words: span.target.utf8.span) }
      }
    }
  }

  private mutating func add(another text: SafeText) {
    addGap()
    add(words: text.utf8.span)
  }
}

/// The marks at the beginning of facets.
public enum Facet {
  /// The mark of a hashtag's name.
  public static let tag = UInt8(ascii: "#")
  /// The mark of a mentioned handle.
  public static let mention = UInt8(ascii: "@")
  /// The mark of a thing that a post has.
  public static let has = UInt8(ascii: ":")
  /// The name of the facet of posts with a link.
  public static let link = Array("link".utf8)
}
