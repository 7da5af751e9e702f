public import Messages

extension UndoResponse {
  /// Describes what was undone or redone, without a full stop.
  public func sentence(isRedo: Bool) -> String {
    let done = isRedo ? "Redone" : "Undone"
    return description.isEmpty ? done : "\(done): \(description)"
  }
}
