/// The meaning of sequences. Modifiers are a parameter: one more than a set of bits, 1 Shift, 2 Alt, 4 Control.
extension InputDecoder {
  mutating func emitKey(_ code: Key.Code, _ modifiers: Key.Modifiers = [], alt: Bool = false) {
    events.append(.key(Key(code, alt ? modifiers.union(.alt) : modifiers)))
  }

  /// Emits a control character. 0x08 is Backspace on some terminals, and Control-H on none that matters.
  mutating func emitControl(_ byte: UInt8, alt: Bool = false) {
    switch byte {
    case 0x00: emitKey(.character(" "), .control, alt: alt)
    case 0x08, 0x7F: emitKey(.backspace, alt: alt)
    case 0x09: emitKey(.tab, alt: alt)
    case 0x0D: emitKey(.enter, alt: alt)
    case 0x1B: emitKey(.escape, alt: alt)
    case 0x01...0x1A: emitKey(.character(Character(Unicode.Scalar(byte + 0x60))), .control, alt: alt)
    default: emitKey(.character(Character(Unicode.Scalar(byte + 0x40))), .control, alt: alt)
    }
  }

  // MARK: SS3

  /// Ends an SS3 sequence: application keys, F1 to F4, and the keypad (VT100). Lowercase letters are rxvt's arrows with
  /// Control.
  mutating func endSS3(_ final: UInt8) {
    var modifiers = Key.Modifiers()
    // "ESC O 5 A" or "ESC O 1 ; 5 A".
    if let last = sequence.last, 0x32...0x39 ~= last { modifiers = Self.modifiers(Int(last) - 0x30) }
    if let code = Self.letterKeys[final] { return emitKey(code, modifiers, alt: hasAlt) }
    switch final {
    case 0x61...0x64: emitLetter(final - 0x20, .control, alt: hasAlt)
    case 0x4D: emitKey(.enter, modifiers, alt: hasAlt)
    case 0x58: emitKey(.character("="), modifiers, alt: hasAlt)
    case 0x6A...0x79: emitKey(.character(Character(Unicode.Scalar(final - 0x40))), modifiers, alt: hasAlt)
    case 0x20: emitKey(.character(" "), modifiers, alt: hasAlt)
    case 0x49: emitKey(.tab, modifiers, alt: hasAlt)
    default: break
    }
  }

