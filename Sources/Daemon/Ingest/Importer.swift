/// Reads posts from files that arrive in pieces. It uses no files and no clock, and has one item in memory at a time.
///
/// For each file, call ``begin(file:)``, ``receive(_:)-(Span<UInt8>)`` with its bytes in any pieces, and ``endFile()``.
/// Data about the owner of an archive (`account.js`, `profile.js`, `actor.json`) applies to the files after it, so
/// these files come first. A file that cannot be imported is refused with an ``ImportRefusal``; the next file can
/// follow. An unreadable item is skipped with a reason and does not affect others; see ``ElementSignature``.
public final class Importer {
  private enum Mode {
    case idle
    case sampling
    case values
    case lines
    case events
    case propertyList
  }

  private let options: ImportOptions
  private var reader: ElementReader
  private var mode = Mode.idle
  private var name = ""
  /// The first bytes of the file until its kind is known; for a property list, the whole file.
  private var collected: [UInt8] = []
  private var values: ValueFramer
  private var lines: LineFramer
  private var numbers: LocalNumbers
  /// The beginning of the file's first readable item.
  private var signature: ElementSignature?
  private var event = ""
  private var item = 0
  /// The format of the file, once known.
  private var found: ImportFormat?
  /// True if the file is a script from a Twitter archive.
  private var isScript = false
  /// The number of items understood, including skipped ones.
  private var readable = 0
  /// The first damaged item of a file without a readable item so far.
  private var firstDamage: SkippedItem?
  /// The number of times that the file may still be read again from inside a damaged item; after that, each damaged
  /// item loses everything it seems to contain.
  private var recoveries = 0

  /// The number of times that a file may be read again from inside a damaged item. A hostile file costs at most 64
  /// readings of the largest item.
  private static let recoveryLimit = 64

  /// Creates an import of files with the same options.
  public init(options: ImportOptions) {
    self.options = options
    reader = ElementReader(options: options)
    values = ValueFramer(limit: options.itemLimit)
    lines = LineFramer(limit: options.itemLimit)
    numbers = LocalNumbers(host: options.server)
  }

  /// Starts a file. `name`, without its folders, helps to judge the file and appears in messages.
  public func begin(file name: String) {
    self.name = name
    mode = .sampling
    collected = []
    values = ValueFramer(limit: options.itemLimit)
    lines = LineFramer(limit: options.itemLimit)
    numbers = LocalNumbers(host: options.server)
    signature = nil
    event = ""
    item = 0
    found = nil
    isScript = false
    readable = 0
    firstDamage = nil
    recoveries = Self.recoveryLimit
  }

  /// Reads the next bytes of the file. Throws if the file cannot be imported; its remaining bytes are then ignored. A
  /// refused file has yielded no posts.
  public func receive(_ chunk: Swift.Span<UInt8>) throws(ImportRefusal) -> ImportBatch {
    var batch = ImportBatch()
    if mode == .sampling {
      collected.append(chunk)
      if collected.count >= FileKind.sampleLength { try decideKind(&batch) }
    } else {
      try feed(chunk, &batch)
    }
    batch.format = found
    return batch
  }

  /// Reads the next bytes of the file from an array.
  public func receive(_ chunk: [UInt8]) throws(ImportRefusal) -> ImportBatch { try receive(chunk.span) }

  /// Ends the file and returns the rest of its posts. Throws if nothing in the file was readable.
  public func endFile() throws(ImportRefusal) -> ImportBatch {
    var batch = ImportBatch()
    if mode == .idle { return batch }
    if mode == .sampling { try decideKind(&batch) }
    switch mode {
    case .idle, .sampling: break
    case .values: try endValues(&batch)
    case .lines: if let output = lines.finish() { try handleLine(output, &batch) }
    case .events:
      if let output = lines.finish() { try handleLine(output, &batch) }
      // Comments alone, which are lines that begin with a colon, do not make an event stream.
      if item == 0 { throw refusal("the file looks like a Mastodon event stream but has no event with data") }
    case .propertyList: try readPropertyList(&batch)
    }
    for (post, position) in numbers.flush() { batch.append(post, at: position) }
    batch.format = found
    mode = .idle
    if readable == 0, let first = firstDamage {
      throw refusal("no item is readable; the first, on line \(first.line): \(first.reason)")
    }
    return batch
  }

