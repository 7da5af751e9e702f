/// What is wrong with the runs of an ``AdvanceTable``. Runs are numbered from 0, in the order in which they were given.
public enum AdvanceTableError: Error, Hashable, Sendable {
  /// The run names no scalar at all.
  case noAdvances(run: Int)
  /// The run goes past U+10FFFF.
  case noScalar(run: Int)
  /// The run names one of U+D800 to U+DFFF, which are no scalars.
  case surrogate(run: Int)
  /// The run and one before it both name this scalar.
  case overlap(run: Int, earlier: Int, scalar: UInt32)
  /// With this run there are more than ``AdvanceTable/maximumAdvances``.
  case tooManyAdvances(run: Int)
}

extension AdvanceTableError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noAdvances(let run): "run \(run) of the advances is empty: leave it out"
    case .noScalar(let run): "run \(run) of the advances goes past U+10FFFF: cut it there"
    case .surrogate(let run):
      "run \(run) of the advances has surrogates (U+D800 to U+DFFF), which are no characters: cut it in two"
    case .overlap(let run, let earlier, let scalar):
      "run \(run) of the advances names U+\(Self.hexadecimal(scalar)) again, which run \(earlier) has: name each character once"
    case .tooManyAdvances(let run):
      "with run \(run) there are more than \(AdvanceTable.maximumAdvances) advances: leave out characters as wide as the default"
    }
  }

  /// A scalar's number as Unicode writes it: upper case, at least four digits.
  private static func hexadecimal(_ scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
