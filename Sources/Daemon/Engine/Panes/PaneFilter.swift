internal import Posts
internal import Search
internal import ViewState

extension EngineError {
  /// The error for an unread filter on a list without a reading position.
  static func unreadElsewhere(_ code: Code, field: String? = nil) -> EngineError {
    EngineError(
      code, "is:unread works only in the timeline, mentions and your profile: other lists have no reading position",
      field: field)
  }
}

extension PostFilter {
  /// Parses a filter that a user typed. Throws INVALID_ARGUMENT if it is malformed.
  init(typed words: String) throws(EngineError) {
    do throws(PostFilterError) {
      try self.init(parsing: words)
    } catch {
      throw EngineError(
        .invalidArgument, error.message, field: "filter", limit: error == .tooLong ? Self.byteLimit : nil)
    }
  }
}
