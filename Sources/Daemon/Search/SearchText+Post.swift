public import Posts

extension SearchText {
  /// Becomes the tokens of a post: the words of its text, of its content warning and of its media's descriptions; a
  /// facet for each link, hashtag and mention; and the words of where a link leads, unless the text shows just that.
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

/// The marks that facets begin with.
public enum Facet {
  /// Before a hashtag's name.
  public static let tag = UInt8(ascii: "#")
  /// Before the handle of somebody who is mentioned.
  public static let mention = UInt8(ascii: "@")
  /// Before what a post has.
  public static let has = UInt8(ascii: ":")
  /// What a post has that leads somewhere.
  public static let link = Array("link".utf8)
}
