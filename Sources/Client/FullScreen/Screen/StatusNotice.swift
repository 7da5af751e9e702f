/// Something told in the last line, for a while.
struct StatusNotice: Equatable {
  let text: String
  let weight: StatusLine.Weight

  /// Something told.
  init(_ text: String, _ weight: StatusLine.Weight = .plain) {
    self.text = text
    self.weight = weight
  }
}
