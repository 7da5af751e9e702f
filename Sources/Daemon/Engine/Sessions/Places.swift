internal import Posts
internal import ViewState

/// Where the views of a session look, and how far it has been read: what a joining view begins with (rules 14 and 39).
/// Saved apart from the stack, and lazily: what happens in the last second before a crash is lost, and no command.
struct Places: Equatable {
  /// How far a section has been read.
  struct Reading: Equatable {
    var anchor: RowAnchor
    /// The revision that saved it; nil until that is known.
    var revision: UInt64?
  }

  /// Resting position of the stack (``PaneGeometry``) in the view that was used last; nil for the greatest that is
  /// valid.
  var position: Int?
  /// By pane, in any state of the stack; one that is not named is at its beginning.
  var anchors: [UInt64: RowAnchor] = [:]
  /// By section.
  var readings: [Section: Reading] = [:]

  /// Nobody has looked yet.
  init() {}

  /// Forgets the anchors of panes that are in no state of the stack.
  mutating func keep(_ panes: [UInt64]) {
    let panes = Set(panes)
    anchors = anchors.filter { panes.contains($0.key) }
  }
}

// MARK: - As bytes

extension Places {
  /// The places as the store keeps them; see ``PaneStack/encoded``.
  ///
  ///     places 1
  ///     position 3
  ///     anchor 2 42 1800000000000 text 57 0
  ///     reading timeline 17 40 1799999999000 head 0
  ///
  /// An anchor is a row, the instant that orders it, and a line in it: so many from its top, the one with a byte of its
  /// text and how far below that line's top, or so many from its end. Before a reading position's stands the revision
  /// of its change, 0 for the one that these bytes are saved at.
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

  /// Places that were saved at `revision`; none where the bytes are none. Lines that are not known are skipped.
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
  /// Whether it is read from old to new, so that a session remembers how far.
  var isRead: Bool {
    switch self {
    case .timeline, .mentions, .messages, .profile: true
    case .lists, .search: false
    }
  }
}
