/// Queries a terminal when the screen starts: how wide it draws text on which terminals differ, and whether it supports
/// synchronised output.
///
/// The queries are sent at once, on the alternate screen: strings, each after an absolute move and before a query for
/// the cursor; then modes; and last a query that every terminal answers, which shows that no other replies will come.
/// Replies are matched to the queries in order. Other input in the meantime is the user's typing, and is returned.
public struct Probes: Sendable {
  /// The time to wait for a terminal that does not reply.
  public static let patienceMilliseconds = 150

  /// The strings written, and the cells each profile gives them.
  private static let strings: [(text: String, sum: Int, cluster: Int)] = [
    ("👩‍👩‍👧", 6, 2),
    ("👍🏽", 4, 2),
    ("🇩🇪", 2, 2),
    ("❤️", 1, 2),
    ("1️⃣", 1, 2),
    ("§", 1, 1),
    ("⌚\u{FE0E}", 2, 2),
  ]

  private var widths: [Int] = []
  private var modes: [Int: Int] = [:]
  /// True if the last reply has arrived.
  public private(set) var isComplete = false

  /// No replies yet.
  public init() {}

  /// The queries to write. They use the second line, because on the first one the reply could be a key (F3), and leave
  /// it blank.
  public static var questions: [UInt8] {
    let widths = strings.map { "\u{1B}[2;1H\($0.text)\u{1B}[6n" }.joined()
    return Array("\u{1B}[?25l\(widths)\u{1B}[2;1H\u{1B}[2K\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[c".utf8)
  }

  /// Takes a reply. Returns an event that is not one.
  public mutating func consumeReply(_ event: InputEvent) -> InputEvent? {
    guard case .reply(let reply) = event, !isComplete else { return event }
    switch reply {
    case .cursor(_, let column): if widths.count < Self.strings.count { widths.append(column) }
    case .mode(let mode, let state): modes[mode] = state
    case .attributes: isComplete = true
    }
    return nil
  }

  /// True if the terminal draws a cluster as one character, as kitty does: the family and the keycap take two cells, or
  /// mode 2027 is on. A terminal that joins the one and not the other (tmux) counts as neither and is better off with
  /// sums: lines end early, and none is too long.
  public var drawsClusters: Bool {
    guard widths.count == Self.strings.count else { return modes[2027] == 1 || modes[2027] == 3 }
    func fits(_ expected: (Int) -> Int) -> Int { widths.indices.count { widths[$0] == expected($0) } }
    let (sum, cluster) = (fits { Self.strings[$0].sum }, fits { Self.strings[$0].cluster })
    return cluster > sum && widths[4] == 2
  }

  /// True if the terminal draws clusters, and an emoji that VS15 (U+FE0E) makes text in one cell, as kitty does.
  public var drawsTextNarrow: Bool { drawsClusters && widths.count == Self.strings.count && widths[6] == 1 }

  /// 2 if East Asian ambiguous characters take two cells, else 1.
  public var ambiguousWidth: Int { widths.count == Self.strings.count && widths[5] == 2 ? 2 : 1 }

  /// True if mode 2026 is known and can be set.
  public var hasSynchronizedOutput: Bool { [1, 2, 3].contains(modes[2026] ?? 0) }
}
