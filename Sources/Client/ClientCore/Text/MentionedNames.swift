/// The names that a text mentions with "@".
public enum MentionedNames {
  /// Returns the names without "@", in order, each once in lower case; not those of other servers, as in `@ann@x.org`,
  /// and not the ends of mail addresses.
  public static func names(in text: String) -> [String] {
    var names: [String] = []
    var rest = text[...]
    var before: Character = " "
    while let character = rest.popFirst() {
      defer { before = character }
      guard character == "@", !isName(before), before != "@" else { continue }
      let name = rest.prefix(while: isName)
      rest = rest.dropFirst(name.count)
      guard !name.isEmpty, rest.first != "@" || !isName(rest.dropFirst().first ?? " ") else { continue }
      let lower = name.lowercased()
      if !names.contains(lower) { names.append(lower) }
    }
    return names
  }

  /// Returns the first name that a text mentions and `known`, in lower case, lacks; nil if there is none, or no more
  /// than one name is known: then no one else is here.
  public static func unknown(in text: String, known: Set<String>) -> String? {
    known.count > 1 ? names(in: text).first { !known.contains($0) } : nil
  }

  private static func isName(_ character: Character) -> Bool {
    character == "_" || character.isASCII && (character.isLetter || character.isNumber)
  }
}
