/// The choice of colour: the option `--color`.
public enum ColorChoice: String, CaseIterable, Sendable {
  case auto
  case always
  case never

  /// Decides whether to use colour. `always` and `never` apply to this one call and win. Otherwise there is no colour if
  /// `NO_COLOR` is set and not empty (no-color.org), if `TERM` is "dumb" or missing, or if the output is not a terminal.
  ///
  /// - Parameters:
  ///   - isTerminal: true if standard output is a terminal.
  ///   - term: `TERM`; nil if unset.
  ///   - noColor: `NO_COLOR`; nil if unset.
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
