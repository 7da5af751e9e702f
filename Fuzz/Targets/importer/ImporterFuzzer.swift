internal import FuzzSupport
internal import Ingest

/// Fuzzes `Importer`. Byte 0 chooses the format and the file's name; byte 1 is the size of the pieces (0: one piece). The
/// file follows. Cutting it elsewhere does not change the imported posts.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  let choice = Int(input.byte())
  let size = input.byte()
  let bytes = input.all()
  let whole = posts(choice, [bytes])
  let cut = posts(choice, Input.pieces(bytes, size: size))
  require(whole == cut, "the imported posts depend on the pieces")
  return 0
}

/// Imports a file of the chosen kind. Returns one batch with its posts in order, or none if the file is rejected. Limits
/// are small, so that short inputs reach them.
private func posts(_ choice: Int, _ pieces: [[UInt8]]) -> [ImportBatch] {
  let formats = ImportFormat.allCases
  let names = ["tweets.js", "account.js", "outbox.json", "file.json", "file.jsonl", "file.plist", "stream.sse"]
  let options = ImportOptions(format: formats[choice % formats.count], itemLimit: 4096, propertyListLimit: 8192)
  let importer = Importer(options: options)
  importer.begin(file: names[choice / formats.count % names.count])
  var total = ImportBatch()
  do {
    for piece in pieces { add(try importer.receive(piece), to: &total) }
    add(try importer.endFile(), to: &total)
  } catch {
    return []
  }
  return [total]
}

private func add(_ batch: ImportBatch, to total: inout ImportBatch) {
  for (post, position) in zip(batch.posts, batch.positions) { total.append(post, at: position) }
  total.skippedCount += batch.skippedCount
  if let owner = batch.owner { total.owner = owner }
}
