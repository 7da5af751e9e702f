/// Numbers and durations as text.
package enum NumberText {
  /// Formats a number with grouped digits: "1,234,567".
  package static func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// Formats a count with its unit: "1 post", "1,200 posts". A negative count is shown as 0.
  package static func count(_ number: some BinaryInteger, _ one: String, _ many: String) -> String {
    "\(grouped(max(0, number))) \(number == 1 ? one : many)"
  }

  /// Formats a duration: "45 s", "3 min 20 s", "2 h 5 min".
  static func duration(seconds: Int) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
  }
}
