/// The states in which the automaton can be entered in the middle of a text, after a code point of a class. After
/// nearly every letter, ideograph or punctuation mark its state is the same, regardless of earlier text.
struct ClassJoins {
  /// Bits 0-15: the row after it. Bits 16-31: the row after it and a space. All ones if the row depends on earlier
  /// text.
  let bits: UInt32

  @inline(__always) init(bits: UInt32) { self.bits = bits }

  /// The automaton's row after it, unless it depends on earlier text.
  @inline(__always) var rowAfter: Int? { Self.row(bits & 0xFFFF) }
  /// The automaton's row after it and a space, unless it depends on earlier text.
  @inline(__always) var rowAfterSpace: Int? { Self.row(bits >> 16) }

  @inline(__always) private static func row(_ bits: UInt32) -> Int? { bits == 0xFFFF ? nil : Int(bits) }
}
