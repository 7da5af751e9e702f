/// A text as scalars with their byte offsets: the units of the rules for mentions, hashtags and links.
struct ScalarText {
  let scalars: [Unicode.Scalar]
  /// The byte offset of each scalar, and the length of the text in bytes as the last element.
  let offsets: [Int]

  /// Splits a text; O(n).
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

  /// The scalar at `index`; nil outside the text.
  subscript(index: Int) -> Unicode.Scalar? { scalars.indices.contains(index) ? scalars[index] : nil }

  /// Returns the byte range of a range of scalars.
  func bytes(_ range: Range<Int>) -> Range<Int> { offsets[range.lowerBound]..<offsets[range.upperBound] }

  /// True if these ASCII characters, given in lower case, are at `index`; case is ignored.
  func has(_ words: String, at index: Int) -> Bool {
    guard index + words.utf8.count <= count else { return false }
    return zip(scalars[index...], words.utf8).allSatisfy { $0.lowercased == UInt32($1) }
  }

  /// Returns the end of the scalars from `index` that satisfy `condition`.
  func end(from index: Int, below limit: Int? = nil, while condition: (Unicode.Scalar) -> Bool) -> Int {
    let limit = limit ?? count
    var end = index
    while end < limit, condition(scalars[end]) { end += 1 }
    return end
  }
}
