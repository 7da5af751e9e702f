/// A clock face of 6 x 3 cells: in Braille a circle of 12 x 12 dots with two hands, in ASCII a character for each hand
/// at the edge it points to.
///
/// Braille patterns take one cell in every terminal (EastAsianWidth.txt: neutral). The clock characters of Unicode take
/// two, and show half hours only.
struct ClockFace {
  /// The width in cells.
  static let width = 6
  /// The lines from top to bottom, six characters each.
  let lines: [String]

  /// A face with hands clockwise from 12, in half degrees (hour) and degrees (minute).
  init(hour: Int, minute: Int, _ glyphs: Glyphs) {
    lines = glyphs == .unicode ? Self.braille(hour / 2, minute) : Self.ascii(hour / 2, minute)
  }

  /// 1000 sin of 0, 6, 12 … 90 degrees.
  private static let quarter = [0, 105, 208, 309, 407, 500, 588, 669, 743, 809, 866, 914, 951, 978, 995, 1000]

  /// Returns 1000 sin and 1000 cos of an angle, rounded to six degrees, the step of a minute hand.
  static func direction(_ degrees: Int) -> (sine: Int, cosine: Int) {
    func sine(_ step: Int) -> Int {
      let step = ((step % 60) + 60) % 60
      let value = quarter[step % 30 <= 15 ? step % 30 : 30 - step % 30]
      return step < 30 ? value : -value
    }
    let step = (degrees + 3) / 6
    return (sine(step), sine(step + 15))
  }

  private static func braille(_ hour: Int, _ minute: Int) -> [String] {
    var dots = Array(repeating: Array(repeating: false, count: 12), count: 12)
    // The centre lies between dots 5 and 6; all lengths are in thousandths of a dot.
    for y in 0..<12 {
      for x in 0..<12 {
        let (dx, dy) = (2 * x - 11, 2 * y - 11)
        dots[y][x] = 96...128 ~= dx * dx + dy * dy
      }
    }
    func hand(_ degrees: Int, length: Int) {
      let (sine, cosine) = direction(degrees)
      for step in 0...(2 * length) {
        let x = (5500 + sine * step / 2 + 500) / 1000
        let y = (5500 - cosine * step / 2 + 500) / 1000
        dots[min(max(0, y), 11)][min(max(0, x), 11)] = true
      }
    }
    hand(hour, length: 3)
    hand(minute, length: 4)
    // The dots of a pattern, by column and line (Unicode 15.0, section 21.1).
    let bits: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
    return (0..<3).map { line in
      String(
        String.UnicodeScalarView(
          (0..<width).map { cell in
            var pattern: UInt32 = 0x2800
            for column in 0..<2 {
              for row in 0..<4 where dots[4 * line + row][2 * cell + column] { pattern |= bits[column][row] }
            }
            return Unicode.Scalar(pattern)!
          }))
    }
  }

  /// Draws `o` in the middle, the minute hand as a stroke in the eighth it points to, and the hour hand as `h`, or as
  /// `H` in the same eighth.
  private static func ascii(_ hour: Int, _ minute: Int) -> [String] {
    var cells = Array(repeating: Array(repeating: Character(" "), count: width), count: 3)
    cells[1][2] = "o"
    let places = [(0, 2), (0, 4), (1, 4), (2, 4), (2, 2), (2, 0), (1, 0), (0, 0)]
    let strokes: [Character] = ["|", "/", "-", "\\", "|", "/", "-", "\\"]
    func eighth(_ degrees: Int) -> Int { (degrees + 22) / 45 % 8 }
    let (long, short) = (eighth(minute), eighth(hour))
    cells[places[long].0][places[long].1] = strokes[long]
    cells[places[short].0][places[short].1] = long == short ? "H" : "h"
    return cells.map { String($0) }
  }
}
