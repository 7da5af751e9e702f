extension [UInt8] {
  /// The bytes, or nil if there are none.
  var unlessEmpty: [UInt8]? { isEmpty ? nil : self }
}
