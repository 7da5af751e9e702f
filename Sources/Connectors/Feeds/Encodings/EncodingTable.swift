internal import CXML

/// The encodings that libxml2 knows through iconv.
enum EncodingTable {
  /// Converts bytes to UTF-8, up to the first that is no text; nil for an unknown encoding.
  static func decode(_ bytes: [UInt8], from name: String) -> [UInt8]? {
    guard bytes.count < Int(Int32.max), let buffer = unsafe cxml_decode(name, bytes, Int32(bytes.count)) else {
      return nil
    }
    defer { unsafe xmlBufferFree(buffer) }
    guard let content = unsafe xmlBufferContent(buffer) else { return [] }
    let text = unsafe UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(buffer)))
    return unsafe Array(text)
  }
}
