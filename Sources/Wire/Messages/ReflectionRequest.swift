/// `ServerReflectionRequest`: one question about the schema.
public struct ReflectionRequest: Hashable, DeclaredMessage {
  /// The kinds of questions.
  public enum Question: Hashable, Sendable {
    /// The file with a name.
    case file(named: String)
    /// The file that declares a service, method, message or enum with this full name.
    case fileDeclaring(symbol: String)
    /// The file that declares an extension of a message.
    case fileOfExtension(of: String, number: Int32)
    /// The numbers of all extensions of a message.
    case extensionNumbers(of: String)
    /// The services offered; the text is ignored.
    case services(String)
  }
  /// Repeated in the response.
  public var host: String
  public var question: Question

  public init(_ question: Question, host: String = "") {
    self.host = host
    self.question = question
  }

  static let schema = MessageSchema(fullNames: ["grpc.reflection.v1.ServerReflectionRequest"])

  init() { self.init(.services("")) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &host)
    var question = fields.isReading ? nil : Optional(question)
    try fields.text(3, of: &question, Question.file(named:)) { if case .file(let name) = $0 { name } else { nil } }
    try fields.text(4, of: &question, Question.fileDeclaring(symbol:)) {
      if case .fileDeclaring(let symbol) = $0 { symbol } else { nil }
    }
    try fields.message(5, of: &question) { (wanted: ExtensionRequest) in
      .fileOfExtension(of: wanted.type, number: wanted.number)
    } _: {
      if case .fileOfExtension(let type, let number) = $0 { ExtensionRequest(type: type, number: number) } else { nil }
    }
    try fields.text(6, of: &question, Question.extensionNumbers(of:)) {
      if case .extensionNumbers(let type) = $0 { type } else { nil }
    }
    try fields.text(7, of: &question, Question.services) { if case .services(let value) = $0 { value } else { nil } }
    guard let question else { throw DecodingFailure("the reflection request is empty: message_request is not set") }
    self.question = question
  }
}

private struct ExtensionRequest: DeclaredMessage {
  var type = ""
  var number: Int32 = 0

  static let schema = MessageSchema(fullNames: ["grpc.reflection.v1.ExtensionRequest"])

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    try fields.text(1, &type)
    fields.signed(2, &number)
  }
}
