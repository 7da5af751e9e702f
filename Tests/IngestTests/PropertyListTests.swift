import Ingest
import Posts
import TestSupport
import Testing

@Suite("Property lists")
struct PropertyListTests {
  static func xml(_ body: String) -> String { "<?xml version=\"1.0\"?><plist version=\"1.0\">\(body)</plist>" }

  @Test("a tweet as in the API, with its user, is read; missing fields are tolerated")
  func nested() {
    let tweet = """
      <dict><key>text</key><string>caf&#xE9; &amp;amp; more</string><key>created_at</key><string>Wed Oct 10 20:19:24 +0000 2018</string>
      <key>user</key><dict><key>screen_name</key><string>ann</string><key>name</key><string>Ann</string>
      <key>profile_image_url_https</key><string>https://example.org/a.png</string><key>id</key><integer>7</integer></dict>
      <key>blob</key><data>AAAA</data><key>score</key><real>1.5</real></dict>
      """
    for list in ["<array>\(tweet)</array>", "<dict><key>tweets</key><array>\(tweet)</array></dict>", tweet] {
      let post = importing(Self.xml(list), name: "a.plist").posts.first
      #expect(post?.body.text.string == "café & more")
      #expect(
        post?.author
          == ImportedAuthor(nativeID: "7", handle: "ann", displayName: "Ann", avatarURL: "https://example.org/a.png"))
      #expect(post?.nativeID.hasPrefix("hash:") == true)
      #expect(post?.body.permalink == .empty)
    }
  }

  /// An element of every kind that can be empty.
  static let emptyElements = """
    <key>a</key><array/><key>b</key><dict/><key>c</key><string/><key>d</key><data/><key>e</key><true/><key>f</key><false/>
    <key>g</key><array></array><key>h</key><dict ></dict><key>i</key><string></string><key>j</key><dict />
    """

  @Test("a thousand tweets with empty elements of every kind are read")
  func emptyXML() {
    let tweets = (0..<1000).map { number in
      """
      <dict><key>id</key><integer>\(number)</integer><key>text</key><string>x</string><key>screen_name</key>
      <string>a</string><key>created_at</key><date>2011-09-01T00:00:00Z</date>\(Self.emptyElements)</dict>
      """
    }
    let imported = importing(Self.xml("<array>\(tweets.joined())</array>"), name: "a.plist")
    #expect(imported.refusals == [] && imported.skippedCount == 0)
    #expect(imported.posts.map(\.nativeID) == (0..<1000).map { "\($0)" })
  }

  @Test("a thousand binary tweets with empty elements of every kind are read")
  func emptyBinary() {
    func string(_ text: String) -> [UInt8] {
      let count = UInt8(text.utf8.count)
      return (count < 15 ? [0x50 | count] : [0x5F, 0x10, count]) + Array(text.utf8)
    }
    let fields: [(String, [UInt8])] = [
      ("text", string("x")), ("screen_name", string("a")), ("created_at", string("2011-09-01T00:00:00Z")),
      ("a", [0xA0]), ("b", [0xD0]), ("c", [0x50]), ("d", [0x40]), ("e", [0x09]), ("f", [0x08]),
    ]
    let count = UInt8(fields.count)
    let references = (0..<2 * count).map { $0 + 2 }
    // The root refers a thousand times to one tweet.
    let root: [UInt8] = [0xAF, 0x11, 0x03, 0xE8] + [UInt8](repeating: 1, count: 1000)
    let objects = [root, [0xD0 | count] + references] + fields.map { string($0.0) } + fields.map(\.1)
    let imported = importing([("a.plist", Self.binary(objects))])
    #expect(imported.refusals == [] && imported.skippedCount == 0)
    #expect(imported.posts.count == 1000)
    #expect(imported.posts.allSatisfy { $0.author.handle == "a" && $0.body.text == "x" })
  }

  @Test(
    "tags inside comments and CDATA do not count, and cannot hide how deep a list is",
    arguments: ["<!--</array>-->", "<string><![CDATA[</array></dict>]]></string>", "<dict/>", "</arrays"])
  func hiddenDepth(piece: String) {
    let deep = String(repeating: "<array>\(piece)", count: 100_000)
    #expect(
      importing(Self.xml(deep), name: "a.plist").refusals
        == ["a.plist: the property list is nested more than 256 levels deep"])
  }

  @Test("an item that is not a tweet is skipped")
  func skipped() {
    let good =
      "<dict><key>text</key><string>x</string><key>screen_name</key><string>a</string><key>created_at</key><date>2011-09-01T00:00:00Z</date></dict>"
    let imported = importing(
      Self.xml("<array>\(good)<integer>3</integer><dict><key>text</key><string>y</string></dict></array>"))
    #expect(imported.posts.count == 1)
    #expect(imported.skipped.map(\.item) == [2, 3])
  }

  @Test(
    "invalid lists are refused with a reason",
    arguments: [
      (Self.xml(String(repeating: "<array>", count: 100_000)), "the property list is nested more than 256 levels deep"),
      ("<plist><string>x</string></plist>", "the property list is neither an array nor a dictionary"),
      ("<plist", "the property list is damaged"),
    ])
  func refused(text: String, reason: String) {
    #expect(importing(text, name: "a.plist").refusals == ["a.plist: \(reason)"])
  }

  @Test("a kilobyte that would expand to billions of values is refused")
  func bomb() {
    // Ten arrays, each of which refers to the next one ten times.
    var objects = (0..<10).map { level in [0xAA] + [UInt8](repeating: UInt8(level + 1), count: 10) }
    objects.append([0x50])
    #expect(
      importing([("bomb.plist", Self.binary(objects))]).refusals == [
        "bomb.plist: the property list expands to more than 1000000 values; convert it to JSON Lines"
      ])
  }

  @Test("a list that contains itself is refused")
  func cycle() {
    #expect(
      importing([("cycle.plist", Self.binary([[0xA1, 0]]))]).refusals == [
        "cycle.plist: the binary property list contains itself or is damaged"
      ])
  }

  @Test("truncated and damaged binary lists never cause a crash")
  func corrupted() {
    let bytes = Fixture.bytes("plist/tweets5.binary.plist")
    for end in 8..<bytes.count { #expect(importing([("a.plist", Array(bytes[..<end]))]).posts.isEmpty) }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 8..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      #expect(importing([("a.plist", damaged)]).posts.count <= 50)
    }
  }

  @Test("the size of a list is limited")
  func limit() {
    let imported = importing(
      [("a.plist", Fixture.bytes("plist/tweets5.xml.plist"))], ImportOptions(propertyListLimit: 2000))
    #expect(imported.refusals == ["a.plist: the property list is larger than 0 MiB; convert it to JSON Lines"])
  }

  /// Returns a binary property list of `objects`, the first its root, with one-byte references and two-byte offsets.
  static func binary(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, 0, table] { bytes += (0..<8).reversed().map { UInt8(number >> ($0 * 8) & 255) } }
    return bytes
  }
}
