internal import Posts
internal import ViewState

/// Scroll anchors and reading positions of a session: where a joining view begins (docs/BEHAVIOUR.md, rules 14 and 39).
///
/// Saved apart from the stack, and lazily: a crash loses the last second of them, but no command.
struct Places: Equatable {
  /// Reading position of a section.
  struct Reading: Equatable {
    var anchor: RowAnchor
    /// Revision that saved it; nil until that is known.
    var revision: UInt64?
  }

  /// Resting position of the stack (``PaneGeometry``) in the view that was used last; nil for the greatest valid one.
  var position: Int?
  /// Anchors by pane, in any state of the stack; a pane without one is at its beginning.
  var anchors: [UInt64: RowAnchor] = [:]
  /// Reading positions by section.
  var readings: [Section: Reading] = [:]

  /// Creates the places of a session that no view has shown yet.
  init() {}

  /// Removes the anchors of all panes but those given, which are in some state of the stack.
  mutating func keepAnchors(of panes: [UInt64]) {
    let panes = Set(panes)
    anchors = anchors.filter { panes.contains($0.key) }
  }
}

// MARK: - Encoding

extension Places {
  /// The places as stored; see ``PaneStack/encoded``.
  ///
  ///     places 1
  ///     position 3
  ///     anchor 2 42 1800000000000 text 57 0
  ///     reading timeline 17 40 1799999999000 head 0
  ///
  /// An anchor is a row, the instant that orders it, and a line of the row: counted from its top, from the line with a
  /// byte of its text, or from its end. A reading position also has the revision of its change before the anchor, 0 for
  /// the revision at which these bytes are saved.
  var encoded: [UInt8] {
    var lines = ["places 1"]
    if let position { lines.append("position \(position)") }
    for (pane, anchor) in anchors.sorted(by: { $0.key < $1.key }) { lines.append("anchor \(pane) \(anchor.words)") }
    for section in Section.allCases {
      if let reading = readings[section] {
        lines.append("reading \(section) \(reading.revision ?? 0) \(reading.anchor.words)")
      }
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Decodes places saved at `revision`; empty if the bytes are not places. Unknown lines are skipped.
  init(decoding bytes: [UInt8], revision: UInt64) {
    self.init()
    let lines = bytes.split(separator: 0x0A).map {
      $0.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }
    guard lines.first == ["places", "1"] else { return }
    for words in lines.dropFirst() {
      switch (words.first, words.count) {
      case ("position", 2): position = Int(words[1]).map { max(0, $0) }
      case ("anchor", 3...):
        guard let pane = UInt64(words[1]), let anchor = RowAnchor(words: words[2...]) else { continue }
        anchors[pane] = anchor
      case ("reading", 3...):
        guard let section = Section.allCases.first(where: { "\($0)" == words[1] }) else { continue }
        guard words.count > 3, let changed = UInt64(words[2]), let anchor = RowAnchor(words: words[3...]) else {
          continue
        }
        readings[section] = Reading(anchor: anchor, revision: changed == 0 ? revision : changed)
      default: continue
      }
    }
  }
}

extension Section {
  /// True if it is read from old to new, so that a session has a reading position in it.
  var isRead: Bool {
    switch self {
    case .timeline, .mentions, .messages, .profile: true
    case .lists, .search: false
    }
  }
}
