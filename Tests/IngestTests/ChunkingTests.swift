import Ingest
import Posts
import TestSupport
import Testing

@Suite("Files in pieces of any size")
struct ChunkingTests {
  static let files = Fixture.all()

  /// Compares a file read whole and in pieces; files of an archive are read with a given owner.
  private func verify(_ name: String, _ bytes: [UInt8], seed: UInt64) {
    let options = ImportOptions(author: .init(nativeID: "1", handle: "me", displayName: "Me"), itemLimit: 64 << 10)
    let whole = importing([(name, bytes)], options)
    if bytes.count <= 30_000 {
      #expect(importing([(name, bytes)], options, cuts: Array(bytes.indices)) == whole, "byte by byte")
    }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      let cuts = (0..<Int.random(in: 1...40, using: &random)).map { _ in Int.random(in: 0...bytes.count, using: &random)
      }.sorted()
      #expect(importing([(name, bytes)], options, cuts: cuts) == whole, "cut at \(cuts)")
    }
  }

  @Test("a file gives the same posts whole, byte by byte and cut at random", arguments: files)
  func cuts(path: String) {
    verify(String(path.split(separator: "/").last!), Fixture.bytes(path), seed: UInt64(path.utf8.count))
  }

  @Test("a damaged file skips the same items in any pieces", arguments: seeds(0..<40))
  func damaged(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let path = Self.files[Int.random(in: 0..<Self.files.count, using: &random)]
    var bytes = Fixture.bytes(path)
    for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: at)
      case 2: bytes.insert(Array("{}[]\",:\\".utf8).randomElement(using: &random)!, at: at)
      default: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...200, using: &random)))
      }
    }
    verify(String(path.split(separator: "/").last!), bytes, seed: UInt64(seed))
  }

  /// Files in which a cut could make part of an element look like its end, each read with an item limit of 1000.
  static let traps: [(String, String)] = [
    ("a missing quote puts a list into a string", #"{"a":{"b"x":1,"items":[]}},\#(DamageTests.tweet(1))"#),
    (
      "a text over the limit",
      "[\(DamageTests.tweet(1)),\"\(String(repeating: "x", count: 1500))\",\(DamageTests.tweet(2))]"
    ),
    (
      "a number over the limit",
      "[\(DamageTests.tweet(1)),\(String(repeating: "1", count: 1500)),\(DamageTests.tweet(2))]"
    ),
  ]

  @Test("a damaged or too long element gives the same posts in any pieces", arguments: traps.map(\.0))
  func trap(name: String) {
    // The first 1,024 bytes of a file are judged together; with blanks before it, the text meets the cuts.
    let text = String(repeating: " ", count: 1020) + Self.traps.first { $0.0 == name }!.1
    let options = ImportOptions(itemLimit: 1000)
    let whole = importing(text, options)
    let bytes = Array(text.utf8)
    // A cut among equal bytes is like the one before.
    for cut in 1024..<bytes.count where triesAllSeeds || bytes[cut] != bytes[cut - 1] {
      #expect(importing([("file.json", bytes)], options, cuts: [cut]) == whole, "cut at \(cut)")
    }
    #expect(importing([("file.json", bytes)], options, cuts: Array(bytes.indices)) == whole, "byte by byte")
  }
}
