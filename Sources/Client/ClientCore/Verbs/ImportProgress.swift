public import Messages

/// The progress line and the report of an import.
public struct ImportProgress: Sendable {
  /// The total size of the files in bytes; 0 if unknown.
  public let totalBytes: UInt64

  /// Creates the progress of an import.
  public init(totalBytes: UInt64) { self.totalBytes = totalBytes }

  /// The most skips that are reported with their reasons; the rest are only counted.
  public static let reportedSkips = 10

  /// Returns the progress as one line without LF: share, rate and time left.
  public func line(_ response: ImportResponse, elapsedMilliseconds: Int64, width: Int) -> String {
    let seconds = Double(max(1, elapsedMilliseconds)) / 1000
    let rate = "\(NumberText.grouped(UInt64(Double(response.read) / seconds)))/s"
    var facts = "\(NumberText.grouped(response.read)) read, \(rate)"
    guard totalBytes > 0 else { return facts }
    let done = min(1, Double(response.bytes) / Double(totalBytes))
    if response.bytes > 0 && done < 1 {
      facts += ", \(NumberText.duration(seconds: Int(seconds * (1 - done) / done + 0.5))) left"
    }
    let percent = "\(Int(done * 100))%"
    let head = String(repeating: " ", count: 4 - percent.count) + percent + " "
    let room = min(30, width - head.count - facts.count - 4)
    guard room >= 5 else { return head + facts }
    let filled = Int(done * Double(room))
    return "\(head)[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: room - filled))] \(facts)"
  }

  /// Returns the lines of the report, without LF: the counts, and the reasons for skips.
  public static func report(
    _ response: ImportResponse, skips: [ImportResponse.Skip], isDryRun: Bool, isWhole: Bool
  ) -> [String] {
    var head = isWhole ? "" : "interrupted: "
    head += "\(NumberText.grouped(response.read)) read, "
    if !isDryRun {
      let became = [(response.new, "new"), (response.changed, "changed"), (response.same, "same")]
      for (number, word) in became { head += "\(NumberText.grouped(number)) \(word), " }
    }
    head += "\(NumberText.grouped(response.skipped)) skipped"
    if !response.format.isEmpty && response.format != "auto" { head += " (\(response.format))" }
    if isDryRun { head += "; dry run: nothing was stored or compared with existing posts" }
    var lines = [head]
    for skip in skips.prefix(reportedSkips) {
      let place = [skip.file, skip.position == 0 ? "" : "#\(skip.position)"].filter { !$0.isEmpty }.joined(
        separator: " ")
      lines.append("  skipped \(place): \(skip.reason)")
    }
    let reported = UInt64(min(skips.count, reportedSkips))
    if response.skipped > reported { lines.append("  and \(NumberText.grouped(response.skipped - reported)) more") }
    return lines
  }

  /// Describes what was stored before the daemon was lost, as far as it had reported.
  public static func storedBeforeLoss(_ response: ImportResponse) -> String {
    let stored = response.new + response.changed
    guard stored > 0 else { return "it had not reported any stored posts" }
    return "it had stored \(NumberText.count(stored, "post", "posts")) or more"
  }

  /// Returns the message of `--strict`: the number of skipped items and files.
  public static func strict(_ response: ImportResponse) -> String {
    NumberText.count(response.skipped, "item or file was skipped", "items or files were skipped")
  }

  /// Returns the report as a JSON object, LF included.
  public static func json(
    _ response: ImportResponse, skips: [ImportResponse.Skip], isDryRun: Bool, isWhole: Bool
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      let counts: [(StaticString, UInt64)] = [
        ("read", response.read), ("new", response.new), ("changed", response.changed), ("same", response.same),
        ("skipped", response.skipped), ("bytes", response.bytes),
      ]
      for (key, count) in counts {
        json.key(key)
        json.number(count)
      }
      json.key("format")
      json.string(response.format)
      json.key("import_id")
      if response.importID == 0 { json.null() } else { json.identifier(response.importID) }
      json.key("dry_run")
      json.bool(isDryRun)
      json.key("whole")
      json.bool(isWhole)
      json.key("skips")
      json.array { json in
        for skip in skips {
          json.object { json in
            json.key("file")
            json.string(skip.file)
            json.key("position")
            json.number(skip.position)
            json.key("reason")
            json.string(skip.reason)
          }
        }
      }
    }
    return json.bytes + [0x0A]
  }
}
