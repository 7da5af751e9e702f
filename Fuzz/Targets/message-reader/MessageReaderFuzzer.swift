internal import FuzzSupport
@testable internal import RPC

/// Fuzzes `MessageReader`. Byte 0 is the size of the pieces; the bytes of a call follow. Cutting them elsewhere changes
/// neither the messages nor the failure.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  let size = input.byte()
  let bytes = input.all()
  var reader = MessageReader()
  let whole = reader.receive(bytes.span.bytes, limit: 4096)
  var cut = MessageReader()
  var messages: [[UInt8]] = []
  var failure: MessageReader.Failure?
  for piece in Input.pieces(bytes, size: max(1, size)) {
    let part = cut.receive(piece.span.bytes, limit: 4096)
    messages += part.messages
    failure = part.failure
    if failure != nil { break }
  }
  require(messages == whole.messages && failure == whole.failure, "the messages depend on the pieces")
  require(messages.allSatisfy { $0.count <= 4096 }, "a message exceeds the limit")
  if failure == nil {
    require(reader.isBetweenMessages == cut.isBetweenMessages, "the end of a message depends on the pieces")
  }
  return 0
}
