internal import CNGHTTP2

extension HTTP2Session {
  /// Passes header fields to `body` as C structures. nghttp2 copies names and values before it returns.
  static func withFields<Result>(
    _ fields: [HeaderField], _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Result
  ) -> Result {
    var text: [UInt8] = []
    for field in fields {
      text += field.name.utf8
      text += field.value.utf8
    }
    return unsafe text.withUnsafeMutableBufferPointer { text in
      var next = text.baseAddress
      var pairs: [nghttp2_nv] = unsafe []
      unsafe pairs.reserveCapacity(fields.count)
      for field in fields {
        let name = unsafe next
        let value = unsafe name?.advanced(by: field.name.utf8.count)
        unsafe next = value?.advanced(by: field.value.utf8.count)
        let flags = field.isSecret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
        unsafe pairs.append(
          nghttp2_nv(
            name: name, value: value, namelen: field.name.utf8.count, valuelen: field.value.utf8.count,
            flags: UInt8(flags.rawValue)))
      }
      return unsafe pairs.withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
    }
  }

  /// A body that is read from `bodies`.
  static var provider: nghttp2_data_provider {
    var provider = unsafe nghttp2_data_provider()
    unsafe provider.read_callback = onReadData
    return unsafe provider
  }
}
