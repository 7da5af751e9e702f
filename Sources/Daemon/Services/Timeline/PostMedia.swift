internal import Engine
internal import Messages
internal import Posts
internal import ViewState

/// Rules for the files of a post written here, which its source has.
enum PostMedia {
  /// Maximum number of files of a post; sources may take fewer.
  static let limit = 16
  /// Maximum size of a MIME type in bytes.
  static let typeBytes = 100
  /// Maximum size of a description in bytes.
  static let descriptionBytes = 10_000

  /// Returns the files in their stored form.
  static func checked(_ files: [UploadedMedia]) throws(EngineError) -> [Media] {
    guard files.count <= limit else {
      throw EngineError(
        .invalidArgument, "the post has \(files.count) files, but at most \(limit) are allowed", field: "media",
        limit: limit)
    }
    var checked: [Media] = []
    for file in files {
      let id = SafeText(line: file.id)
      guard !id.isEmpty, id.count <= Media.uploadIDBytes else {
        throw EngineError(.invalidArgument, "a file has no ID that UploadMedia has returned", field: "media")
      }
      checked.append(
        Media(
          kind: Media.Kind(rawValue: file.media.kind.rawValue) ?? .unknown,
          url: SafeText(line: file.media.url).webAddress,
          altText: try description(String(decoding: file.media.altText, as: UTF8.self)), uploadID: id))
    }
    return checked
  }

  /// Returns a description in its stored form.
  static func description(_ text: String) throws(EngineError) -> SafeText {
    let text = SafeText(text)
    guard text.count <= descriptionBytes else {
      throw EngineError(
        .invalidArgument, "the description has \(text.count) bytes, but at most \(descriptionBytes) are allowed",
        field: "description", limit: descriptionBytes)
    }
    return text
  }

  /// Returns the file that a header describes.
  static func file(_ header: UploadMediaHeader) throws(EngineError) -> UpstreamUpload {
    guard header.mediaType.utf8.count <= typeBytes, isMediaType(header.mediaType) else {
      throw EngineError(
        .invalidArgument, "'\(header.mediaType.shortened)' is not a MIME type, such as image/png", field: "media_type")
    }
    guard (1...UInt64(UpstreamUpload.byteLimit)).contains(header.byteCount) else {
      let reason =
        header.byteCount == 0
        ? "the file is empty" : "a file may have at most \(UpstreamUpload.byteLimit >> 20) MiB"
      throw EngineError(.invalidArgument, reason, field: "bytes", limit: UpstreamUpload.byteLimit)
    }
    return UpstreamUpload(
      mediaType: header.mediaType, description: try description(header.description), byteCount: Int(header.byteCount))
  }

  /// True for two tokens with a slash between them (RFC 6838, section 4.2). The type becomes part of a header field.
  private static func isMediaType(_ text: String) -> Bool {
    let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return names.count == 2
      && names.allSatisfy { name in
        !name.isEmpty
          && name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"):
              true
            default: "!#$&^_.+-".utf8.contains(byte)
            }
          }
      }
  }
}
