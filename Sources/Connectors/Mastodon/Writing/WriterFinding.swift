internal import HTTPSupport
internal import Ingest

/// What the response to a ``WriterQuestion`` says.
enum WriterFinding: Equatable {
  case account(String)
  case status(OwnStatus)
  case statuses([OwnStatus])
  /// The text and the content warning of a status, as they were sent.
  case source(text: String, warning: String)
  /// The server has the file.
  case file
  /// It is done, and has made nothing that has a name.
  case done

  /// Reads a response. Nil if it is not what was asked for.
  init?(_ question: WriterQuestion, _ response: FetchResponse, host: String, parser: JSONParser) {
    guard let found = response.parsed(by: parser, { Self.read(question, $0, host) }) else { return nil }
    self = found
  }

  private static func read(_ question: WriterQuestion, _ value: JSONValue, _ host: String) -> WriterFinding? {
    switch question {
    case .file: return value.isObject ? .file : nil
    case .account: return TimelineStatus.identifier(value).map { .account($0) }
    case .find(let address):
      guard let found = value["statuses"], found.isArray else { return nil }
      return .statuses(statuses(found, host).filter { $0.uri == address || $0.page == address })
    case .look(.page, _): return value.isArray ? .statuses(statuses(value, host)) : nil
    case .look(.source, _):
      return value["text"]?.string.map { .source(text: $0, warning: value["spoiler_text"]?.string ?? "") }
    case .status, .post: return OwnStatus(value, host: host).map { .status($0) }
    // A server that answers with the original does not say how it calls the repost.
    case .mark(_, "reblog") where value["reblog"] != nil:
      return OwnStatus(value, host: host).map { .status($0) } ?? .done
    case .mark, .edit, .delete: return value.isObject ? .done : nil
    }
  }

  private static func statuses(_ value: JSONValue, _ host: String) -> [OwnStatus] {
    value.elements.compactMap { OwnStatus($0, host: host) }
  }
}
