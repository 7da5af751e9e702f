public import Messages
internal import ViewState

/// The layout of a text in cells, for `measure`.
public struct MeasureReport: Sendable {
  /// A piece of the text and its width.
  private struct Piece {
    var text: ArraySlice<UInt8>
    var width: Int
  }

  private let lines: [Piece]
  private let clusters: [Piece]
  private let measured: MeasureResponse

  /// Creates the report of the daemon's response for `text`. Impossible values in the response are ignored.
  public init(of text: String, _ measured: MeasureResponse) {
    let text = measured.text.isEmpty ? Array(text.utf8) : measured.text
    self.measured = measured
    let ranges = LineRanges.ranges(of: text, RowLayout(height: 0, lineEnds: measured.lineEnds))
    lines = zip(ranges, measured.lineWidths).map { Piece(text: text[$0], width: Int($1)) }
    let starts = measured.clusterStarts.map(Int.init)
    clusters = starts.indices.compactMap { index in
      let end = index + 1 < starts.count ? starts[index + 1] : text.count
      guard starts[index] < end, end <= text.count else { return nil }
      return Piece(text: text[starts[index]..<end], width: Int(measured.clusterWidths[index]))
    }
  }

  /// Returns the report in `format`, the last LF included.
  public func bytes(_ format: RowFormat, traits: TerminalTraits) -> [UInt8] {
    switch format {
    case .lines: painted(traits)
    case .plain: plain
    case .json: json
    case .jsonl: jsonLines
    }
  }

  /// Returns each line after its width, then a summary.
  private func painted(_ traits: TerminalTraits) -> [UInt8] {
    var output = TerminalText(traits)
    for line in lines {
      let width = String(line.width)
      output.append(String(repeating: " ", count: max(0, 5 - width.count)) + width + "  ", as: .faint)
      output.isolated(line.text) { $0.append(line.text) }
      output.endLine()
    }
    let count = NumberText.count(lines.count, "line", "lines")
    let characters = NumberText.count(clusters.count, "character", "characters")
    let cells = NumberText.count(clusters.reduce(0) { $0 + $1.width }, "cell", "cells")
    let limit = measured.weightedLength &+ measured.remaining
    output.append("\(count) at width \(measured.width) (\(characters), \(cells)), ", as: .faint)
    output.append("row height \(measured.rowHeight); as a post: \(measured.weightedLength) of \(limit)", as: .faint)
    output.endLine()
    return output.bytes
  }

  /// Width, TAB and text for each line of the text.
  private var plain: [UInt8] {
    lines.flatMap { line in
      var text = TerminalText(.bare)
      text.append(line.text)
      return Array("\(line.width)\t".utf8) + text.bytes + [0x0A]
    }
  }

  private var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("width")
      json.number(measured.width)
      json.key("text_height")
      json.number(measured.textHeight)
      json.key("row_height")
      json.number(measured.rowHeight)
      json.key("weighted_length")
      json.number(measured.weightedLength)
      json.key("remaining")
      json.number(measured.remaining)
      json.key("lines")
      json.array { json in for line in lines { Self.write(line, &json) } }
      json.key("clusters")
      json.array { json in for cluster in clusters { Self.write(cluster, &json) } }
    }
    return json.bytes + [0x0A]
  }

  /// An object for each line of the text.
  private var jsonLines: [UInt8] {
    lines.flatMap { line in
      var json = JSONWriter()
      Self.write(line, &json)
      return json.bytes + [0x0A]
    }
  }

  private static func write(_ piece: Piece, _ json: inout JSONWriter) {
    json.object { json in
      json.key("width")
      json.number(piece.width)
      json.key("text")
      json.string(piece.text)
    }
  }
}
