/// The advance widths of a proportional font's characters, as declared by the client that renders them.
///
/// Advances are in 1/64 of a point (26.6 fixed point, as in FreeType). The width of a cluster is the sum of the
/// advances of its code points. Code points that take no cell in a terminal (combining marks, format characters,
/// variation selectors, controls) count 0 unless a run names them; a line feed always counts 0. Kerning and ligatures
/// are left to the client.
///
/// Tables with the same widths are equal, regardless of how their runs are divided.
public final class AdvanceTable: Hashable, Sendable {
  /// Advances of consecutive scalars.
  public struct Run: Hashable, Sendable {
    /// The scalar that the first advance is for.
    public var first: UInt32
    /// An advance for each scalar from `first` on, at least one; none of the scalars is a surrogate.
    public var advances: [UInt16]

    public init(first: UInt32, advances: [UInt16]) {
      self.first = first
      self.advances = advances
    }
  }

  /// The maximum number of advances in all runs of a table: room for every ideograph and every Hangul syllable, and at
  /// most 3 MB however they are scattered.
  public static let maximumAdvances = 65_536

  /// Scalars a page: those that share all but the last byte in UTF-8.
  private static let pageSize = 64

  /// The advances of scalars that no run names, by their number of cells: 0, `otherwise`, `wide`.
  private let defaults: [UInt16]
  /// The page number by scalar / 64, 0 if no run names a scalar of the page. Ends with the last page that has one.
  private let numbers: [UInt16]
  /// The advance of each scalar, page after page. The first two pages are ASCII.
  private let pages: [UInt16]
  /// A hash, equal for equal tables. Computed once, because tables are keys of caches.
  private let digest: Int

  /// Checks the runs and lays them out. Runs may be in any order. O(scalars named).
  /// - Parameters:
  ///   - otherwise: The advance of a scalar that no run names.
  ///   - wide: The same for scalars whose East Asian Width is Wide or Fullwidth.
  /// - Throws: The first problem found, with the number of its run.
  public init(runs: [Run], otherwise: UInt16, wide: UInt16) throws(AdvanceTableError) {
    try Self.check(runs)
    defaults = [0, otherwise, wide]
    var layout = Layout(defaults: defaults)
    for run in runs { layout.set(run) }
    layout.set(Run(first: 0x0A, advances: [0]))
    (numbers, pages) = layout.finished()
    var hasher = Hasher()
    hasher.combine(defaults)
    hasher.combine(numbers)
    hasher.combine(pages)
    digest = hasher.finalize()
  }

  public static func == (one: AdvanceTable, other: AdvanceTable) -> Bool {
    one === other
      || one.digest == other.digest && one.defaults == other.defaults && one.numbers == other.numbers
        && one.pages == other.pages
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  // MARK: Lookup

  /// Returns the advance of an ASCII byte.
  @inline(__always) func advance(ofASCII byte: Int) -> Int { Int(pages[byte]) }

  /// Returns the advance of the code point at `offset`, of `length` bytes, which takes `cells` in a terminal.
  @inline(__always)
  func advance(_ cells: Int, _ text: Span<UInt8>, at offset: Int, length: Int) -> Int {
    if length == 1 { return advance(ofASCII: Automaton.byte(text, offset) & 0x7F) }
    let scalar = Automaton.scalar(text, at: offset, length: length)
    let number = scalar / Self.pageSize < numbers.count ? Int(numbers[scalar / Self.pageSize]) : 0
    return number == 0 ? Int(defaults[cells]) : Int(pages[number * Self.pageSize + scalar % Self.pageSize])
  }

  // MARK: Construction

  /// Throws the first problem with the runs. O(runs x log runs).
  private static func check(_ runs: [Run]) throws(AdvanceTableError) {
    var count = 0
    for (number, run) in runs.enumerated() {
      count += run.advances.count
      if count > maximumAdvances { throw .tooManyAdvances(run: number) }
      let end = Int(run.first) + run.advances.count
      if run.advances.isEmpty { throw .noAdvances(run: number) }
      if end > 0x110000 { throw .noScalar(run: number) }
      if run.first < 0xE000 && end > 0xD800 { throw .surrogate(run: number) }
    }
    let inOrder = runs.indices.sorted { (runs[$0].first, $0) < (runs[$1].first, $1) }
    for (one, other) in zip(inOrder, inOrder.dropFirst())
    where Int(runs[one].first) + runs[one].advances.count > Int(runs[other].first) {
      throw .overlap(run: max(one, other), earlier: min(one, other), scalar: runs[other].first)
    }
  }

  /// The pages under construction.
  private struct Layout {
    let defaults: [UInt16]
    var pages: [Int: [UInt16]] = [:]

    init(defaults: [UInt16]) {
      self.defaults = defaults
    }

    /// Returns a page as it is without runs.
    private func plain(_ page: Int) -> [UInt16] {
      (0..<pageSize).map { index in
        let cells = Automaton.unicode.entry(scalar: page * pageSize + index).cells(profile: CellProfile().number)
        return cells == ClassEntry.leftToAutomaton ? 0 : defaults[cells]
      }
    }

    /// Sets the advances of a run, a page at a time.
    mutating func set(_ run: Run) {
      var done = 0
      while done < run.advances.count {
        let (page, start) = (Int(run.first) + done).quotientAndRemainder(dividingBy: pageSize)
        let end = min(pageSize, start + run.advances.count - done)
        var advances = pages.removeValue(forKey: page) ?? plain(page)
        advances.replaceSubrange(start..<end, with: run.advances[done..<done + end - start])
        pages[page] = advances
        done += end - start
      }
    }

    /// Returns the numbers and the pages, without pages that are as without runs.
    func finished() -> (numbers: [UInt16], pages: [UInt16]) {
      var numbers: [UInt16] = []
      var all = (pages[0] ?? plain(0)) + (pages[1] ?? plain(1))
      for (page, advances) in pages.sorted(by: { $0.key < $1.key }) where page > 1 && advances != plain(page) {
        numbers += repeatElement(0, count: page - numbers.count) + [UInt16(all.count / pageSize)]
        all += advances
      }
      return (numbers, all)
    }
  }
}
