public import Messages

extension UndoResponse {
  /// What is done, without a full stop.
  public func sentence(isRedo: Bool) -> String {
    let done = isRedo ? "Done again" : "Undone"
    return description.isEmpty ? done : "\(done): \(description)"
  }
}
