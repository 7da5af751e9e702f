internal import FuzzSupport
internal import Messages

/// Fuzzes the messages of a client. Byte 0 chooses the message; its bytes follow. A decoded message survives encoding
/// and decoding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  let kind = input.byte()
  let bytes = input.all()
  switch kind % 5 {
  case 1: checkRoundTrip(ReflectionRequest.self, bytes)
  case 2: checkRoundTrip(ImportRequest.self, bytes)
  case 3: checkRoundTrip(ErrorDetails.self, bytes)
  case 4: checkRoundTrip(MeasureRequest.self, bytes)
  default: checkRoundTrip(ClientFrame.self, bytes)
  }
  return 0
}

private func checkRoundTrip<Message: WireMessage & Equatable>(_ type: Message.Type, _ bytes: [UInt8]) {
  guard let message = try? Message(decoding: bytes) else { return }
  require((try? Message(decoding: message.encoded())) == message, "a message changes when encoded and decoded")
}
