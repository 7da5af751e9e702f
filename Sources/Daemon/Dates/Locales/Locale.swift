/// A language, and how it writes dates: an entry of the tables that `scripts/generate-locales` makes of CLDR.
///
/// A number, in truth, so that it costs nothing to copy or compare; the tables are constants.
public struct Locale: Hashable, Sendable, CustomStringConvertible {
  /// Which table; smaller than the number of tags.
  private let index: UInt8

  private init(index: Int) { self.index = UInt8(index) }

  /// English, whose words are those of rule 23; what there is if nothing else is asked for.
  public static let english = Locale(index: 0)

  /// Every locale, English first.
  public static var all: [Locale] { LocaleTable.tags.indices.map { Locale(index: $0) } }

  /// Its BCP 47 tag, such as `de` or `zh-Hant`.
  public var tag: String { table.tag }

  public var description: String { tag }

  var table: LocaleTable { .table(index) }

  /// Whether distances in time are said in Rails' words.
  var isEnglish: Bool { table.relative == nil }

  /// The locale for a BCP 47 tag, and whether there is none for its language, so that it is English for want of
  /// another.
  ///
  /// Subtags are dropped from the end until there is a table for what is left (RFC 4647, section 3.4): `pt-BR` is `pt`.
  /// Case does not matter; a region may stand for a script (`zh-TW` is `zh-Hant`), and other codes of a language do for
  /// it (`iw` is `he`). POSIX names are read as well (`de_DE.UTF-8`). Nothing at all is English and no fallback. Of a
  /// long tag 64 bytes count.
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

  /// What the tables say that a name, in lower case, stands for.
  private static func alias(_ name: String) -> String? { LocaleTable.aliases.first { $0.key == name }?.value }
}
