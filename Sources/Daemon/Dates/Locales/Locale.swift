/// A language and its date formats: an entry of the tables that `scripts/generate-locales` makes from CLDR.
///
/// Stored as a number, so that it costs nothing to copy or compare; the tables are constants.
public struct Locale: Hashable, Sendable, CustomStringConvertible {
  /// The index of the table, smaller than the number of tags.
  private let index: UInt8

  private init(index: Int) { self.index = UInt8(index) }

  /// English, the default. Its words are those of docs/BEHAVIOUR.md, rule 23.
  public static let english = Locale(index: 0)

  /// Every locale, English first.
  public static var all: [Locale] { LocaleTable.tags.indices.map { Locale(index: $0) } }

  /// The BCP 47 tag, such as `de` or `zh-Hant`.
  public var tag: String { table.tag }

  public var description: String { tag }

  var table: LocaleTable { .table(index) }

  /// True if distances in time use Rails' words.
  var isEnglish: Bool { table.relative == nil }

  /// Returns the locale for a BCP 47 tag. `isFallback` is true if its language has no table and the result is English
  /// instead.
  ///
  /// Subtags are dropped from the end until a table matches (RFC 4647, section 3.4): `pt-BR` is `pt`. Case is ignored.
  /// A region may stand for a script (`zh-TW` is `zh-Hant`), and other codes of a language are accepted (`iw` is `he`),
  /// as are POSIX names (`de_DE.UTF-8`). An empty tag is English and not a fallback. Only the first 64 bytes of a tag
  /// are read.
  public static func lookup(_ tag: String) -> (locale: Locale, isFallback: Bool) {
    let name = tag.utf8.prefix(64).prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
    var subtags = name.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }.map {
      String(decoding: $0, as: UTF8.self).lowercased()
    }
    guard let language = subtags.first else { return (.english, false) }
    subtags[0] = alias(language) ?? language
    while !subtags.isEmpty {
      let name = subtags.joined(separator: "-")
      let known = (alias(name) ?? name).lowercased()
      if let index = LocaleTable.tags.firstIndex(where: { $0.lowercased() == known }) {
        return (Locale(index: index), false)
      }
      subtags.removeLast()
    }
    return (.english, true)
  }

  /// Returns the replacement for a lower-case name in the tables' list of aliases.
  private static func alias(_ name: String) -> String? { LocaleTable.aliases.first { $0.key == name }?.value }
}
