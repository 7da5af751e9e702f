/// A text as scalars, with the byte at which each begins: what the rules of mentions, hashtags and links are told in.
struct ScalarText {
  let scalars: [Unicode.Scalar]
  /// One more than there are scalars: the last is the length of the text in bytes.
  let offsets: [Int]

  /// O(n).
  init(_ text: String) {
    var scalars: [Unicode.Scalar] = []
    var offsets: [Int] = [0]
    scalars.reserveCapacity(text.utf8.count)
    offsets.reserveCapacity(text.utf8.count + 1)
    for scalar in text.unicodeScalars {
      scalars.append(scalar)
      offsets.append(offsets[offsets.count - 1] + UTF8.width(scalar))
    }
    self.scalars = scalars
    self.offsets = offsets
  }

  var count: Int { scalars.count }

  /// The scalar at `index`; nil beyond both ends.
  subscript(index: Int) -> Unicode.Scalar? { scalars.indices.contains(index) ? scalars[index] : nil }

  /// The bytes of some scalars.
  func bytes(_ range: Range<Int>) -> Range<Int> { offsets[range.lowerBound]..<offsets[range.upperBound] }

  /// Whether these ASCII characters, in lower case, stand at `index`, in whatever case.
  func has(_ words: String, at index: Int) -> Bool {
    guard index + words.utf8.count <= count else { return false }
    return zip(scalars[index...], words.utf8).allSatisfy { $0.lowercased == UInt32($1) }
  }

  /// The end of what satisfies `condition` from `index` on.
  func end(from index: Int, below limit: Int? = nil, while condition: (Unicode.Scalar) -> Bool) -> Int {
    let limit = limit ?? count
    var end = index
    while end < limit, condition(scalars[end]) { end += 1 }
    return end
  }
}
