internal import FuzzSupport
@testable internal import RPC

/// `MessageReader`: byte 0 is the size of the pieces; then the bytes of a call. However they are cut, the same messages
/// come and the same thing is wrong.
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
  law(messages == whole.messages && failure == whole.failure, "cutting changes what is read")
  law(messages.allSatisfy { $0.count <= 4096 }, "a message is larger than it may be")
  if failure == nil { law(reader.isBetweenMessages == cut.isBetweenMessages, "cutting changes where a message ends") }
  return 0
}
