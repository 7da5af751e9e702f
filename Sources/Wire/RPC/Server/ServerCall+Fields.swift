extension ServerCall {
  /// What every gRPC response begins with.
  static let headers = [
    HeaderField(":status", "200"), HeaderField("content-type", "application/grpc"),
    HeaderField("grpc-accept-encoding", "identity"),
  ]

  /// How a call ends whose client sent such bytes.
  static func status(of failure: MessageReader.Failure, limit: Int) -> Status {
    switch failure {
    case .tooLarge(let bytes): Status(.resourceExhausted, "a message of \(bytes) bytes; at most \(limit) are taken")
    case .compressed: Status(.internal, "a message is marked as compressed, and no grpc-encoding was named")
    case .badFlag(let flag): Status(.internal, "a message begins with \(flag), which is neither 0 nor 1")
    }
  }
}
