internal import ClientCore

extension Dialog.Line {
  /// Returns the prompt that asks for the line.
  func prompt(_ field: LineField) -> Prompt {
    switch self {
    case .search:
      Prompt(
        title: "Search", field: field, hint: "words, \"phrases\", from:, #tag, before:, after:, has:link",
        verb: "searches")
    case .author: Prompt(title: "Author", field: field, hint: "@handle", verb: "opens")
    case .tag: Prompt(title: "Hashtag", field: field, hint: "#tag", verb: "opens")
    case .date: Prompt(title: "Go to date", field: field, hint: DateSpan.examples, verb: "goes")
    case .pipe:
      Prompt(
        title: "Pipe to", field: field, hint: "a command and its arguments; it runs without a shell", verb: "runs")
    case .find:
      Prompt(
        title: "Find in this pane", field: field, hint: "words, \"phrases\", #tag, from:@name, is:unread",
        verb: "finds")
    case .limit:
      Prompt(
        title: "Filter", field: field,
        hint: "is:repost, is:reply, is:unread, has:media, lang:de, words, /pattern/; - excludes", verb: "filters")
    }
  }
}
