import Testing
import ViewState

@testable import Messages

extension DecodingFailure {
  /// A failure given by its whole sentence, which begins with the field.
  init(_ reason: String, field: String, limit: Int? = nil) {
    self.init(field: field, String(reason.dropFirst(field.count + 1)), limit: limit)
  }
}

@Suite("Message declarations match the schema")
struct DeclarationTests {
  /// The messages of all calls; nested ones are found from here.
  static let roots: [any DeclaredMessage.Type] = [
    ClientFrame.self, Frame.self, WatchRequest.self, MoveViewportRequest.self, EmptyMessage.self, GetRowsRequest.self,
    GetRowsResponse.self, MeasureRequest.self, MeasureResponse.self, MoveStackRequest.self, MoveStackResponse.self,
    SessionRequest.self, PushRequest.self, ReplaceRequest.self, PopToRequest.self, OpenRequest.self,
    SelectRequest.self, ResizePaneRequest.self, SetFilterRequest.self, CollapseRequest.self,
    FoldRequest.self, SetPreviewRequest.self,
    SetReadingPositionRequest.self, PaneResponse.self, RevisionResponse.self, ListSessionsResponse.self,
    RenameSessionRequest.self, ComposeRequest.self, ComposeResponse.self, EditRequest.self, DeleteRequest.self,
    SaveDraftRequest.self, DraftReference.self, ListDraftsResponse.self, MarkRequest.self, MarkResponse.self,
    MarkReadRequest.self, MarkReadResponse.self, UndoRequest.self, UndoResponse.self, RetryRequest.self,
    DiscardRequest.self, ListOutboxResponse.self, ImportRequest.self, ImportResponse.self, ExportRequest.self,
    ExportResponse.self, AuthorRequest.self, GetProfileResponse.self, FollowsRequest.self, FollowsResponse.self,
    PageRequest.self, FollowResponse.self, ListFollowRequestsResponse.self, FollowPolicyMessage.self,
    ListMembersRequest.self, ListMembersResponse.self, MuteResponse.self, BlockResponse.self, ListMutedResponse.self,
    CreateListRequest.self, RenameListRequest.self, DeleteListRequest.self, ListMemberRequest.self, ListResponse.self,
    ListListsResponse.self, MutedWordRequest.self, WhoAmIResponse.self,
    ListAccountsResponse.self, CreateAccountRequest.self, CreateAccountResponse.self, SetPostLimitRequest.self,
    IssueTokenRequest.self, IssueTokenResponse.self, ListTokensRequest.self, ListTokensResponse.self,
    RevokeTokenRequest.self, DaemonStatus.self, CheckIntegrityResponse.self, BackupRequest.self, BackupResponse.self,
    HealthCheckRequest.self, HealthCheckResponse.self, ReflectionRequest.self, ReflectionResponse.self,
    ErrorDetails.self, ErrorInfo.self, BadRequest.self, RetryInfo.self, SetProfileRequest.self,
    SetProfileResponse.self, ListPeopleResponse.self, ListImportsRequest.self, ListImportsResponse.self,
    ListSourcesResponse.self, WatchSourcesResponse.self, AddFeedRequest.self, SetFeedRequest.self, FeedResponse.self,
    FeedRequest.self, FetchMoreRequest.self, BeginSignInRequest.self, BeginSignInResponse.self,
    FinishSignInRequest.self, FinishSignInResponse.self, SignOutRequest.self, SignOutResponse.self,
    UploadMediaRequest.self, UploadMediaResponse.self,
    Keep.self, Retention.self, KeptSourceSummary.self, StoreStatus.self, SetRetentionRequest.self,
    SetStoreLimitRequest.self,
    ForgetImportedRequest.self, ForgetImportedResponse.self, GetDetailsRequest.self, PostDetailsMessage.self,
  ]

  /// Every declared message reachable from the roots, by its first name.
  static let declared: [String: any DeclaredMessage.Type] = {
    var found: [String: any DeclaredMessage.Type] = [:]
    var waiting = roots
    while let message = waiting.popLast() {
      guard found.updateValue(message, forKey: message.schema.names[0]) == nil else { continue }
      for field in fields(of: message) { if let inner = field.kind.message { waiting.append(inner) } }
    }
    return found
  }()

  private static func fields(of message: any DeclaredMessage.Type) -> [DeclaredField] {
    func open<Message: DeclaredMessage>(_ message: Message.Type) -> [DeclaredField] {
      DeclarationList.fields(of: message)
    }
    return open(message)
  }

