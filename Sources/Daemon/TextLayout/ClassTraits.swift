/// What a class of code points is like whatever is around it: all that measuring a line needs, and where the automaton can be
/// joined in the middle of a text.
struct ClassTraits {
  /// Bits 0-1: cells in the profile that it was asked for. 2: leave it to the automaton. 16-31: the row that the automaton is in
  /// after it; 32-47: the row after it and a space; if that is one for all that may have come before, else all ones.
  let bits: UInt64

  @inline(__always) init(bits: UInt64) { self.bits = bits }

  /// The cells that it takes.
  @inline(__always) var cells: Int { Int(bits & 3) }
  /// A hard break, or a cluster with it is not as wide as its code points together.
  @inline(__always) var needsAutomaton: Bool { bits & 1 << 2 != 0 }
  /// The automaton's row after it, if that needs no past.
  @inline(__always) var rowAfter: Int? { Self.row(bits >> 16 & 0xFFFF) }
  /// The automaton's row after it and a space, if that needs no past.
  @inline(__always) var rowAfterSpace: Int? { Self.row(bits >> 32) }

  @inline(__always) private static func row(_ bits: UInt64) -> Int? { bits == 0xFFFF ? nil : Int(bits) }
}
