/// When to use colour: the option `--color`.
public enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never

  /// What it comes to. The option is said for this one call and wins; otherwise `NO_COLOR`, if it is set and not empty
  /// (no-color.org), then a terminal that cannot (`TERM` is "dumb" or missing), then whether it is a terminal at all.
  ///
  /// - Parameters:
  ///   - isTerminal: whether standard output is one.
  ///   - term: `TERM`, nil where unset.
  ///   - noColor: `NO_COLOR`, nil where unset.
  public func usesColor(isTerminal: Bool, term: String?, noColor: String?) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if let noColor, !noColor.isEmpty { return false }
      guard let term, !term.isEmpty, term != "dumb" else { return false }
      return isTerminal
    }
  }
}
