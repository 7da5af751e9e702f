/// What a terminal tells of itself when a screen begins: how wide it draws what terminals differ about, and whether it
/// can hold still.
///
/// The questions go out in one piece, on the alternate screen: strings, each behind an absolute move and before a
/// question for the cursor; then for modes; and last for what every terminal answers, so that what has not come by then
/// will not come. Answers are taken in the order of the questions. Everything else that arrives meanwhile is somebody
/// typing, and is given back.
public struct Probes: Sendable {
  /// How long to wait for a terminal that says nothing.
  public static let patienceMilliseconds = 150

  /// What is written, and how many cells each profile gives to it.
  private static let strings: [(text: String, sum: Int, cluster: Int)] = [
    ("👩‍👩‍👧", 6, 2),
    ("👍🏽", 4, 2),
    ("🇩🇪", 2, 2),
    ("❤️", 1, 2),
    ("1️⃣", 1, 2),
    ("§", 1, 1),
  ]

  private var widths: [Int] = []
  private var modes: [Int: Int] = [:]
  /// The last answer has come.
  public private(set) var isComplete = false

  /// Nothing has been answered.
  public init() {}

  /// What to write. The line is the second one, because on the first the answer might be a key (F3), and is blank at
  /// the end.
  public static var questions: [UInt8] {
    let widths = strings.map { "\u{1B}[2;1H\($0.text)\u{1B}[6n" }.joined()
    return Array("\u{1B}[?25l\(widths)\u{1B}[2;1H\u{1B}[2K\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[c".utf8)
  }

  /// Takes an answer; gives back what is none.
  public mutating func take(_ event: InputEvent) -> InputEvent? {
    guard case .reply(let reply) = event, !isComplete else { return event }
    switch reply {
    case .cursor(_, let column): if widths.count < Self.strings.count { widths.append(column) }
    case .mode(let mode, let state): modes[mode] = state
    case .attributes: isComplete = true
    }
    return nil
  }

  /// The terminal joins what is one character, as kitty does: the family and the keycap say so, or it says that mode
  /// 2027 is on. What joins the one and not the other (tmux) is neither, and is better off with sums: its lines end
  /// early, and none is too long.
  public var drawsClusters: Bool {
    guard widths.count == Self.strings.count else { return modes[2027] == 1 || modes[2027] == 3 }
    func fits(_ expected: (Int) -> Int) -> Int { widths.indices.count { widths[$0] == expected($0) } }
    let (sum, cluster) = (fits { Self.strings[$0].sum }, fits { Self.strings[$0].cluster })
    return cluster > sum && widths[4] == 2
  }

  /// 2 where East Asian ambiguous characters take two cells, else 1.
  public var ambiguousWidth: Int { widths.count == Self.strings.count && widths[5] == 2 ? 2 : 1 }

  /// Mode 2026 is known and can be set.
  public var hasSynchronizedOutput: Bool { [1, 2, 3].contains(modes[2026] ?? 0) }
}
