package import Dates
package import Ingest

/// The daemon's answer to a batch (docs/UPSTREAM.md).
package enum BatchAnswer: Equatable {
  /// Stored, except for the refused items, each with its reason. `have` lists the doubtful posts that the daemon has.
  case stored(refused: [Int: String] = [:], have: [String] = [])
  /// Send it again, under its number.
  case again
  case refused(String)

  /// Reads a line that answers a batch.
  package init(_ value: JSONValue) {
    let noReason = "no reason given"
    if value["again"]?.bool == true {
      self = .again
    } else if value["ok"]?.bool == false {
      self = .refused(value["reason"]?.string ?? noReason)
    } else {
      var refused: [Int: String] = [:]
      for item in value["refused"]?.elements ?? JSONValue.Elements.none {
        if let index = item["item"]?.integer { refused[index] = item["reason"]?.string ?? noReason }
      }
      self = .stored(refused: refused, have: value.strings("have"))
    }
  }
}

/// Fields that lines from the daemon share.
extension JSONValue {
  /// The cursors of a login or feed; nil if the line has none.
  package var cursors: [String: String]? {
    guard let fields = self["cursors"]?.fields else { return nil }
    var cursors: [String: String] = [:]
    for (key, value) in fields { cursors[key.string] = value.id }
    return cursors
  }

  /// The fields of `ready`: the daemon's time, and the number of batches that may be unanswered.
  package var readiness: (now: Instant, credit: Int)? {
    self["now"]?.integer.map {
      (Instant(milliseconds: Int64($0)), min(max(1, self["credit"]?.integer ?? 1), 64))
    }
  }

  /// Returns the strings in a field with a list; empty if it has none.
  package func strings(_ key: StaticString) -> [String] {
    (self[key]?.elements ?? JSONValue.Elements.none).compactMap { $0.string }
  }
}
