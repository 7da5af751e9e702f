internal import Posts
internal import Search
internal import ViewState

extension EngineError {
  /// What is unread is asked of something that is not read on.
  static func unreadElsewhere(_ code: Code, field: String? = nil) -> EngineError {
    EngineError(
      code, "is:unread is for the timeline, mentions and your profile: of these it is known how far they are read",
      field: field)
  }
}

extension PostFilter {
  /// What somebody typed. INVALID_ARGUMENT where that is no filter.
  init(typed words: String) throws(EngineError) {
    do throws(PostFilterError) {
      try self.init(parsing: words)
    } catch {
      throw EngineError(
        .invalidArgument, error.message, field: "filter", limit: error == .tooLong ? Self.byteLimit : nil)
    }
  }
}
