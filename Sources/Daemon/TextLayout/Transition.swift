/// The automaton's result for a code point: the breaks before it, its width, and the state after it.
struct Transition {
  /// Bits 0-15: index of the next state's row. 16: a line may break before the code point (UAX #14); 17: it must; both:
  /// look ahead. 18: a cluster begins (UAX #29). 19: a space or hard break, which takes no space at a line's end. 20: a
  /// line may break and a cluster begins, so that a line may be wrapped. 21: a line feed. 22: VS15 after a wide emoji,
  /// which takes a cell back in the profile of clusters with text. 24-31: cells added, two bits each: sum and Ambiguous
  /// 1, sum and 2, cluster and 1, cluster and 2.
  let bits: UInt32

  static let widthShift: UInt32 = 24

  @inline(__always) init(bits: UInt32) { self.bits = bits }

  /// The row of the next state.
  @inline(__always) var next: Int { Int(bits & 0xFFFF) }
  /// A space or a hard break.
  @inline(__always) var hangs: Bool { bits & 1 << 19 != 0 }
  /// A cluster begins before the code point.
  @inline(__always) var startsCluster: Bool { bits & 1 << 18 != 0 }
  /// A line may be wrapped before the code point without splitting a cluster.
  @inline(__always) var wraps: Bool { bits & 1 << 20 != 0 }
  /// ``mustBreak``, ``looksAhead`` or ``endsParagraph``: one test for the rare cases.
  @inline(__always) var isSpecial: Bool { bits & (1 << 17 | 1 << 21) != 0 }
  /// A line feed.
  @inline(__always) var endsParagraph: Bool { bits & 1 << 21 != 0 }
  /// The line ends before the code point.
  @inline(__always) var mustBreak: Bool { bits & 3 << 16 == 2 << 16 }
  /// The line may break before the code point, unless a digit follows it (`$(` before `1`).
  @inline(__always) var looksAhead: Bool { bits & 3 << 16 == 3 << 16 }
  /// The line may break before the code point, even if that splits a cluster.
  @inline(__always) var mayBreak: Bool { bits & 3 << 16 == 1 << 16 }
  /// Returns `mask`, 0 or 1, if the code point makes text of an emoji, else 0.
  @inline(__always) func narrowing(_ mask: Int) -> Int { Int(bits &>> 22) & mask }
  /// Returns the cells that the code point adds, 0 to 2, in the profile whose bits begin at `shift`.
  @inline(__always) func cells(_ shift: UInt32) -> Int { Int(bits &>> shift & 3) }
}
