internal import ConnectorSupport
internal import Ingest
internal import Posts

/// What a server takes of files, as far as it says.
struct MediaLimits: Equatable {
  /// The MIME types; empty if it does not say.
  var types: [String] = []
  /// The most bytes of a picture, and of a video or sound; nil if it does not say.
  var imageBytes: Int?
  var videoBytes: Int?
  /// The most characters of a description; nil if it does not say.
  var descriptionLength: Int?
  /// The most files of a post; nil if it does not say.
  var count: Int?

  init() {}

  /// Reads them from the document of an instance. Akkoma has names of its own.
  init(_ value: JSONValue) {
    let configuration = value["configuration"]
    let media = configuration?["media_attachments"]
    types = media?.strings("supported_mime_types") ?? []
    imageBytes = media?["image_size_limit"]?.integer ?? value["upload_limit"]?.integer
    videoBytes = media?["video_size_limit"]?.integer ?? value["upload_limit"]?.integer
    descriptionLength = media?["description_limit"]?.integer ?? value["description_limit"]?.integer
    count = configuration?["statuses"]?["max_media_attachments"]?.integer
  }

  /// Returns why a server does not take a file; nil if it may.
  func refusal(of file: MediaUploads.File, at host: String) -> String? {
    if !types.isEmpty, !types.contains(file.type) {
      return "\(host) takes no \(file.type), only \(types.joined(separator: ", "))".shortened
    }
    let isImage = file.type.hasPrefix("image/")
    if let most = isImage ? imageBytes : videoBytes, file.byteCount > most {
      return
        "\(host) takes \(isImage ? "pictures" : "videos and sounds") of up to \(Self.size(most)), and this one has "
        + Self.size(file.byteCount)
    }
    if let most = descriptionLength, file.description.count > most {
      return "\(host) takes descriptions of up to \(most) characters, and this one has \(file.description.count)"
    }
    return nil
  }

  /// Returns a number of bytes in MB with one digit behind the point, rounded up, or in bytes if there are fewer than
  /// 100,000.
  private static func size(_ bytes: Int) -> String {
    guard bytes >= 100_000 else { return "\(bytes) bytes" }
    let tenths = (bytes + 99_999) / 100_000
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }
}
