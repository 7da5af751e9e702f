/// Reads files that arrive piece by piece into posts: no files, no clock, one item in memory at a time.
///
/// For each file: ``begin(file:)``, ``receive(_:)-(Span<UInt8>)`` for its bytes, cut anywhere, and ``endFile()``. What
/// one file says about the owner of an archive (`account.js`, `profile.js`, `actor.json`) holds for the files after it,
/// so those come first. A file that cannot be imported is refused by an ``ImportRefusal``; the next one can follow. An
/// item that cannot be read is skipped with its reason and costs no other: see ``ElementSignature``.
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
  /// The first bytes of the file until its kind is known; a whole property list.
  private var collected: [UInt8] = []
  private var values: ValueFramer
  private var lines: LineFramer
  private var numbers: LocalNumbers
  /// How the first readable item of the file begins.
  private var signature: ElementSignature?
  private var event = ""
  private var item = 0
  /// What the file turned out to be.
  private var found: ImportFormat?
  /// Whether the file is a script out of an archive of Twitter's.
  private var isScript = false
  /// Items understood, whatever became of them.
  private var readable = 0
  /// The first damaged item of a file in which nothing was readable yet.
  private var firstDamage: SkippedItem?
  /// How often more the file may be read again from inside a damaged item; after that each costs what it swallows.
  private var recoveries = 0

  /// How often a file may be read again from inside a damaged item, so that a hostile file costs no more than 64
  /// readings of the largest item.
  private static let recoveryLimit = 64

  /// An import of files that all follow `options`.
  public init(options: ImportOptions) {
    self.options = options
    reader = ElementReader(options: options)
    values = ValueFramer(limit: options.itemLimit)
    lines = LineFramer(limit: options.itemLimit)
    numbers = LocalNumbers(host: options.server)
  }

  /// Starts a file; `name` (without its folders) helps to judge it and is put into messages.
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

  /// Takes the next bytes of the file. Throws if it is not to be imported; further bytes of it are then ignored. A file
  /// that is refused has given no post.
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

  /// Takes the next bytes of the file from an array.
  public func receive(_ chunk: [UInt8]) throws(ImportRefusal) -> ImportBatch { try receive(chunk.span) }

  /// Ends the file and returns what was left of it. Throws if nothing in it could be read.
  public func endFile() throws(ImportRefusal) -> ImportBatch {
    var batch = ImportBatch()
    if mode == .idle { return batch }
    if mode == .sampling { try decideKind(&batch) }
    switch mode {
    case .idle, .sampling: break
    case .values: try endValues(&batch)
    case .lines: if let output = lines.finish() { try take(output, &batch) }
    case .events:
      if let output = lines.finish() { try take(output, &batch) }
      // A comment alone, which is any line that begins with a colon, makes no stream.
      if item == 0 { throw refusal("it begins like a Mastodon event stream, and there is no event with data in it") }
    case .propertyList: try readPropertyList(&batch)
    }
    batch.posts += numbers.flush()
    batch.format = found
    mode = .idle
    if readable == 0, let first = firstDamage {
      throw refusal("no item in it can be read: the first, in line \(first.line), is \(first.reason)")
    }
    return batch
  }

  private func refusal(_ reason: String) -> ImportRefusal {
    mode = .idle
    return ImportRefusal(file: ElementKind.printable(name, limit: 200), reason: reason)
  }

  // MARK: - The kind of file

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
    case .empty: throw refusal("it is empty")
    case .foreign(let text): throw refusal("it is \(text)")
    }
  }

  private func feed(_ chunk: Swift.Span<UInt8>, _ batch: inout ImportBatch) throws(ImportRefusal) {
    var index = 0
    while index < chunk.count {
      switch mode {
      case .idle, .sampling: return
      case .values:
        guard let output = values.next(chunk, from: &index) else { return }
        try take(output, &batch)
      case .lines, .events:
        guard let output = lines.next(chunk, from: &index) else { return }
        try take(output, &batch)
      case .propertyList:
        guard collected.count + chunk.count <= options.propertyListLimit else {
          throw refusal(
            "property lists of more than \(options.propertyListLimit >> 20) MiB are not read; make it JSON Lines")
        }
        collected.append(chunk)
        return
      }
    }
  }

  // MARK: - Values

  private func take(_ output: ValueFramer.Output, _ batch: inout ImportBatch) throws(ImportRefusal) {
    switch output {
    case .element:
      item += 1
      let outcome = reader.read(&values.element)
      if case .malformed = outcome {
        try recover("damaged: it is not well-formed JSON", &batch)
      } else {
        try take(outcome, at: values.start, &batch)
        // Debris of a damaged beginning says nothing about how the others begin.
        if signature == nil, readable > 0 { signature = ElementSignature(of: values.element) }
      }
    case .opened:
      if readable == 0, let text = reader.objection(toHead: values.element) { throw refusal("it holds \(text)") }
    case .closed: break
    case .tooLong:
      item += 1
      try recover("longer than \(options.itemLimit >> 10) KiB", &batch)
    case .stray:
      item += 1
      damage("damaged: a closing bracket that nothing opened", at: values.start, &batch)
    case .lines:
      lines = LineFramer(limit: options.itemLimit, position: values.position)
      mode = .lines
    }
  }

  /// Reports the item in the framer and goes on reading at the next one, which may have been taken for a part of it.
  private func recover(_ reason: String, _ batch: inout ImportBatch) throws(ImportRefusal) {
    damage(reason, at: values.start, &batch)
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
    if let output = values.finish() { try take(output, &batch) }
    while mode == .values, values.isWithinElement {
      item += 1
      let left = recoveries
      try recover("cut off: the file ends inside it", &batch)
      if recoveries == left { return }
    }
    guard mode == .values else {
      if let output = lines.finish() { try take(output, &batch) }
      return
    }
    if !values.isComplete {
      item += 1
      damage("missing: the file ends before its list does", at: values.position, &batch)
    }
  }

  // MARK: - Lines

  private func take(_ output: LineFramer.Output, _ batch: inout ImportBatch) throws(ImportRefusal) {
    guard output == .line else {
      item += 1
      damage("longer than \(options.itemLimit >> 10) KiB", at: lines.start, &batch)
      return
    }
    var document = lines.line
    if mode == .events {
      guard let data = eventData(&document, &batch) else { return }
      document = data
    }
    item += 1
    let outcome = reader.read(&document)
    if case .malformed = outcome {
      damage("damaged: the line is not well-formed JSON", at: lines.start, &batch)
    } else {
      try take(outcome, at: lines.start, &batch)
    }
  }

  /// The JSON in a line of an event stream (WHATWG HTML, server-sent events); nil for comments, names and bare data.
  private func eventData(_ line: inout [UInt8], _ batch: inout ImportBatch) -> [UInt8]? {
    readable += 1
    if line.starts(with: "event:".utf8) {
      event = ElementKind.printable(String(decoding: line.dropFirst(6).drop { $0 == 0x20 }, as: UTF8.self), limit: 30)
    }
    guard line.starts(with: "data:".utf8) else { return nil }
    let data = Array(line.dropFirst(5).drop { $0 == 0x20 })
    if data.first == UInt8(ascii: "{") { return data }
    item += 1
    let reason = event == "delete" ? "a deletion: an import takes nothing away" : "an event (\(event)) without a post"
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
      try take(outcome, at: FilePosition(byte: 0, line: 0), &batch)
    }
    readable += 1
  }

  // MARK: - Outcomes

  private func take(
    _ outcome: ElementReader.Outcome, at position: FilePosition, _ batch: inout ImportBatch
  ) throws(ImportRefusal) {
    switch outcome {
    case .post(let post):
      find(reader.format)
      batch.posts.append(post)
    case .gap(let note):
      find(reader.format)
      batch.gaps.append(ImportBatch.GapMark(position: batch.posts.count, note: note))
    case .numbered(let post, let host):
      find(reader.format)
      batch.posts += numbers.settle(post, host: host)
    case .owner(let author):
      find(reader.format)
      batch.owner = author
    case .skipped(let reason):
      batch.skip(skipped(reason, at: position))
    case .foreign(let text):
      // What follows a damaged item may be a part of it, so it says nothing about the file.
      if readable == 0, firstDamage == nil { throw refusal("it holds \(text)") }
      batch.skip(skipped(text, at: position))
      if readable == 0 { return }
    case .malformed:
      damage("damaged: it is not well-formed JSON", at: position, &batch)
      return
    }
    readable += 1
  }

  /// Notes what the file is. Tweets look alike wherever they are from, so there the file itself says more.
  private func find(_ format: ImportFormat) {
    guard found == nil else { return }
    let isTweets = format == .twitterV1
    if isTweets && mode == .propertyList {
      found = .propertyList
    } else {
      found = isTweets && (isScript || options.format == .twitterArchive) ? .twitterArchive : format
    }
  }

  /// Counts an item that could not be read at all.
  private func damage(_ reason: String, at position: FilePosition, _ batch: inout ImportBatch) {
    let item = skipped(reason, at: position)
    if readable == 0, firstDamage == nil { firstDamage = item }
    batch.skip(item)
  }

  private func skipped(_ reason: String, at position: FilePosition) -> SkippedItem {
    SkippedItem(item: item, line: position.line, byte: position.byte, reason: reason)
  }
}
