extension ScriptedProgram {
  /// Lines that are not of the protocol.
  private static let hostileLines: [[UInt8]] =
    [
      "{", "[]", "null", "\"say\"", #"{"say":"launch"}"#, #"{"say":"batch","batch":""}"#, #"{"id":"x"}"#,
      #"{"say":"status","login":"near"}"#, #"{"say":"hello"}"#, "\u{1B}]0;title\u{7}", "\u{202E}\u{0}",
      #"{"say":"batch","login":{}}"#, String(repeating: "[", count: 3_000),
    ].map { Array($0.utf8) } + [[0xFF, 0xFE, 0x00], Array(#"{"say":"\#u{D7FF}"#.utf8) + [0xED, 0xA0, 0x80]]

  /// Misbehaves, or not, before the next piece of work.
  func misbehave() {
    let isWaiting = unstored.contains(where: \.isDue)
    switch source.isHealed ? .max : Int.random(in: 0..<(isWaiting ? 40 : 120), using: &source.random) {
    case 0...2: die()
    case 3, 4:
      world.count(.sourceStall)
      stall(.milliseconds(.random(in: 200...3_000, using: &source.random)))
    case 5...9:
      world.count(.hostileLine)
      write(Self.hostileLines.randomElement(using: &source.random)!)
    case 10: writeMany()
    case 11...15: overspend()
    case 16...20: sendOutOfOrder()
    case 21...24: sendBroken()
    case 25...34: if let subject = readers.keys.sorted().randomElement(using: &source.random) { say(subject) }
    default: break
    }
  }

  /// Writes a line above the limit, or more hostile lines than the daemon accepts.
  private func writeMany() {
    guard Int.random(in: 0..<4, using: &source.random) == 0 else { return }
    world.count(.hostileLine)
    if Bool.random(using: &source.random) {
      write([UInt8](repeating: 0x20, count: 1_200_000))
    } else {
      for _ in 0..<120 { write("{") }
    }
  }

  /// Sends more batches than the daemon has given credit for.
  private func overspend() {
    guard let subject = readers.keys.sorted().randomElement(using: &source.random) else { return }
    for _ in 0..<12 {
      guard !unstored.contains(where: \.isDue), let reader = readers[subject], !reader.isGone,
        reader.position < source.logs[subject]!.events.count
      else { return }
      send(batch(of: subject, from: reader.position))
      if unstored.count > 8 { world.count(.overspentCredit) }
    }
  }

  /// Sends a batch again before others that were sent first.
  private func sendOutOfOrder() {
    let due = unstored.indices.filter { unstored[$0].isDue }
    guard due.count > 1, let index = due.dropFirst().randomElement(using: &source.random) else { return }
    world.count(.wrongOrder)
    sendAgain(at: index)
  }

  private func sendBroken() {
    guard !unstored.contains(where: \.isDue),
      let subject = readers.keys.sorted().randomElement(using: &source.random)
    else { return }
    world.count(.brokenBatch)
    send(brokenBatch(of: subject))
  }

  /// Says how everything fares.
  func sayEverything() {
    for subject in readers.keys.sorted() { say(subject) }
  }

  /// Says how a login or feed fares.
  func say(_ subject: String) {
    let state = source.isHealed ? "live" : ["polling", "failing", "waiting"].randomElement(using: &source.random)!
    let kind = source.isFeed ? "feed" : "login"
    let reason = #"\u001b[31mred \u202e \#(source.serial)"#
    write(#"{"say":"status","\#(kind)":"\#(subject)","state":"\#(state)","reason":"\#(reason)","since":17}"#)
  }
}
