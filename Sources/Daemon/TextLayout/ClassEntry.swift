/// What is known of a code point by itself, as the tables have it for each.
struct ClassEntry {
  /// Bits 0-6: the number of its class. 7: see ``endsWords``. 8-15: two bits a profile (as in a transition's widths) of
  /// the cells it takes whatever is around it; 3 for what has to be left to the automaton: a hard break, or what makes
  /// clusters of another width than their code points together.
  let bits: UInt16

  @inline(__always) init(bits: UInt16) { self.bits = bits }

  /// The number of its class.
  @inline(__always) var cls: Int { Int(bits & 0x7F) }

  /// Not a letter, a digit or what combines with them: all others. Behind a space, a line never breaks between two of
  /// those.
  @inline(__always) var endsWords: Bool { bits & 1 << 7 != 0 }

  /// Where the cells of a profile stand in the bits.
  @inline(__always) static func shift(profile: Int) -> Int { 8 &+ 2 &* profile }

  /// The cells that it takes in a profile, as many times as much as one of them is where it stands; 3 if that cannot be
  /// said.
  @inline(__always) func cells(times cell: Int) -> Int { Int(bits) & (3 &* cell) }

  /// The same once.
  @inline(__always) func cells(profile: Int) -> Int { Int(bits) &>> Self.shift(profile: profile) & 3 }

  /// What ``cells(profile:)`` is for a hard break, or where the width of a cluster is not a sum.
  static let leftToAutomaton = 3
}
