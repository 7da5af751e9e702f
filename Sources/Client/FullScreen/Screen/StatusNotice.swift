/// A notice shown in the status line for a while.
struct StatusNotice: Equatable {
  let text: String
  let weight: StatusLine.Weight

  /// A notice.
  init(_ text: String, _ weight: StatusLine.Weight = .plain) {
    self.text = text
    self.weight = weight
  }
}
