extension RawSpan {
  /// Appends the bytes to an array. Linear in their number.
  func append(to array: inout [UInt8]) {
    guard !isEmpty else { return }
    unsafe withUnsafeBytes { unsafe array.append(contentsOf: $0) }
  }
}
