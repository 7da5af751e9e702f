/// Where a class of code points joins the automaton in the middle of a text: after nearly every letter, ideograph or
/// punctuation mark it is in the same state whatever came before.
struct ClassJoins {
  /// Bits 0-15: the row after it; 16-31: the row after it and a space; all ones if that depends on what came before.
  let bits: UInt32

  @inline(__always) init(bits: UInt32) { self.bits = bits }

  /// The automaton's row after it, if that needs no past.
  @inline(__always) var rowAfter: Int? { Self.row(bits & 0xFFFF) }
  /// The automaton's row after it and a space, if that needs no past.
  @inline(__always) var rowAfterSpace: Int? { Self.row(bits >> 16) }

  @inline(__always) private static func row(_ bits: UInt32) -> Int? { bits == 0xFFFF ? nil : Int(bits) }
}
