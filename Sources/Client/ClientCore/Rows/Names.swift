package import ViewState

/// The names of the kinds of attachments.
package enum MediaName {
  /// Returns the name of a kind.
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

/// The names of the visibilities of the schema.
package enum VisibilityName {
  /// Returns the name of a visibility, by its number in the schema.
  package static func of(_ number: UInt32) -> String {
    switch number {
    case 1: "public"
    case 2: "unlisted"
    case 3: "followers"
    case 4: "direct"
    // From a later version. It must not be mistaken for public.
    default: "restricted"
    }
  }

  /// Returns the words for people about who may see a post: a feed that is not shared has no followers to speak of, and
  /// neither has a notice.
  package static func words(_ fields: RowContent.Fields) -> String {
    let name = of(fields.visibility)
    let hasNoFollowers = fields.flags.contains(.notice) || fields.author.source.elementsEqual("feed".utf8)
    return name == "followers" && hasNoFollowers ? "private" : name
  }
}

/// The words about a list that the account created.
package enum ListWords {
  /// Returns the number of its authors.
  package static func authors(_ count: UInt32) -> String {
    count == 0 ? "no authors yet" : NumberText.count(count, "author", "authors")
  }
}

extension RowContent.Kind {
  /// The name in JSON.
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
  /// The name in JSON.
  var name: String {
    switch self {
    case .none: "none"
    case .pending: "pending"
    case .failed: "failed"
    }
  }

  /// Returns the text shown in a row, with the reason of a failure; nil if there is nothing to show.
  package func words(_ failure: [UInt8]) -> [UInt8]? {
    switch self {
    case .none: nil
    case .pending: Array("pending…".utf8)
    case .failed: Array("failed: ".utf8) + failure
    }
  }
}