  @Test("each message of the schema is declared") func messages() {
    let names = Self.declared.values.flatMap { $0.schema.names }
    let unknown = ProtoSchema.current.messages.map(\.name).filter { name in
      // Requests without fields need no declaration: they are never read.
      !names.contains(name) && !Self.isEmptyRequest(name)
    }
    // Details of errors that the daemon does not send.
    #expect(unknown.filter { !$0.hasPrefix("google.rpc.") } == [])
  }

  private static func isEmptyRequest(_ name: String) -> Bool {
    ProtoSchema.current.messages.contains { $0.name == name && $0.fields.isEmpty }
  }

  @Test("each field is declared once, in order, with its type and its oneof", arguments: declared.keys.sorted())
  func fields(name: String) throws {
    let message = try #require(Self.declared[name])
    let declared = Self.fields(of: message)
    for name in message.schema.names {
      let described = try #require(
        ProtoSchema.current.messages.first { $0.name == name }, "\(name) is not in the schema")
      let fields = described.fields.sorted { $0.number < $1.number }
      #expect(declared.map(\.number) == fields.map(\.number), "\(name)")
      for (declared, field) in zip(declared, fields) {
        #expect(declared.kind.matches(field), "\(name).\(field.name) is declared as \(declared.kind)")
      }
    }
  }

  @Test("a declaration that differs from the schema is detected")
  func mistakes() throws {
    let layout = FieldDescription(number: 1, name: "a", kind: .uint64)
    #expect(DeclaredField.Kind.unsigned.matches(layout))
    for wrong: DeclaredField.Kind in [
      .signed, .flag, .choice, .text, .data, .message(EmptyMessage.self), .repeated(.unsigned), .optional(.unsigned),
      .oneofCase(.unsigned),
    ] {
      #expect(!wrong.matches(layout))
    }
    let inside = FieldDescription(number: 1, name: "a", kind: .message, messageName: "stack.v1.Row", oneof: 0)
    #expect(!DeclaredField.Kind.oneofCase(.message(EmptyMessage.self)).matches(inside))
    #expect(DeclaredField.Kind.oneofCase(.message(RowMessage.self)).matches(inside))
  }

  @Test("a message without fields is empty", arguments: declared.keys.sorted())
  func empty(name: String) throws {
    let message = try #require(Self.declared[name])
    let packed = message.schema.layout.pack { _ in }
    #expect(packed == [])
  }

  @Test("a small message that would take much memory is refused") func memory() {
    // Empty rows: two bytes each, and a structure of some hundred bytes.
    let bytes = [UInt8](repeating: 0, count: 40_000).enumerated().map { $0.offset % 2 == 0 ? UInt8(0x0A) : 0 }
    #expect {
      try GetRowsResponse(decoding: bytes)
    } throws: { failure in
      let failure = failure as? DecodingFailure
      return failure?.limit == MessageMemory.limit(forMessageOf: bytes.count)
        && failure?.reason.hasSuffix("send it in parts") == true
    }
  }
}

extension DeclaredField.Kind {
  /// The message type of the field, if it has one.
  fileprivate var message: (any DeclaredMessage.Type)? {
    switch self {
    case .message(let message): message
    case .repeated(let kind), .optional(let kind), .oneofCase(let kind): kind.message
    default: nil
    }
  }

  /// Returns true if a field of the schema has this kind.
  fileprivate func matches(_ field: FieldDescription) -> Bool {
    switch self {
    case .repeated(let kind): field.isRepeated && kind.isOf(field)
    case .optional(let kind): field.isOptional && kind.isOf(field)
    case .oneofCase(let kind): field.oneof != nil && kind.isOf(field)
    default: !field.isRepeated && !field.isOptional && field.oneof == nil && isOf(field)
    }
  }

  private func isOf(_ field: FieldDescription) -> Bool {
    switch (self, field.kind) {
    case (.unsigned, .uint32), (.unsigned, .uint64), (.unsigned, .fixed32), (.unsigned, .fixed64): true
    case (.signed, .int32), (.signed, .int64), (.signed, .sint32), (.signed, .sint64): true
    case (.flag, .bool), (.choice, .enumeration), (.text, .string), (.data, .bytes): true
    case (.message(let message), .message): message.schema.names.contains(field.messageName)
    default: false
    }
  }
}
