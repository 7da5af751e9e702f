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

  /// Returns a size in bytes in the largest decimal unit that leaves at least 1, with one decimal below 10.
  static func bytes(_ number: UInt64) -> String {
    var (value, unit) = (Double(number), 0)
    while value >= 999.5, unit < 4 { (value, unit) = (value / 1_000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    let text = unit == 0 || tenths >= 100 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
    return "\(text) \(["B", "KB", "MB", "GB", "TB"][unit])"
  }
}
