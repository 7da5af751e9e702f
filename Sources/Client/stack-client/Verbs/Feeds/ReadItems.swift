internal import ClientCore
internal import Messages
internal import ViewState

/// The items that another reader knows as read.
struct ReadItems {
  private var addresses: Set<[UInt8]> = []
  /// The titles of items without an address.
  private var titles: Set<[UInt8]> = []

  /// Reads lines of `stack-feeds`: address and title, with a TAB between two.
  init(lines: [UInt8]) {
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      if let address = parts.first, !address.isEmpty {
        addresses.insert(Array(address))
      } else if parts.count > 1, !parts[1].isEmpty {
        titles.insert(Array(parts[1]))
      }
    }
  }

  private func contains(_ post: RowContent.Fields) -> Bool {
    if !post.permalink.isEmpty { return addresses.contains(post.permalink) }
    return titles.contains(Array(post.text.prefix { $0 != UInt8(ascii: "\n") }))
  }

  /// Marks the posts of authors that are such items as read. Returns how many that were not.
  func mark(by authors: [UInt64], _ context: ClientContext, _ link: DaemonLink) throws(ClientFailure) -> Int {
    guard !addresses.isEmpty || !titles.isEmpty else { return 0 }
    var posts: [String] = []
    for author in authors {
      let reader = RowPager(context, link: link, of: .author(String(author)))
      _ = try reader.forEachRow(below: nil, limit: .max) { row in
        let post = row.content.fields
        if post.postID != 0, post.readMark != .read, contains(post) { posts.append(String(post.postID)) }
      }
    }
    var marked = 0
    for start in stride(from: 0, to: posts.count, by: SharedLimits.readMarksAtOnce) {
      let part = posts[start..<min(posts.count, start + SharedLimits.readMarksAtOnce)]
      let answer: MarkReadResponse = try link.call(Method.markRead, MarkReadRequest(.read, posts: Array(part)))
      marked += Int(answer.changed)
    }
    return marked
  }
}