  /// The final letters of `CSI … X` and `SS3 X`.
  private static let letterKeys: [UInt8: Key.Code] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x48: .home, 0x46: .end,
    0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  /// The first parameters of `CSI … ~`: VT220, with Home and End as numbered by xterm (1, 4) and rxvt (7, 8).
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
    // After the first colon of a parameter come additions of the kitty protocol: alternates of a key, and the kind of
    // event in the modifiers.
    guard Self.subparameter(sequence, ofParameter: 1) != 3 else { return }
    let modifiers = parameters.count > 1 ? Self.modifiers(parameters[1]) : []
    switch final {
    case 0x52 where parameters.count == 2 && !(parameters[0] == 1 && 2...16 ~= parameters[1]):
      // On the first line this would be F3 with a modifier. The cursor is queried on another line.
      events.append(.reply(.cursor(line: max(0, parameters[0] - 1), column: max(0, parameters[1] - 1))))
    case 0x41...0x44, 0x46, 0x48, 0x50...0x53: emitLetter(final, modifiers, alt: alt)
    case 0x61...0x64: emitLetter(final - 0x20, .shift, alt: alt)
    case 0x5A: emitKey(.tab, modifiers.union(.shift), alt: alt)
    case 0x49: events.append(.focus(true))
    case 0x4F: events.append(.focus(false))
    case 0x75: if let code = parameters.first { emitCodePoint(code, modifiers, alt: alt) }
    case 0x7E: endTilde(parameters, modifiers, alt: alt)
    case 0x5E: endTilde(parameters, .control, alt: alt)
    case 0x24: endTilde(parameters, .shift, alt: alt)
    case 0x40: endTilde(parameters, [.control, .shift], alt: alt)
    default: break
    }
  }

  /// Emits the key of a final letter.
  private mutating func emitLetter(_ letter: UInt8, _ modifiers: Key.Modifiers, alt: Bool) {
    if let code = Self.letterKeys[letter] { emitKey(code, modifiers, alt: alt) }
  }

  private mutating func endTilde(_ parameters: [Int], _ modifiers: Key.Modifiers, alt: Bool) {
    guard let number = parameters.first else { return }
    switch number {
    case 200: beginPaste()
    // modifyOtherKeys: "CSI 27 ; modifiers ; code point ~".
    case 27 where parameters.count == 3: emitCodePoint(parameters[2], modifiers, alt: alt)
    default: if let code = Self.numberKeys[number] { emitKey(code, modifiers, alt: alt) }
    }
  }

  /// Emits a key by its code point, as in modifyOtherKeys and `CSI u`.
  private mutating func emitCodePoint(_ number: Int, _ modifiers: Key.Modifiers, alt: Bool) {
    switch number {
    case 8, 127: return emitKey(.backspace, modifiers, alt: alt)
    case 9: return emitKey(.tab, modifiers, alt: alt)
    case 13, 57414: return emitKey(.enter, modifiers, alt: alt)
    case 27: return emitKey(.escape, modifiers, alt: alt)
    // Keys without a character, in the private use area: media keys, and modifiers by themselves.
    case ..<0x20, 0x80..<0xA0, 57344...63743: return
    // With Control these are other keys in terminals that cannot distinguish them, and so they are here.
    case 0x5B where modifiers.contains(.control): return emitKey(.escape, modifiers.subtracting(.control), alt: alt)
    case 0x68 where modifiers.contains(.control): return emitKey(.backspace, modifiers.subtracting(.control), alt: alt)
    case 0x69 where modifiers.contains(.control): return emitKey(.tab, modifiers.subtracting(.control), alt: alt)
    case 0x6D where modifiers.contains(.control): return emitKey(.enter, modifiers.subtracting(.control), alt: alt)
    default: break
    }
    guard let scalar = UInt32(exactly: number).flatMap(Unicode.Scalar.init) else { return }
    // The character includes Shift. With Control, a letter is lowercase as in every terminal.
    let properties = scalar.properties
    let typed =
      modifiers.contains(.control)
      ? properties.lowercaseMapping : modifiers.contains(.shift) ? properties.uppercaseMapping : String(scalar)
    emitKey(
      .character(typed.count == 1 ? Character(typed) : Character(scalar)), modifiers.subtracting(.shift), alt: alt)
  }

  // MARK: Mouse

  /// Ends an SGR mouse report (1006): button, column, line, from 1.
  private mutating func endMouse(_ parameters: [Int], isRelease: Bool) {
    guard parameters.count == 3, parameters[1] > 0, parameters[2] > 0 else { return }
    emitMouse(parameters[0], line: parameters[2] - 1, column: parameters[1] - 1, isRelease: isRelease)
  }

  /// Ends an X10 mouse report, or one of mode 1000 without 1006: three bytes, each plus 32. Releases do not name the
  /// button.
  mutating func endOldMouse() {
    state = .ground
    guard sequence.allSatisfy({ $0 > 0x20 }) || sequence[0] == 0x20 && sequence.dropFirst().allSatisfy({ $0 > 0x20 })
    else { return }
    let button = Int(sequence[0]) - 32
    emitMouse(button, line: Int(sequence[2]) - 33, column: Int(sequence[1]) - 33, isRelease: button & 0x43 == 3)
  }

  /// Emits a mouse event. Only the left button and the wheel (64 and 65) have a meaning.
  private mutating func emitMouse(_ button: Int, line: Int, column: Int, isRelease: Bool) {
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

  /// Returns the numbers between semicolons, each up to its first colon. Anything empty or not a number is 0. Large
  /// numbers are capped.
  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
    guard !bytes.isEmpty else { return [] }
    return bytes.split(separator: 0x3B, omittingEmptySubsequences: false).map { number(in: $0.prefix { $0 != 0x3A }) }
  }

  private static func number(in digits: ArraySlice<UInt8>) -> Int {
    digits.reduce(0) { 0x30...0x39 ~= $1 ? min($0 * 10 + Int($1 - 0x30), 1 << 24) : $0 }
  }

  /// Returns the number after the first colon of a parameter; 0 if there is none.
  private static func subparameter(_ bytes: [UInt8], ofParameter index: Int) -> Int {
    let parameters = bytes.split(separator: 0x3B, omittingEmptySubsequences: false)
    guard index < parameters.count, let colon = parameters[index].firstIndex(of: 0x3A) else { return 0 }
    return number(in: parameters[index][(colon + 1)...].prefix { $0 != 0x3A })
  }
}
