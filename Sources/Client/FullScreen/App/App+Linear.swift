extension App {
  /// What there is to say since the last time, instead of a picture.
  public mutating func lines(_ printer: inout LinearPrinter) -> [UInt8] {
    isDirty = false
    return printer.bytes(for: snapshot, state)
  }
}
