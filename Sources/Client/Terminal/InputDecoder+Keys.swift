/// What sequences mean. Modifiers are a parameter, one more than a set of bits: 1 Shift, 2 Alt, 4 Control.
extension InputDecoder {
  mutating func tell(_ code: Key.Code, _ modifiers: Key.Modifiers = [], alt: Bool = false) {
    events.append(.key(Key(code, alt ? modifiers.union(.alt) : modifiers)))
  }

  /// A control character. 0x08 is Backspace on some terminals and Control-H on none that matters.
  mutating func tellControl(_ byte: UInt8, alt: Bool = false) {
    switch byte {
    case 0x00: tell(.character(" "), .control, alt: alt)
    case 0x08, 0x7F: tell(.backspace, alt: alt)
    case 0x09: tell(.tab, alt: alt)
    case 0x0D: tell(.enter, alt: alt)
    case 0x1B: tell(.escape, alt: alt)
    case 0x01...0x1A: tell(.character(Character(Unicode.Scalar(byte + 0x60))), .control, alt: alt)
    default: tell(.character(Character(Unicode.Scalar(byte + 0x40))), .control, alt: alt)
    }
  }

  // MARK: SS3

  /// Application keys, F1 to F4, and the keypad (VT100); small letters are rxvt's arrows with Control.
  mutating func endSS3(_ final: UInt8) {
    var modifiers = Key.Modifiers()
    // "ESC O 5 A" or "ESC O 1 ; 5 A".
    if let last = sequence.last, 0x32...0x39 ~= last { modifiers = Self.modifiers(Int(last) - 0x30) }
    if let code = Self.letterKeys[final] { return tell(code, modifiers, alt: hasAlt) }
    switch final {
    case 0x61...0x64: tellLetter(final - 0x20, .control, alt: hasAlt)
    case 0x4D: tell(.enter, modifiers, alt: hasAlt)
    case 0x58: tell(.character("="), modifiers, alt: hasAlt)
    case 0x6A...0x79: tell(.character(Character(Unicode.Scalar(final - 0x40))), modifiers, alt: hasAlt)
    case 0x20: tell(.character(" "), modifiers, alt: hasAlt)
    case 0x49: tell(.tab, modifiers, alt: hasAlt)
    default: break
    }
  }

