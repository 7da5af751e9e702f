/// The language for time labels, from the options and the environment.
public enum LabelLanguage {
  /// Finds the language.
  ///
  /// - Parameters:
  ///   - option: the option of the command line; nil if it is absent.
  ///   - variables: `LC_ALL`, `LC_TIME` and `LANG`, in this order; nil if unset.
  /// - Returns: a BCP 47 tag or a POSIX name such as "de_DE.UTF-8", both of which the daemon accepts; empty for English.
  public static func find(option: String?, variables: [String?]) -> String {
    let named = option ?? variables.lazy.compactMap(\.self).first { !$0.isEmpty } ?? ""
    let language = named.prefix { $0 != "." && $0 != "@" }
    return language == "C" || language == "POSIX" ? "" : named
  }

  /// Returns true if labels are in English only because the requested language is not available.
  public static func isMissing(_ wanted: String, actual locale: String) -> Bool {
    let language = wanted.prefix { $0.isLetter }.lowercased()
    return !language.isEmpty && language != "en" && locale == "en"
  }
}
