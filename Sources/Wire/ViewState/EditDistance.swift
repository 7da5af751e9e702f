/// How much two words differ, for finding what was meant by a mistyped one.
public enum EditDistance {
  /// Returns the Levenshtein distance of two words. Takes time in proportion to the product of their lengths.
  public static func between(_ left: String, _ right: String) -> Int {
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in right.enumerated() {
        let above = row[column + 1]
        row[column + 1] = min(above + 1, row[column] + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }

  /// Returns the candidate that differs least from a word, the first of several, and by how much; nil if there is none.
  public static func nearest(to word: String, among candidates: [String]) -> (word: String, distance: Int)? {
    candidates.map { (word: $0, distance: between($0, word)) }.min { $0.distance < $1.distance }
  }
}
