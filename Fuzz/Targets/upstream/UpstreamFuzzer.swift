internal import FuzzSupport
internal import Ingest
internal import Posts

/// Fuzzes the lines of an upstream program. Byte 0 is the size of the pieces (0: one piece). Cutting the lines elsewhere
/// changes neither the messages nor the mistakes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  let size = input.byte()
  let bytes = input.all()
  let whole = messages([bytes])
  require(messages(Input.pieces(bytes, size: size)) == whole, "the messages depend on the pieces")
  for case .success(.batch(let batch)) in whole {
    require(batch.items.count <= UpstreamBatch.itemLimit, "too many items")
    for case .post(let post, _, _) in batch.items { require(post.body.byteCount <= PostBody.byteLimit, "a huge post") }
  }
  return 0
}

private func messages(_ pieces: [[UInt8]]) -> [Result<UpstreamMessage, UpstreamMistake>] {
  var reader = UpstreamLine(source: "feed")
  var messages: [Result<UpstreamMessage, UpstreamMistake>] = []
  for piece in pieces { reader.read(piece) { messages.append($0) } }
  return messages
}
