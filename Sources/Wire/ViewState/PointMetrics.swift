/// Advances of consecutive code points; the schema's AdvanceRun.
public struct AdvanceRun: Hashable, Sendable {
  /// The first code point.
  public var first: UInt32
  /// One for each code point from `first` on, in 1/64 of a point.
  public var advances: [UInt16]

  public init(first: UInt32, advances: [UInt16]) {
    self.first = first
    self.advances = advances
  }
}

/// The text metrics of a client with a proportional font: the sizes of its rows and panes and the widths of its
/// characters; the schema's PointMetrics.
///
/// Always valid: errors are reported on creation. A class, because there may be many advances, and because users of the
/// same metrics share one object: comparison is mostly a matter of identity, otherwise of ``digest``.
public final class PointMetrics: Hashable, Sendable {
  public let sizes: PointSizes
  /// In ascending order, without overlaps.
  public let runs: [AdvanceRun]
  /// A digest of everything above, the same in every process and version; different metrics share one only by an
  /// accident of 1 in 2^64.
  public let digest: UInt64
  /// Data derived from these metrics by the layout code, so that it is computed once; nil until then. Neither compared
  /// nor sent.
  public let prepared: (any Sendable)?

  /// Maximum number of advances of all runs together.
  public static let maximumAdvances = 65_536
  /// Maximum number of runs: each costs a lookup in its surroundings, and no font has nearly so many gaps.
  public static let maximumRuns = 4096

  /// Checks the numbers. O(advances).
  /// - Throws: the number that is invalid, and why.
  public init(sizes: PointSizes, runs: [AdvanceRun] = []) throws(InvalidMetrics) {
    for (field, value, range) in sizes.named where !range.contains(value) {
      throw InvalidMetrics(field, "is \(value); it must be \(range.lowerBound) to \(range.upperBound)")
    }
    try Self.check(runs)
    self.sizes = sizes
    self.runs = runs
    digest = Self.digest(sizes, runs)
    prepared = nil
  }

  /// Returns the same metrics, with the result of `prepare`.
  public func preparing(_ prepare: (PointMetrics) -> any Sendable) -> PointMetrics {
    PointMetrics(self, prepared: prepare(self))
  }

  private init(_ same: PointMetrics, prepared: any Sendable) {
    sizes = same.sizes
    runs = same.runs
    digest = same.digest
    self.prepared = prepared
  }

  private static func check(_ runs: [AdvanceRun]) throws(InvalidMetrics) {
    guard runs.count <= maximumRuns else {
      throw InvalidMetrics(
        "advances", "has more than \(maximumRuns) runs; join runs with small gaps, and include the gaps",
        limit: maximumRuns)
    }
    var count = 0
    var next = 0
    for (index, run) in runs.enumerated() {
      let name = "advances[\(index)]"
      let end = Int(run.first) + run.advances.count
      count += run.advances.count
      guard !run.advances.isEmpty else { throw InvalidMetrics("\(name).advances", "is empty; remove the run") }
      guard Int(run.first) >= next else {
        throw InvalidMetrics(
          "\(name).first",
          "is \(run.first), which is not after the previous run; name each code point once, in ascending order")
      }
      guard end <= 0x110000 else {
        throw InvalidMetrics(name, "extends beyond the last code point, 0x10FFFF; end it there")
      }
      guard run.first >= 0xE000 || end <= 0xD800 else {
        throw InvalidMetrics(name, "contains surrogates (0xD800 to 0xDFFF), which are not characters; split it in two")
      }
      guard count <= maximumAdvances else {
        throw InvalidMetrics(
          "advances",
          "has more than \(maximumAdvances) advances; leave out characters as wide as default_advance",
          limit: maximumAdvances)
      }
      next = end
    }
  }

  /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) over all numbers, 64 bits at a time.
  private static func digest(_ sizes: PointSizes, _ runs: [AdvanceRun]) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ number: Int) { digest = (digest ^ UInt64(number)) &* 0x100_0000_01B3 }
    // Optional numbers may be absent, so each is preceded by its name.
    for (field, value, _) in sizes.named {
      for byte in field.utf8 { mix(Int(byte)) }
      mix(value)
    }
    for run in runs {
      mix(Int(run.first))
      mix(run.advances.count)
      for advance in run.advances { mix(Int(advance)) }
    }
    return digest
  }

  public static func == (one: PointMetrics, other: PointMetrics) -> Bool {
    one === other || one.digest == other.digest && one.sizes == other.sizes && one.runs == other.runs
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// An error in metrics.
public struct InvalidMetrics: Error, Equatable, Sendable {
  /// The invalid number, by its path in the schema from PointMetrics.
  public let field: String
  /// The problem and the remedy, as the end of a sentence that begins with the field.
  public let problem: String
  /// The limit that is exceeded; nil if there is none, or if `problem` names it.
  public let limit: Int?

  init(_ field: String, _ problem: String, limit: Int? = nil) {
    self.field = field
    self.problem = problem
    self.limit = limit
  }
}
