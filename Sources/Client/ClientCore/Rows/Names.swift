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
    case 0: "public"
    case 1: "unlisted"
    case 2: "followers"
    case 3: "direct"
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
