/// A problem with the runs of an ``AdvanceTable``. Runs are numbered from 0, in the order given.
public enum AdvanceTableError: Error, Hashable, Sendable {
  /// The run has no advances.
  case noAdvances(run: Int)
  /// The run extends past U+10FFFF.
  case noScalar(run: Int)
  /// The run contains one of U+D800 to U+DFFF, which are not scalars.
  case surrogate(run: Int)
  /// The run and an earlier one both contain this scalar.
  case overlap(run: Int, earlier: Int, scalar: UInt32)
  /// With this run, the table has more than ``AdvanceTable/maximumAdvances``.
  case tooManyAdvances(run: Int)
}

extension AdvanceTableError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noAdvances(let run): "run \(run) of the advances is empty: omit it"
    case .noScalar(let run): "run \(run) of the advances extends past U+10FFFF: end it there"
    case .surrogate(let run):
      "run \(run) of the advances contains surrogates (U+D800 to U+DFFF), which are not characters: split it in two"
    case .overlap(let run, let earlier, let scalar):
      "run \(run) of the advances repeats U+\(Self.hexadecimal(scalar)) from run \(earlier): list each character once"
    case .tooManyAdvances(let run):
      "with run \(run), the table has more than \(AdvanceTable.maximumAdvances) advances: omit characters as wide as the default"
    }
  }

  /// Returns a scalar in Unicode notation: upper case, at least four digits.
  private static func hexadecimal(_ scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
