import ViewState

/// Hand-made rows.
enum TestRow {
  /// Returns a post by Ann. Its text is cut after each of `lines`, which include their spaces and line feeds.
  static func make(
    _ id: UInt64 = 17, lines: [String], label: String = "2h", _ change: (inout RowContent.Fields) -> Void = { _ in }
  ) -> PlacedRow {
    let author = RowAuthor(id: 1, handle: Array("ann".utf8), displayName: Array("Ann".utf8), avatarURL: [])
    var fields = RowContent.Fields(rowID: id, author: author)
    fields.postID = id
    fields.createdAtMilliseconds = Int64(id % 1_000_000) * 1000
    var ends: [UInt32] = []
    for line in lines {
      fields.text += Array(line.utf8)
      ends.append(UInt32(fields.text.count))
    }
    change(&fields)
    return PlacedRow(
      content: RowContent(fields), layout: RowLayout(height: lines.count + 3, lineEnds: ends), caps: [], label: label)
  }

  /// Returns a row for tests in which only the position in the timeline matters.
  static func at(_ seconds: Int64, id: UInt64, text: String = "x") -> PlacedRow {
    make(id, lines: [text]) { $0.createdAtMilliseconds = seconds * 1000 }
  }
}

/// Returns bytes as a string, for readable failures.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
