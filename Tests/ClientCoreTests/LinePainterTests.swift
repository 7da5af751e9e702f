import ClientCore
import Testing
import ViewState

@Suite("Rows as lines for people")
struct LinePainterTests {
  private func painted(
    _ row: PlacedRow, width: Int = 40, traits: TerminalTraits = .bare, isDetailed: Bool = false, indent: Int = 0
  ) -> String {
    text(LinePainter(width: width, traits: traits, isDetailed: isDetailed).paint(row, indent: indent))
  }

  private static let everything = TestRow.make(lines: ["Look, @bob: \n", "the #sea and \n", "https://x.example"]) {
    fields in
    fields.repostedBy = RowAuthor(id: 2, handle: Array("cy".utf8), displayName: Array("Cy".utf8), avatarURL: [])
    fields.spans = [
      RowSpan(kind: .mention, range: 6..<10, target: Array("bob".utf8)),
      RowSpan(kind: .hashtag, range: 17..<21, target: Array("sea".utf8)),
      RowSpan(kind: .link, range: 27..<44, target: Array("https://x.example/é?a=1;b".utf8)),
    ]
    fields.media = [
      RowMedia(kind: .image, url: Array("https://x.example/1.png".utf8), altText: Array("Waves".utf8)),
      RowMedia(kind: .video, url: Array("v.mp4".utf8), altText: []),
    ]
    fields.replies = 1
    fields.reposts = 2
    fields.favourites = 30
    fields.inReplyToHandle = Array("dee".utf8)
    fields.visibility = 3
    fields.flags = [.edited]
    fields.permalink = Array("https://x.example/17".utf8)
  }

