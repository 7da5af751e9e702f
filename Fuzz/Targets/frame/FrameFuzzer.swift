internal import FuzzSupport
internal import Messages
internal import ViewState

/// `Frame`, as a client reads it: what decodes applies to an empty view, or is refused; neither ends the program.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  guard let frame = try? Frame(decoding: input.all()) else { return 0 }
  law((try? Frame(decoding: frame.encoded())) == frame, "a frame does not survive being encoded")
  var view = ViewSnapshot()
  try? view.apply(frame)
  return 0
}
