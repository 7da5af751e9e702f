package import Dates
package import Ingest

/// The daemon's answer to a batch (docs/UPSTREAM.md).
package enum BatchAnswer: Equatable {
  /// It is stored, except for the refused items, each with the reason. Of its doubtful posts `have` are here.
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
      self = .stored(
        refused: refused, have: (value["have"]?.elements ?? JSONValue.Elements.none).compactMap { $0.string })
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

  /// What a line says that ends the daemon's telling: its time, and how many batches may be unanswered.
  package var readiness: (now: Instant, credit: Int)? {
    self["now"]?.integer.map {
      (Instant(milliseconds: Int64($0)), min(max(1, self["credit"]?.integer ?? 1), 64))
    }
  }
}