  /// The last letters of `CSI … X` and `SS3 X`.
  private static let letterKeys: [UInt8: Key.Code] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x48: .home, 0x46: .end,
    0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  /// The first parameters of `CSI … ~`: VT220, with Home and End as xterm (1, 4) and rxvt (7, 8) number them.
  private static let numberKeys: [Int: Key.Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
    18: .function(7),
    19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12), 25: .function(13),
    26: .function(14), 28: .function(15), 29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19),
    34: .function(20),
  ]

  // MARK: CSI

  mutating func endCSI(_ final: UInt8) {
    let alt = hasAlt
    hasAlt = false
    if let mark = sequence.first, 0x3C...0x3F ~= mark {
      let rest = sequence.dropFirst()
      switch (mark, final) {
      case (0x3C, 0x4D), (0x3C, 0x6D): endMouse(Self.numbers(rest), isRelease: final == 0x6D)
      case (0x3F, 0x63): events.append(.reply(.attributes))
      case (0x3F, 0x79) where rest.last == 0x24:
        let parameters = Self.numbers(rest.dropLast())
        if parameters.count == 2 { events.append(.reply(.mode(parameters[0], state: parameters[1]))) }
      default: break
      }
      return
    }
    guard !sequence.contains(where: { $0 < 0x30 }) else { return }
    let parameters = Self.numbers(sequence[...])
    // What follows the first colon of a parameter is the kitty protocol's: alternates of a key; of modifiers, the kind
    // of event.
    guard Self.subparameter(sequence, ofParameter: 1) != 3 else { return }
    let modifiers = parameters.count > 1 ? Self.modifiers(parameters[1]) : []
    switch final {
    case 0x52 where parameters.count == 2 && !(parameters[0] == 1 && 2...16 ~= parameters[1]):
      // On the first line it would be F3 with a modifier; whoever asks for the cursor stands on another.
      events.append(.reply(.cursor(line: max(0, parameters[0] - 1), column: max(0, parameters[1] - 1))))
    case 0x41...0x44, 0x46, 0x48, 0x50...0x53: tellLetter(final, modifiers, alt: alt)
    case 0x61...0x64: tellLetter(final - 0x20, .shift, alt: alt)
    case 0x5A: tell(.tab, modifiers.union(.shift), alt: alt)
    case 0x49: events.append(.focus(true))
    case 0x4F: events.append(.focus(false))
    case 0x75: if let code = parameters.first { tellCodePoint(code, modifiers, alt: alt) }
    case 0x7E: endTilde(parameters, modifiers, alt: alt)
    case 0x5E: endTilde(parameters, .control, alt: alt)
    case 0x24: endTilde(parameters, .shift, alt: alt)
    case 0x40: endTilde(parameters, [.control, .shift], alt: alt)
    default: break
    }
  }

  /// The key that a final letter stands for.
  private mutating func tellLetter(_ letter: UInt8, _ modifiers: Key.Modifiers, alt: Bool) {
    if let code = Self.letterKeys[letter] { tell(code, modifiers, alt: alt) }
  }

  private mutating func endTilde(_ parameters: [Int], _ modifiers: Key.Modifiers, alt: Bool) {
    guard let number = parameters.first else { return }
    switch number {
    case 200: beginPaste()
    // modifyOtherKeys: "CSI 27 ; modifiers ; code point ~".
    case 27 where parameters.count == 3: tellCodePoint(parameters[2], modifiers, alt: alt)
    default: if let code = Self.numberKeys[number] { tell(code, modifiers, alt: alt) }
    }
  }

  /// A key by its code point, as modifyOtherKeys and `CSI u` have it.
  private mutating func tellCodePoint(_ number: Int, _ modifiers: Key.Modifiers, alt: Bool) {
    switch number {
    case 8, 127: return tell(.backspace, modifiers, alt: alt)
    case 9: return tell(.tab, modifiers, alt: alt)
    case 13, 57414: return tell(.enter, modifiers, alt: alt)
    case 27: return tell(.escape, modifiers, alt: alt)
    // Keys without a character, in the private use area: media keys, modifiers by themselves.
    case ..<0x20, 0x80..<0xA0, 57344...63743: return
    // With Control these are other keys in every terminal that cannot tell them apart, and so they are here.
    case 0x5B where modifiers.contains(.control): return tell(.escape, modifiers.subtracting(.control), alt: alt)
    case 0x68 where modifiers.contains(.control): return tell(.backspace, modifiers.subtracting(.control), alt: alt)
    case 0x69 where modifiers.contains(.control): return tell(.tab, modifiers.subtracting(.control), alt: alt)
    case 0x6D where modifiers.contains(.control): return tell(.enter, modifiers.subtracting(.control), alt: alt)
    default: break
    }
    guard let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init) else { return }
    // Shift is in the character. With Control a letter is the one that every terminal sends.
    let properties = scalar.properties
    let typed =
      modifiers.contains(.control)
      ? properties.lowercaseMapping : modifiers.contains(.shift) ? properties.uppercaseMapping : String(scalar)
    tell(.character(typed.count == 1 ? Character(typed) : Character(scalar)), modifiers.subtracting(.shift), alt: alt)
  }

  // MARK: Mice

  /// SGR (1006): button, column, line, from 1.
  private mutating func endMouse(_ parameters: [Int], isRelease: Bool) {
    guard parameters.count == 3, parameters[1] > 0, parameters[2] > 0 else { return }
    tellMouse(parameters[0], line: parameters[2] - 1, column: parameters[1] - 1, isRelease: isRelease)
  }

  /// X10 and 1000 without 1006: three bytes, each with 32 more, which tell a release but not of what.
  mutating func endOldMouse() {
    state = .ground
    guard sequence.allSatisfy({ $0 > 0x20 }) || sequence[0] == 0x20 && sequence.dropFirst().allSatisfy({ $0 > 0x20 })
    else { return }
    let button = Int(sequence[0]) - 32
    tellMouse(button, line: Int(sequence[2]) - 33, column: Int(sequence[1]) - 33, isRelease: button & 0x43 == 3)
  }

  /// Only the left button means something; 64 and 65 are the wheel.
  private mutating func tellMouse(_ button: Int, line: Int, column: Int, isRelease: Bool) {
    let isMoving = button & 32 != 0
    let action: Mouse.Action? =
      switch button & 0xC3 {
      case 64: isRelease ? nil : .wheelUp
      case 65: isRelease ? nil : .wheelDown
      case 0: isRelease ? .release : isMoving ? .drag : .press
      case 3 where isRelease && !isMoving: .release
      default: nil
      }
    if let action { events.append(.mouse(Mouse(action, line: line, column: column))) }
  }

  // MARK: Parameters

  static func modifiers(_ parameter: Int) -> Key.Modifiers {
    Key.Modifiers(rawValue: UInt8(truncatingIfNeeded: max(0, parameter - 1) & 7))
  }

  /// The numbers between semicolons, each up to its first colon; what is empty, or no number, is 0. Large ones are cut.
  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
    guard !bytes.isEmpty else { return [] }
    return bytes.split(separator: 0x3B, omittingEmptySubsequences: false).map { number(in: $0.prefix { $0 != 0x3A }) }
  }

  private static func number(in digits: ArraySlice<UInt8>) -> Int {
    digits.reduce(0) { 0x30...0x39 ~= $1 ? min($0 * 10 + Int($1 - 0x30), 1 << 24) : $0 }
  }

  /// The number behind the first colon of a parameter; 0 where there is none.
  private static func subparameter(_ bytes: [UInt8], ofParameter index: Int) -> Int {
    let parameters = bytes.split(separator: 0x3B, omittingEmptySubsequences: false)
    guard index < parameters.count, let colon = parameters[index].firstIndex(of: 0x3A) else { return 0 }
    return number(in: parameters[index][(colon + 1)...].prefix { $0 != 0x3A })
  }
}
