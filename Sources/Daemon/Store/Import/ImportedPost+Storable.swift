internal import Posts

extension ImportedPost {
  /// True if the store can keep its names: none is empty or exceeds ``StoreLimits``, the source can stand before the
  /// colon of a reference, and the original is another post.
  var isStorable: Bool {
    guard isNamed, original.count <= 1 else { return false }
    guard let embedded = original.first else { return true }
    return embedded.isNamed && embedded.original.isEmpty && (embedded.source, embedded.nativeID) != (source, nativeID)
  }

  private var isNamed: Bool {
    ImportedPost.isSourceName(source) && ImportedPost.isKey(nativeID) && author.isStorable
      && aliases.count <= StoreLimits.aliases && aliases.allSatisfy(ImportedPost.isKey)
      && (inReplyTo.map(ImportedPost.isKey) ?? true)
  }

  fileprivate static func isKey(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= StoreLimits.nativeIDBytes && !name.utf8.contains(0)
  }

  private static func isSourceName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= StoreLimits.sourceBytes && !name.utf8.contains { $0 <= 0x20 || $0 == 0x3A }
  }
}

extension ImportedAuthor {
  /// True if the store can keep its name.
  var isStorable: Bool { ImportedPost.isKey(nativeID) }
}
