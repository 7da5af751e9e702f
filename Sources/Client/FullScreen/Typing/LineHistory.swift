/// Lines entered before, and which of them is shown.
public struct LineHistory: Equatable, Sendable {
  /// The number of lines kept.
  public static let limit = 100

  /// The lines, oldest first.
  public private(set) var lines: [String]
  /// The index of the line that is shown; the number of lines for the one being typed.
  private var place: Int
  private var draft = ""

  /// A history that shows the line being typed.
  public init(_ lines: [String] = []) {
    self.lines = Array(lines.suffix(Self.limit))
    place = self.lines.count
  }

  /// True if an earlier line is shown.
  var isShowing: Bool { place < lines.count }

  /// Moves to an earlier line (-1) or a later one (1), at last the one being typed. Returns the line to show in place of
  /// `current`.
  mutating func move(_ step: Int, from current: String) -> String {
    if !isShowing { draft = current }
    place = min(max(0, place + step), lines.count)
    return isShowing ? lines[place] : draft
  }

  /// Adds a line, without duplicates, and shows the line being typed.
  mutating func remember(_ line: String) {
    defer { place = lines.count }
    guard !line.allSatisfy({ $0 == " " }) else { return }
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst() }
  }
}
