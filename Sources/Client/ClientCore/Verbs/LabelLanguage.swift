/// In which language a person wants times told, from what Unix has to say about it.
public enum LabelLanguage {
  /// - Parameters:
  ///   - option: what the command line says; nil where it says nothing.
  ///   - variables: `LC_ALL`, `LC_TIME` and `LANG`, in this order; nil where unset.
  /// - Returns: a BCP 47 tag or a POSIX name such as "de_DE.UTF-8", both of which the daemon knows; empty for English.
  public static func find(option: String?, variables: [String?]) -> String {
    let named = option ?? variables.lazy.compactMap(\.self).first { !$0.isEmpty } ?? ""
    let language = named.prefix { $0 != "." && $0 != "@" }
    return language == "C" || language == "POSIX" ? "" : named
  }

  /// Whether labels are in English only because there are none in the language asked for.
  public static func isMissing(_ wanted: String, told locale: String) -> Bool {
    let language = wanted.prefix { $0.isLetter }.lowercased()
    return !language.isEmpty && language != "en" && locale == "en"
  }
}
