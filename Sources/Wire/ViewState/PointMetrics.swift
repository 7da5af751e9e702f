/// Advances of consecutive code points; the schema's AdvanceRun.
public struct AdvanceRun: Hashable, Sendable {
  /// The first code point.
  public var first: UInt32
  /// One for each code point from `first` on, in 1/64 of a point.
  public var advances: [UInt16]

  /// Puts the parts together.
  public init(first: UInt32, advances: [UInt16]) {
    self.first = first
    self.advances = advances
  }
}

/// How a client of a proportional font measures: the sizes of its rows and panes and how wide its characters are; the
/// schema's PointMetrics.
///
/// Such metrics are always sound: whatever is wrong with them is told when they are made. A class, because advances may
/// be many and because those who look at the same metrics look at the same object: telling equal ones from others is
/// mostly a matter of identity, else of ``digest``.
public final class PointMetrics: Hashable, Sendable {
  public let sizes: PointSizes
  /// In ascending order; no code point is in two of them.
  public let runs: [AdvanceRun]
  /// Stands for all of the above, in every process and version; differs for different metrics but by an accident of one
  /// in 2^64.
  public let digest: UInt64
  /// What whoever measures by these metrics has made of them, so that it is made once; nil where nobody has. Neither
  /// compared nor sent.
  public let prepared: (any Sendable)?

  /// The most advances that runs have together.
  public static let maximumAdvances = 65_536
  /// The most runs: each costs a look at all that lies around it, and no font has nearly so many gaps.
  public static let maximumRuns = 4096

  /// Checks the numbers. O(advances).
  /// - Throws: What is wrong with which.
  public init(sizes: PointSizes, runs: [AdvanceRun] = []) throws(InvalidMetrics) {
    for (field, value, range) in sizes.named where !range.contains(value) {
      throw InvalidMetrics(field, "is \(value); \(range.lowerBound) to \(range.upperBound) is possible")
    }
    try Self.check(runs)
    self.sizes = sizes
    self.runs = runs
    digest = Self.digest(sizes, runs)
    prepared = nil
  }

  /// The same metrics, with what `prepare` makes of them.
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
        "advances", "has more than \(maximumRuns) runs: join those with little between them, and name that too",
        limit: maximumRuns)
    }
    var count = 0
    var next = 0
    for (index, run) in runs.enumerated() {
      let name = "advances[\(index)]"
      let end = Int(run.first) + run.advances.count
      count += run.advances.count
      guard !run.advances.isEmpty else { throw InvalidMetrics("\(name).advances", "is empty: leave the run out") }
      guard Int(run.first) >= next else {
        throw InvalidMetrics(
          "\(name).first",
          "is \(run.first), which is not behind the run before it: name each code point once, in ascending order")
      }
      guard end <= 0x110000 else {
        throw InvalidMetrics(name, "goes on behind the last code point, 0x10FFFF: cut it there")
      }
      guard run.first >= 0xE000 || end <= 0xD800 else {
        throw InvalidMetrics(name, "names surrogates, 0xD800 to 0xDFFF, which are no characters: cut it in two")
      }
      guard count <= maximumAdvances else {
        throw InvalidMetrics(
          "advances",
          "has more than \(maximumAdvances) advances: leave out characters that are as wide as default_advance",
          limit: maximumAdvances)
      }
      next = end
    }
  }

  /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) over all numbers, 64 bits at a time.
  private static func digest(_ sizes: PointSizes, _ runs: [AdvanceRun]) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func take(_ number: Int) { digest = (digest ^ UInt64(number)) &* 0x100_0000_01B3 }
    // Numbers may be left out, so each has its name before it.
    for (field, value, _) in sizes.named {
      for byte in field.utf8 { take(Int(byte)) }
      take(value)
    }
    for run in runs {
      take(Int(run.first))
      take(run.advances.count)
      for advance in run.advances { take(Int(advance)) }
    }
    return digest
  }

  public static func == (one: PointMetrics, other: PointMetrics) -> Bool {
    one === other || one.digest == other.digest && one.sizes == other.sizes && one.runs == other.runs
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// What is wrong with metrics.
public struct InvalidMetrics: Error, Equatable, Sendable {
  /// Which number, by its path in the schema from PointMetrics on.
  public let field: String
  /// What is wrong with it and what to do, as the end of a sentence that begins with the field.
  public let problem: String
  /// The limit that it breaks; nil where that is none or in `problem`.
  public let limit: Int?

  init(_ field: String, _ problem: String, limit: Int? = nil) {
    self.field = field
    self.problem = problem
    self.limit = limit
  }
}
