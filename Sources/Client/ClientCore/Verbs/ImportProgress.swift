public import Messages

/// What a person sees of an import while it runs, and at its end.
public struct ImportProgress: Sendable {
  /// Bytes of all files; 0 where unknown.
  public let totalBytes: UInt64

  /// Nothing done yet.
  public init(totalBytes: UInt64) { self.totalBytes = totalBytes }

  /// Most skips whose reasons are told; the rest are counted.
  public static let toldSkips = 10

  /// One line, without an LF: how far it is, how fast, and how long it will still take.
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

  /// The report's lines, without LF: what became of what was read, and why some of it was left out.
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
    if isDryRun { head += "; a dry run only reads: nothing was stored, nor compared with what is" }
    var lines = [head]
    for skip in skips.prefix(toldSkips) {
      let place = [skip.file, skip.position == 0 ? "" : "#\(skip.position)"].filter { !$0.isEmpty }.joined(
        separator: " ")
      lines.append("  skipped \(place): \(skip.reason)")
    }
    let told = UInt64(min(skips.count, toldSkips))
    if response.skipped > told { lines.append("  and \(NumberText.grouped(response.skipped - told)) more") }
    return lines
  }

  /// What became of an import whose daemon went away, as far as it had told.
  public static func lost(_ response: ImportResponse) -> String {
    let stored = response.new + response.changed
    guard stored > 0 else { return "it had told of no post that it stored" }
    return "it had stored \(NumberText.grouped(stored)) \(stored == 1 ? "post" : "posts") or more"
  }

  /// What `--strict` says of what was skipped: items of files, and files.
  public static func strict(_ response: ImportResponse) -> String {
    "\(NumberText.grouped(response.skipped)) \(response.skipped == 1 ? "item or file was" : "items or files were") skipped"
  }

  /// The report as a JSON object, LF included.
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
