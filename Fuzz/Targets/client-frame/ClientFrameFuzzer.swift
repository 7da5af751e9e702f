internal import FuzzSupport
internal import Messages

/// Whatever else a client may send: byte 0 chooses the message; then its bytes. What decodes encodes to something that
/// decodes to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  let kind = input.byte()
  let bytes = input.all()
  switch kind % 5 {
  case 1: same(ReflectionRequest.self, bytes)
  case 2: same(ImportRequest.self, bytes)
  case 3: same(ErrorDetails.self, bytes)
  case 4: same(MeasureRequest.self, bytes)
  default: same(ClientFrame.self, bytes)
  }
  return 0
}

private func same<Message: WireMessage & Equatable>(_ type: Message.Type, _ bytes: [UInt8]) {
  guard let message = try? Message(decoding: bytes) else { return }
  law((try? Message(decoding: message.encoded())) == message, "a message does not survive being encoded")
}
