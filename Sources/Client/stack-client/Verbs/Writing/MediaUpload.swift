internal import ClientCore
internal import Messages
internal import RPC
internal import UV

/// Sends a file to the source of a new post, in chunks and no faster than the daemon accepts them.
final class MediaUpload {
  /// The size of a chunk, and of the largest file, in bytes (source_service.proto).
  private static let chunkBytes = 32 << 10
  private static let fileBytes = 16 << 20
  /// The time limit for the source to have the file. The daemon gives up before.
  static let patience = Duration.seconds(660)

  private var header: UploadMediaHeader
  private let bytes: [UInt8]
  private var hasSentHeader = false
  private var sentBytes = 0
  private var response: UploadMediaResponse?

  /// Reads the file. The header needs neither its type nor its size.
  init(_ path: String, _ header: UploadMediaHeader) throws(ClientFailure) {
    self.header = header
    bytes = try FileReading.attempt(path) { () throws(UVError) in
      try Descriptor(path: path, for: .reading).readAll(limit: Self.fileBytes)
    }
    guard let type = MediaType.find(in: bytes) else {
      throw ClientFailure(.usage, "\(path) is no picture, video or sound of a known kind")
    }
    self.header.mediaType = type
    self.header.byteCount = UInt64(bytes.count)
  }

  /// Sends the file by a call of UploadMedia, which retains this until it ends, and then calls `completion`.
  func send(by call: ClientCall, _ completion: @escaping (Result<UploadedMedia, Status>) -> Void) {
    call.onMessage = { _, bytes in self.response = try? UploadMediaResponse(decoding: bytes) }
    call.onEnd = { _, status, _ in
      guard status.isOK else { return completion(.failure(status)) }
      completion(
        self.response.map { .success($0.media) }
          ?? .failure(Status(.internal, "the daemon ended the upload without an answer")))
    }
    call.onReadyToSend = { _ in self.nextMessage() }
  }

  /// Returns the next message, when there is room for it.
  private func nextMessage() -> ClientPull {
    guard hasSentHeader else {
      hasSentHeader = true
      return .message(UploadMediaRequest.header(header).encoded())
    }
    guard sentBytes < bytes.count else { return .close }
    let chunk = bytes[sentBytes..<min(sentBytes + Self.chunkBytes, bytes.count)]
    sentBytes = chunk.endIndex
    return .message(UploadMediaRequest.chunk(Array(chunk)).encoded())
  }
}

extension ClientContext {
  /// Sends a file to the source of a new post, and returns it as the post names it.
  func upload(_ path: String, _ header: UploadMediaHeader) throws(ClientFailure) -> UploadedMedia {
    let upload = try MediaUpload(path, header)
    let link = try connect()
    defer { link.close() }
    var result: Result<UploadedMedia, Status>?
    upload.send(by: try link.start(Method.uploadMedia, timeout: MediaUpload.patience)) { result = $0 }
    link.run { result != nil }
    switch result {
    case .success(let media): return media
    case .failure(let status): throw link.failure(status)
    case nil: throw link.failure(Status(.unavailable, "the connection is closed"))
    }
  }
}
