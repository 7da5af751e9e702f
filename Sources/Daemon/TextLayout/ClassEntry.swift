/// The properties of a code point on its own, as stored in the tables.
struct ClassEntry {
  /// Bits 0-6: the number of its class. Bit 7: see ``endsWords``. Bits 8-15: its cells regardless of context, two bits
  /// a profile (``CellProfile/number``); 3 if the automaton must decide, for a hard break or for a code point that
  /// gives a cluster another width than the sum.
  let bits: UInt16

  @inline(__always) init(bits: UInt16) { self.bits = bits }

  /// The number of its class.
  @inline(__always) var cls: Int { Int(bits & 0x7F) }

  /// True unless it is a letter, a digit or a combining character. After a space, a line never breaks between two code
  /// points that are not `endsWords`.
  @inline(__always) var endsWords: Bool { bits & 1 << 7 != 0 }

  /// Returns the position of a profile's cells in the bits.
  @inline(__always) static func shift(profile: Int) -> Int { 8 &+ 2 &* profile }

  /// Returns its cells in a profile as a multiple of `cell`, the value of one cell at the profile's position in the
  /// bits; 3 times `cell` if the automaton must decide.
  @inline(__always) func cells(times cell: Int) -> Int { Int(bits) & (3 &* cell) }

  /// Returns its cells in a profile; 3 if the automaton must decide.
  @inline(__always) func cells(profile: Int) -> Int { Int(bits) &>> Self.shift(profile: profile) & 3 }

  /// The value of ``cells(profile:)`` for a hard break, or if the width of the cluster is not a sum.
  static let leftToAutomaton = 3
}
