/// A name in a feed: the vocabulary and the word, both in lower case, since feeds disagree on it.
struct XMLName: Hashable {
  /// A set of names that feeds use.
  enum Vocabulary: String {
    /// RSS 0.9 to 2.0, and names without a namespace.
    case rss
    /// Atom 0.3 and 1.0.
    case atom
    case rdf
    /// Dublin Core, elements and terms.
    case dublinCore = "dc"
    case content
    case media
    case itunes
    /// Atom Threading Extensions (RFC 4685).
    case thread = "thr"
    case syndication = "sy"
    case xhtml
    case xml
    case other
  }

  let vocabulary: Vocabulary
  let word: String

  init(_ vocabulary: Vocabulary, _ word: String) {
    self.vocabulary = vocabulary
    self.word = word
  }

  /// Creates the name that a document writes as `prefix:local`, where the prefix stands for `namespace`.
  init(local: String, prefix: String, namespace: String) {
    let local = local.lowercased()
    if !namespace.isEmpty {
      self.init(Self.vocabulary(ofNamespace: namespace.lowercased()) ?? .other, local)
    } else if let colon = local.firstIndex(of: ":") {
      // A prefix that the document forgot to declare; the usual ones are known.
      self.init(Vocabulary(rawValue: String(local[..<colon])) ?? .other, String(local[local.index(after: colon)...]))
    } else {
      self.init(prefix.isEmpty ? .rss : Vocabulary(rawValue: prefix.lowercased()) ?? .other, local)
    }
  }

  private static func vocabulary(ofNamespace name: String) -> Vocabulary? {
    let name = name.hasSuffix("/") ? String(name.dropLast()) : name
    if name.contains("netscape.com/rdf/simple/0.9") { return .rss }
    let scheme = name.hasPrefix("https://") ? 8 : name.hasPrefix("http://") ? 7 : 0
    return vocabularies[String(name.dropFirst(scheme))]
  }

  /// Namespaces without their scheme and final slash, in lower case.
  private static let vocabularies: [String: Vocabulary] = [
    "www.w3.org/2005/atom": .atom, "purl.org/atom/ns#": .atom,
    "purl.org/rss/1.0": .rss, "backend.userland.com/rss2": .rss, "backend.userland.com/rss": .rss,
    "blogs.law.harvard.edu/tech/rss": .rss, "cyber.law.harvard.edu/rss/rss.html": .rss,
    "www.w3.org/1999/02/22-rdf-syntax-ns#": .rdf,
    "purl.org/dc/elements/1.1": .dublinCore, "purl.org/dc/elements/1.0": .dublinCore, "purl.org/dc/terms": .dublinCore,
    "purl.org/rss/1.0/modules/content": .content, "search.yahoo.com/mrss": .media,
    "www.itunes.com/dtds/podcast-1.0.dtd": .itunes, "purl.org/syndication/thread/1.0": .thread,
    "purl.org/rss/1.0/modules/syndication": .syndication, "www.w3.org/1999/xhtml": .xhtml,
    "www.w3.org/xml/1998/namespace": .xml,
  ]
}