  private func refusal(_ reason: String) -> ImportRefusal {
    mode = .idle
    return ImportRefusal(file: ElementKind.printable(name, limit: 200), reason: reason)
  }

  // MARK: - File kind

  private func decideKind(_ batch: inout ImportBatch) throws(ImportRefusal) {
    let sample = collected
    collected = []
    switch FileKind(sample: Array(sample.prefix(FileKind.sampleLength)), name: name, format: options.format) {
    case .json(let start):
      mode = .values
      isScript = start > 0 && sample[start - 1] == UInt8(ascii: "=")
      var position = FilePosition()
      position.advance(over: sample.span.extracting(..<start))
      values = ValueFramer(limit: options.itemLimit, position: position)
      try feed(sample.span.extracting(start...), &batch)
    case .lines:
      mode = .lines
      try feed(sample.span.extracting((sample.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...), &batch)
    case .eventStream:
      mode = .events
      try feed(sample.span, &batch)
    case .propertyList:
      mode = .propertyList
      try feed(sample.span, &batch)
    case .empty: throw refusal("the file is empty")
    case .foreign(let text): throw refusal("cannot import \(text)")
    }
  }

  private func feed(_ chunk: Swift.Span<UInt8>, _ batch: inout ImportBatch) throws(ImportRefusal) {
    var index = 0
    while index < chunk.count {
      switch mode {
      case .idle, .sampling: return
      case .values:
        guard let output = values.next(chunk, from: &index) else { return }
        try handleValue(output, &batch)
      case .lines, .events:
        guard let output = lines.next(chunk, from: &index) else { return }
        try handleLine(output, &batch)
      case .propertyList:
        guard collected.count + chunk.count <= options.propertyListLimit else {
          throw refusal(
            "the property list is larger than \(options.propertyListLimit >> 20) MiB; convert it to JSON Lines")
        }
        collected.append(chunk)
        return
      }
    }
  }

  // MARK: - Values

  private func handleValue(_ output: ValueFramer.Output, _ batch: inout ImportBatch) throws(ImportRefusal) {
    switch output {
    case .element:
      item += 1
      let outcome = reader.read(&values.element)
      if case .malformed(let reason) = outcome {
        try recover(reason, &batch)
      } else {
        try recordOutcome(outcome, at: values.start, &batch)
        // Fragments of a damaged beginning do not show how other elements begin.
        if signature == nil, readable > 0 { signature = ElementSignature(of: values.element) }
      }
    case .opened:
      if readable == 0, let text = reader.objection(toHead: values.element) {
        throw refusal("the file contains \(text)")
      }
    case .closed: break
    case .tooLong:
      item += 1
      try recover("longer than \(options.itemLimit >> 10) KiB", &batch)
    case .stray:
      item += 1
      recordDamage("damaged: unmatched closing bracket", at: values.start, &batch)
    case .lines:
      lines = LineFramer(limit: options.itemLimit, position: values.position)
      mode = .lines
    }
  }

  /// Reports the item in the framer and resumes at the next item, which may have been read as part of it.
  private func recover(_ reason: String, _ batch: inout ImportBatch) throws(ImportRefusal) {
    recordDamage(reason, at: values.start, &batch)
    let alike = signature ?? ElementSignature(of: values.element)
    if recoveries > 0, let next = alike?.nextElement(in: values.element) {
      recoveries -= 1
      let rest = values.rewind(to: next)
      try feed(rest.span, &batch)
    } else {
      values.abandonElement()
    }
  }

  private func endValues(_ batch: inout ImportBatch) throws(ImportRefusal) {
    if let output = values.finish() { try handleValue(output, &batch) }
    while mode == .values, values.isWithinElement {
      item += 1
      let left = recoveries
      try recover("cut off: the file ends inside the item", &batch)
      if recoveries == left { return }
    }
    guard mode == .values else {
      if let output = lines.finish() { try handleLine(output, &batch) }
      return
    }
    if !values.isComplete {
      item += 1
      recordDamage("cut off: the file ends inside its list", at: values.position, &batch)
    }
  }

  // MARK: - Lines

  private func handleLine(_ output: LineFramer.Output, _ batch: inout ImportBatch) throws(ImportRefusal) {
    guard output == .line else {
      item += 1
      recordDamage("longer than \(options.itemLimit >> 10) KiB", at: lines.start, &batch)
      return
    }
    var document = lines.line
    if mode == .events {
      guard let data = eventData(&document, &batch) else { return }
      document = data
    }
    item += 1
    let isOwn = options.format == .jsonLines || found == .jsonLines
    try recordOutcome(reader.read(&document, amongOwnLines: isOwn), at: lines.start, &batch)
  }

  /// Returns the JSON in a line of an event stream (WHATWG HTML, server-sent events); nil for comments, event names and
  /// data that is not an object.
  private func eventData(_ line: inout [UInt8], _ batch: inout ImportBatch) -> [UInt8]? {
    readable += 1
    if line.starts(with: "event:".utf8) {
      event = ElementKind.printable(String(decoding: line.dropFirst(6).drop { $0 == 0x20 }, as: UTF8.self), limit: 30)
    }
    guard line.starts(with: "data:".utf8) else { return nil }
    let data = Array(line.dropFirst(5).drop { $0 == 0x20 })
    if data.first == UInt8(ascii: "{") { return data }
    item += 1
    let reason = event == "delete" ? "a deletion (imports never delete posts)" : "an event (\(event)) without a post"
    batch.skip(skipped(reason, at: lines.start))
    return nil
  }

  // MARK: - Property lists

  private func readPropertyList(_ batch: inout ImportBatch) throws(ImportRefusal) {
    let items: [[UInt8]]
    do {
      items = try PropertyListReader.items(of: collected)
    } catch {
      throw refusal(error.text)
    }
    collected = []
    for var document in items {
      item += 1
      let outcome = reader.read(&document)
      try recordOutcome(outcome, at: FilePosition(byte: 0, line: 0), &batch)
    }
    readable += 1
  }

  // MARK: - Outcomes

  private func recordOutcome(
    _ outcome: ElementReader.Outcome, at position: FilePosition, _ batch: inout ImportBatch
  ) throws(ImportRefusal) {
    switch outcome {
    case .post(let post):
      recordFormat(reader.format)
      batch.append(post, at: number(at: position))
    case .gap(let note):
      recordFormat(reader.format)
      batch.gaps.append(
        ImportBatch.GapMark(postsBefore: batch.posts.count, note: note, position: number(at: position)))
    case .numbered(let post, let host):
      recordFormat(reader.format)
      for (post, position) in numbers.resolve(post, at: number(at: position), host: host) {
        batch.append(post, at: position)
      }
    case .owner(let author):
      recordFormat(reader.format)
      batch.owner = author
    case .skipped(let reason):
      batch.skip(skipped(reason, at: position))
    case .foreign(let text):
      // Items after a damaged one may be parts of it, so they do not determine the kind of file.
      guard readable > 0 || firstDamage != nil || isNamedLines else { throw refusal("the file contains \(text)") }
      if readable == 0 { return recordDamage(text, at: position, &batch) }
      batch.skip(skipped(text, at: position))
    case .malformed(let reason):
      recordDamage(reason, at: position, &batch)
      return
    }
    readable += 1
  }

  /// True if the file is known to be lines of a format that was named: a foreign line is then one bad line, even the
  /// first.
  private var isNamedLines: Bool { mode == .lines && options.format != .auto }

  /// Records the format of the file. Tweets look the same in all formats, so for them the file itself decides.
  private func recordFormat(_ format: ImportFormat) {
    guard found == nil else { return }
    let isTweets = format == .twitterV1
    if isTweets && mode == .propertyList {
      found = .propertyList
    } else {
      found = isTweets && (isScript || options.format == .twitterArchive) ? .twitterArchive : format
    }
  }

  /// Counts an unreadable item.
  private func recordDamage(_ reason: String, at position: FilePosition, _ batch: inout ImportBatch) {
    let item = skipped(reason, at: position)
    if readable == 0, firstDamage == nil { firstDamage = item }
    batch.skip(item)
  }

  private func skipped(_ reason: String, at position: FilePosition) -> SkippedItem {
    SkippedItem(
      item: item, line: position.line, byte: position.byte, position: number(at: position), reason: reason)
  }

  /// Returns the number by which a user finds the current item.
  private func number(at position: FilePosition) -> Int {
    mode == .lines || mode == .events ? position.line : item
  }
}