  @Test("every part of a row, in order") func order() {
    #expect(
      painted(Self.everything, width: 120) == """
        reposted by Cy @cy
        Ann @ann · 2h
        Look, @bob:
        the #sea and
        https://x.example
        [image: Waves]
        [video: no description]
        17 · to @dee · 1 reply · 2 reposts · 30 favourites · followers · edited


        """)
  }

  @Test("a feed that is not shared is private") func privateFeed() {
    let row = TestRow.make(lines: ["Ferry"]) { ($0.visibility, $0.author.source) = (3, Array("feed".utf8)) }
    #expect(painted(row).hasSuffix("17 · private\n\n"))
  }

  @Test("a list has its name and its authors, and no author itself") func list() {
    let row = TestRow.make(lines: ["Harbour"]) { ($0.kind, $0.listAuthors) = (.list, 3) }
    #expect(painted(row) == "Harbour\n17 · 3 authors\n\n")
    #expect(painted(TestRow.make(lines: ["Harbour"]) { $0.kind = .list }) == "Harbour\n17 · no authors yet\n\n")
  }

  @Test("a folded row ends its text with the number of lines that are left") func folded() {
    var row = TestRow.make(lines: ["one\n", "two\n"]) { $0.text += Array("three\nfour".utf8) }
    row.layout.foldedLines = 2
    #expect(painted(row) == "Ann @ann · 2h\none\ntwo\n… 2 more lines\n17\n\n")
    row.layout.foldedLines = 0
    #expect(painted(row).contains("three"), "a daemon that folds says so")
  }

  @Test(
    "a namesake's source is shown, however long the name is", arguments: ["Ann", String(repeating: "Ann ", count: 30)])
  func namesake(name: String) {
    let row = TestRow.make(lines: ["I resign"]) { fields in
      fields.author.displayName = Array(name.utf8)
      (fields.author.source, fields.author.isNamesake) = (Array("twitter".utf8), true)
      fields.repostedBy = fields.author
    }
    for width in [40, 60, 100] {
      let lines = painted(row, width: width).split(separator: "\n")
      #expect(lines.prefix(2).allSatisfy { $0.contains(" (from twitter)") }, "\(width)")
      #expect(lines.allSatisfy { $0.count <= width })
    }
    let longSource = TestRow.make(lines: ["x"]) { fields in
      (fields.author.source, fields.author.isNamesake) = (Array(repeating: 0x78, count: 64), true)
    }
    #expect(painted(longSource).hasPrefix("Ann @ann (from xxxxxxxxxxxx… · 2h\n"))
  }

  @Test(
    "a reply is indented as the daemon says, and at least one column is left",
    arguments: [
      (80, 2, 1, 2), (80, 2, 5, 10), (21, 1, 3, 3), (20, 0, 3, 0), (80, 16, 2, 32), (80, 2, 50, 79), (10, .max, 5, 9),
      (1, 2, 1, 0),
    ])
  func tree(width: Int, indent: Int, depth: Int, margin: Int) {
    var row = TestRow.make(lines: ["one \n", "two"])
    row.tree.depth = depth
    let lines = painted(row, width: width, indent: indent).split(separator: "\n", omittingEmptySubsequences: false)
    let flat = painted(TestRow.make(lines: ["one \n", "two"]), width: width - margin).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == flat.count)
    for (line, flat) in zip(lines, flat) {
      #expect(line == (flat.isEmpty ? "" : String(repeating: " ", count: margin) + flat))
    }
  }

  @Test("a direct post names its conversation") func direct() {
    let row = TestRow.make(lines: ["psst"]) { fields in
      fields.visibility = 4
      fields.direct = 9
    }
    #expect(painted(row).contains("\n17 · direct · messages 9\n"))
  }

  @Test("roles are coloured, links are clickable and encoded, and both end within the line") func color() {
    let colors = TerminalTraits(usesColor: true, isolatesDirections: false)
    let lines = painted(Self.everything, width: 120, traits: colors).split(separator: "\n").map(String.init)
    #expect(lines[0] == "\u{1B}[2mreposted by Cy @cy\u{1B}[0m")
    #expect(lines[1] == "\u{1B}[1mAnn\u{1B}[0m \u{1B}[2m@ann\u{1B}[0m\u{1B}[2m · \u{1B}[0m\u{1B}[2m2h\u{1B}[0m")
    #expect(lines[2] == "Look, \u{1B}[36m@bob\u{1B}[0m:")
    #expect(lines[3] == "the \u{1B}[35m#sea\u{1B}[0m and")
    #expect(
      lines[4]
        == "\u{1B}]8;;https://x.example/%C3%A9?a=1;b\u{1B}\\\u{1B}[4;34mhttps://x.example\u{1B}[0m\u{1B}]8;;\u{1B}\\")
  }

  @Test("a span over two lines is marked on both") func spanOverLines() {
    let row = TestRow.make(lines: ["go to https://long", "name.example now"]) { fields in
      fields.spans = [RowSpan(kind: .link, range: 6..<30, target: Array("https://longname.example".utf8))]
    }
    let lines = painted(row, traits: TerminalTraits(usesColor: true, isolatesDirections: false)).split(separator: "\n")
    let open = "\u{1B}]8;;https://longname.example\u{1B}\\\u{1B}[4;34m"
    let close = "\u{1B}[0m\u{1B}]8;;\u{1B}\\"
    #expect(lines[1] == "go to \(open)https://long\(close)")
    #expect(lines[2] == "\(open)name.example\(close) now")
  }

  @Test(
    "only schemes that open something to read or write are clickable",
    arguments: [
      "javascript:alert(1)", "file:///etc/passwd", "x://y", "ftp://x", "media/1.png", "", "http", "data:text/html,x",
    ])
  func schemes(url: String) {
    let row = TestRow.make(lines: ["link"]) { fields in
      fields.spans = [RowSpan(kind: .link, range: 0..<4, target: Array(url.utf8))]
    }
    let output = painted(row, traits: TerminalTraits(usesColor: true, isolatesDirections: false))
    #expect(!output.contains("\u{1B}]"))
  }

  @Test("a content warning hides the text in a list, but not of a single post") func warning() {
    let row = TestRow.make(lines: ["the end"]) { $0.contentWarning = Array("spoiler".utf8) }
    #expect(painted(row) == "Ann @ann · 2h\n[warning: spoiler] (show 17)\n17\n\n")
    #expect(
      painted(row, isDetailed: true) == "Ann @ann · 2h\n[warning: spoiler]\nthe end\n17\n1970-01-01T00:00:17Z\n\n")
  }

  @Test("a post without text has no line for it; a row of another kind says so") func withoutText() {
    #expect(painted(TestRow.make(lines: [""])) == "Ann @ann · 2h\n17\n\n")
    #expect(
      painted(TestRow.make(lines: [""]) { $0.kind = RowContent.Kind(rawValue: 99) })
        == "Ann @ann · 2h\n[unsupported]\n17\n\n")
    #expect(
      painted(TestRow.make(lines: ["day"]) { $0.kind = RowContent.Kind(rawValue: 99) }) == "Ann @ann · 2h\nday\n17\n\n")
  }

  @Test(
    "a long name is cut between clusters, then the handle; the time stays",
    arguments: [
      (80, "Annabella von Musterfrau-Beispiel @annabella_the_first · about 2 hours ago"),
      (60, "Annabella von Must… @annabella_the_first · about 2 hours ago"),
      (40, "Annabella… @annabel… · about 2 hours ago"), (33, "Annabella… · about 2 hours ago"),
      (20, "about 2 hours ago"), (5, "abou…"), (1, "…"),
    ])
  func header(width: Int, line: String) {
    let row = TestRow.make(lines: ["x"], label: "about 2 hours ago") { fields in
      fields.author.displayName = Array("Annabella von Musterfrau-Beispiel".utf8)
      fields.author.handle = Array("annabella_the_first".utf8)
    }
    let first = painted(row, width: width).split(separator: "\n")[0]
    #expect(first == line)
    #expect(first.count <= width)
  }

  @Test("an author without a name is shown by the handle, once") func nameless() {
    let row = TestRow.make(lines: ["x"]) { $0.author.displayName = $0.author.handle }
    #expect(painted(row).hasPrefix("@ann · 2h\n"))
  }

  @Test(
    "other scripts: lines are cut as the daemon cut them, names by an upper bound of their width",
    arguments: [
      (["今日は天気が", "いい"], "遥", "遥 @ann · 2h\n今日は天気が\nいい\n"),
      (["👩‍👩‍👧 fam ", "🇩🇪"], "遥遥遥遥遥遥遥遥遥遥", "遥遥遥遥… @ann · 2h\n👩‍👩‍👧 fam\n🇩🇪\n"),
      (["مرحبا بالعالم"], "ليلى", "ليلى @ann · 2h\nمرحبا بالعالم\n"),
      (["e\u{301}e"], "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧… @ann · 2h\ne\u{301}e\n"),
    ])
  func scripts(lines: [String], name: String, start: String) {
    let row = TestRow.make(lines: lines) { $0.author.displayName = Array(name.utf8) }
    #expect(painted(row, width: 20).hasPrefix(start))
  }

  @Test("on a terminal only right-to-left fields are isolated") func isolation() {
    let row = TestRow.make(lines: ["abc ", "שלום 123"]) { $0.author.displayName = Array("ليلى".utf8) }
    let output = painted(row, traits: TerminalTraits(usesColor: false, isolatesDirections: true))
    #expect(output == "\u{2068}ليلى\u{2069} @ann · 2h\nabc\n\u{2068}שלום 123\u{2069}\n17\n\n")
    #expect(!painted(row).contains("\u{2068}"))
  }

  @Test("impossible line ends lose no text") func badLineEnds() {
    let good = TestRow.make(lines: ["one ", "two"])
    for ends in [[], [3, 2, 7], [99], [0, 0], [7, 7, 7]] as [[UInt32]] {
      let row = PlacedRow(content: good.content, layout: RowLayout(height: 1, lineEnds: ends), caps: [], label: "2h")
      let body = painted(row).split(separator: "\n").dropFirst().dropLast().joined()
      #expect(body.filter { $0 != " " } == "onetwo", "\(ends)")
    }
  }
}
