internal import Codecs

/// The header fields of a response.
enum ServerHeaders {
  /// The fields that every gRPC response begins with.
  static let initial = [
    HeaderField(":status", "200"), HeaderField("content-type", "application/grpc"),
    HeaderField("grpc-accept-encoding", "identity"),
  ]

  /// Returns the fields that end a response.
  static func trailing(_ status: Status, _ trailers: Metadata) -> [HeaderField] {
    var fields = [HeaderField("grpc-status", String(status.code.rawValue))]
    if !status.message.isEmpty {
      fields.append(HeaderField("grpc-message", PercentEncoding.encode(status.message)))
    }
    if !status.details.isEmpty {
      fields.append(HeaderField("grpc-status-details-bin", Base64.encode(status.details)))
    }
    return fields + trailers.fields
  }
}
