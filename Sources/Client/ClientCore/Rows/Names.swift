package import ViewState

/// What kinds of attachments are called.
package enum MediaName {
  /// The word.
  package static func of(_ kind: RowMedia.Kind) -> String {
    switch kind {
    case .unknown: "attachment"
    case .image: "image"
    case .video: "video"
    case .animation: "animation"
    case .audio: "audio"
    }
  }
}

/// What the schema's numbers of visibilities are called.
package enum VisibilityName {
  /// The word.
  package static func of(_ number: UInt32) -> String {
    switch number {
    case 1: "public"
    case 2: "unlisted"
    case 3: "followers"
    case 4: "direct"
    // Of a later version. Whoever asks must not take it for public.
    default: "restricted"
    }
  }
}

extension RowContent.Kind {
  /// The word for it in JSON.
  var name: String {
    switch self {
    case .post: "post"
    case .list: "list"
    case .notice: "notice"
    case .gap: "gap"
    default: "unsupported"
    }
  }
}

extension Delivery {
  /// The word for it in JSON.
  var name: String {
    switch self {
    case .none: "none"
    case .pending: "pending"
    case .failed: "failed"
    }
  }

  /// How it is told in a row, with the reason; nil where there is nothing to tell.
  package func words(_ failure: [UInt8]) -> [UInt8]? {
    switch self {
    case .none: nil
    case .pending: Array("pending…".utf8)
    case .failed: Array("failed: ".utf8) + failure
    }
  }
}
