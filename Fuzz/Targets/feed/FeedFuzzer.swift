internal import Dates
@testable internal import Feeds
internal import FuzzSupport
internal import HTTPSupport
internal import Ingest
internal import Posts

/// Fuzzes the readers of feeds. Byte 0 chooses the charset of HTTP; the document follows. What it brings is small enough
/// for the daemon, which reads all of it, and a second reading of the same document brings nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  let charsets = [nil, "utf-8", "windows-1252", "shift_jis", "iso-2022-jp", "gb18030", "utf-16", "utf-7"]
  let charset = charsets[Int(input.byte()) % charsets.count]
  let document = input.all()
  guard case .success(let first) = parse(document, charset, known: "") else { return 0 }
  var line = Array(#"{"say":"batch","batch":"1","feed":"f1","items":["#.utf8)
  line += ([first.person] + first.items.prefix(UpstreamBatch.itemLimit - 1)).joined(separator: [UInt8(ascii: ",")])
  line += "]}\n".utf8
  var reader = UpstreamLine(source: "feed")
  reader.read(line) { message in
    guard case .success(.batch(let batch)) = message else { fatalError("the daemon does not read the items") }
    for item in batch.items { if case .unusable(let reason) = item { fatalError("an item is unusable: \(reason)") } }
  }
  require(first.items.allSatisfy { $0.count <= UpstreamLine.limitBytes / 2 }, "an item is too large")
  require(first.known.utf8.count <= KnownItems.textBytes, "too much is remembered")
  guard case .success(let second) = parse(document, charset, known: first.known) else {
    fatalError("a document is read once")
  }
  require(second.items.isEmpty && second.newCount == 0, "an item is brought again")
  require(second.known == first.known, "the same document changes what is known")
  return 0
}

private func parse(
  _ document: [UInt8], _ charset: String?, known: String
) -> Result<ParsedFeed, FeedDocumentReader.Failure> {
  guard let url = WebURL("https://a.example/feed") else { fatalError("no address") }
  let job = FeedParseJob(
    check: 1, feed: "f1", document: document, charset: charset, url: url, known: known, liftsEdited: false,
    now: Instant(seconds: 1_795_521_600))
  return job.run().result
}
