public import ViewState

extension Frame: DeclaredMessage {
  static let schema = MessageSchema("ServerFrame")

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &number)
    fields.number(2, &epoch)
    fields.number(3, &baseRevision)
    fields.number(4, &revision)
    fields.number(5, &generations.layout)
    fields.number(6, &generations.viewport)
    var reason = reset?.rawValue ?? 0
    fields.choiceNumber(7, &reason)
    // A reason of a later version still means a reset.
    reset = reason == 0 ? nil : ResetReason(rawValue: reason) ?? .first
    fields.signed(8, &labelsAtMilliseconds)
    var messages = operations.map(OperationMessage.init)
    try fields.messages(9, &messages)
    if fields.isReading { body = FrameBody(messages.compactMap(\.operation)) }
    try fields.message(10, &welcome)
    fields.number(11, &sessionRevision)
    fields.number(12, &pacing.ageMilliseconds)
    fields.number(13, &pacing.skipped)
    fields.flag(14, &pacing.hasMore)
    fields.number(15, &layoutKey)
  }
}

extension Welcome: DeclaredMessage {
  static let schema = MessageSchema("Welcome")

  init() { self.init(viewID: 0, session: "", daemonVersion: "", limits: Limits()) }

  mutating func walk(_ fields: inout WireFields) throws(DecodingFailure) {
    fields.number(1, &viewID)
    try fields.text(2, &session)
    try fields.text(3, &daemonVersion)
    fields.count(4, &limits.requestBytes)
    fields.count(5, &limits.windowRows)
    fields.count(6, &limits.responseBytes)
    fields.count(7, &limits.panes)
    fields.count(8, &limits.stallTimeoutMilliseconds)
    try fields.text(9, &locale)
  }
}

extension FrameBody {
  /// Creates a body whose bytes are encoded now, to be shared by several frames.
  public static func encoding(_ operations: [Operation]) -> FrameBody {
    operations.isEmpty ? .empty : FrameBody(operations, encoded: encode(operations))
  }

  /// Returns the operations as the field of a ServerFrame.
  static func encode(_ operations: [Operation]) -> [UInt8] {
    var writer = WireWriter()
    for operation in operations { writer.bytes(9, OperationMessage(operation).encoded()) }
    return writer.output
  }
}

extension Frame {
  /// Returns the bytes of the schema's ServerFrame, with shared operations spliced in.
  ///
  /// Every delivery encodes one, so the numbers around the operations are written here without a structure in memory. A
  /// test compares the bytes with those of the declaration above.
  public func encoded() -> [UInt8] {
    let operations = body.encoded ?? FrameBody.encode(body.operations)
    var head = WireNumbers()
    head.varint(1, number)
    head.fixed64(2, epoch)
    head.varint(3, baseRevision)
    head.varint(4, revision)
    head.varint(5, UInt64(generations.layout))
    head.varint(6, UInt64(generations.viewport))
    head.varint(7, UInt64(reset?.rawValue ?? 0))
    head.zigzag(8, labelsAtMilliseconds)
    var tail = WireNumbers()
    tail.varint(11, sessionRevision)
    tail.varint(12, UInt64(pacing.ageMilliseconds))
    tail.varint(13, UInt64(pacing.skipped))
    tail.varint(14, pacing.hasMore ? 1 : 0)
    tail.fixed64(15, layoutKey)
    var writer = WireWriter(capacity: head.count + operations.count + tail.count)
    writer.append(head)
    writer.append(operations)
    if let welcome { writer.bytes(10, welcome.encoded()) }
    writer.append(tail)
    return writer.output
  }
}
