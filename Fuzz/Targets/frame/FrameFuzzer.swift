internal import FuzzSupport
internal import Messages
internal import ViewState

/// Fuzzes `Frame` as a client reads it. A decoded frame applies to an empty view or is rejected, without a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  guard let frame = try? Frame(decoding: input.all()) else { return 0 }
  require((try? Frame(decoding: frame.encoded())) == frame, "a frame changes when encoded and decoded")
  var view = ViewSnapshot()
  try? view.apply(frame)
  return 0
}
