import ClientCore
import Messages
import Testing
import ViewState

@Suite("The command line")
struct VerbTests {
  @Test(
    "exit codes by gRPC status",
    arguments: [
      (0, 0), (1, 1), (2, 1), (3, 1), (4, 6), (5, 3), (6, 1), (7, 4), (8, 1), (9, 1), (10, 1), (11, 1), (12, 8),
      (13, 1),
      (14, 5), (15, 1), (16, 4), (99, 1),
    ] as [(UInt32, Int32)])
  func exitCodes(status: UInt32, code: Int32) { #expect(ExitCode(status: status).rawValue == code) }

  @Test("the numbers of exit codes never change") func exitNumbers() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 141])
    #expect(Set(ExitCode.allCases.map(\.name)).count == ExitCode.allCases.count)
  }

  @Test("a failure is one line, or one JSON object") func failures() throws {
    let failure = ClientFailure(.notFound, "there is no post 7\nat all", hint: "look again")
    #expect(text(failure.report(asJSON: false)) == "stack-client: there is no post 7 at all; look again\n")
    let value = try #require(JSONValue(failure.report(asJSON: true)))
    #expect(
      value["error"]
        == .object([
          ("code", .string("not_found")), ("message", .string("there is no post 7\nat all")),
          ("hint", .string("look again")),
        ]))
  }

  @Test(
    "the verb moves to the front",
    arguments: [
      ([], ["timeline"]), (["show", "1"], ["show", "1"]), (["--json", "show", "1"], ["show", "--json", "1"]),
      (["--width", "60", "-q", "show", "1"], ["show", "--width", "60", "-q", "1"]),
      (["--width=60", "show", "1"], ["show", "--width=60", "1"]), (["-n", "5"], ["timeline", "-n", "5"]),
      (["--since", "2h"], ["timeline", "--since", "2h"]), (["--json"], ["timeline", "--json"]),
      (["--help"], ["--help"]), (["--experimental-dump-help"], ["--experimental-dump-help"]),
      (["--generate-completion-script", "bash"], ["--generate-completion-script", "bash"]),
      (["-q", "--generate-completion-script=zsh"], ["--generate-completion-script=zsh"]),
      (["--generate-completion-script"], ["--generate-completion-script"]),
      (["-q", "--version"], ["--version"]), (["show", "--help"], ["show", "--help"]),
      (["thread", "1"], ["thread", "1"]),
      (["--socket", "show", "show", "1"], ["show", "--socket", "show", "1"]),
      (["-q", "daemon", "stop", "--json"], ["daemon", "stop", "-q", "--json"]), (["-q", "daemon"], ["daemon", "-q"]),
      (
        ["--session", "s", "daemon", "--session", "stop", "stop", "x"],
        ["daemon", "stop", "--session", "s", "--session", "stop", "x"]
      ),
      (["daemon", "x", "stop"], ["daemon", "x", "stop"]),
      (["--locale", "de", "show", "1"], ["show", "--locale", "de", "1"]),
      (["--socket", "s", "help", "show"], ["help", "show"]),
    ])
  func order(words: [String], arranged: [String]) throws {
    #expect(
      try CommandLineOrder(
        verbs: ["timeline", "show", "thread", "daemon", "help"], groups: ["daemon": ["start", "stop"]]
      ).arrange(words) == arranged)
  }

  @Test(
    "options for rows select the timeline on a terminal",
    arguments: [
      (["-n", "5"], "timeline"), (["-n5"], "timeline"), (["-n=5"], "timeline"), (["--lines=5"], "timeline"),
      (["--lines", "5"], "timeline"),
      (["--no-color"], "attach"), (["-q"], "attach"), ([], "attach"),
    ]) func rows(words: [String], verb: String) throws
  {
    #expect(
      try CommandLineOrder(verbs: ["timeline", "attach"], groups: [:]).arrange(words, onTerminal: true) == [verb]
        + words)
  }

  @Test(
    "an unknown verb is named, with a likely one",
    arguments: [("shwo", "did you mean 'show'?"), ("frobnicate", "see `stack-client --help`")])
  func unknownVerb(word: String, hint: String) {
    #expect(throws: ClientFailure(.usage, "unknown verb '\(word)'", hint: hint)) {
      try CommandLineOrder(verbs: ["timeline", "show", "thread", "daemon"], groups: ["daemon": ["start", "stop"]])
        .arrange([word])
    }
  }

  @Test(
    "--since accepts posts and times",
    arguments: [
      ("12", .post("12")), ("twitter:20", .post("twitter:20")), ("90s", .instant(1_000_000_000 - 90_000)),
      ("2h", .instant(1_000_000_000 - 7_200_000)), ("3d", .instant(1_000_000_000 - 259_200_000)),
      ("3d ago", .instant(1_000_000_000 - 259_200_000)), ("ago", nil), ("2015 ago", nil),
      ("0m", .instant(1_000_000_000)),
      ("2024-03-03", .instant(1_709_420_400_000)), ("2024-03-03T12:34", .instant(1_709_465_640_000)),
      ("2024-03-03 12:34:56", .instant(1_709_465_696_000)), ("2024-03-03T12:34:56Z", .instant(1_709_469_296_000)),
      ("2024-03-03T12:34+02:00", .instant(1_709_462_040_000)), ("2024-03-03T12:34-0530", .instant(1_709_489_040_000)),
      ("2024-02-29", .instant(1_709_161_200_000)), ("1969-12-31T23:59:59Z", .instant(-1000)),
      ("2023-02-29", nil), ("2024-13-01", nil), ("2024-03-03T25:00", nil), ("2024-03-03T12:34X", nil), ("", nil),
      ("-5", nil),
      ("2015", .post("2015")), ("2015-11", .instant(1_446_332_400_000)), ("yesterday", .instant(860_400_000)),
      (":", nil), ("a:", nil), ("-2h", nil), ("0", nil), ("99999999999999999999", nil),
    ] as [(String, SinceBound?)])
  func since(text: String, bound: SinceBound?) {
    // Local time is an hour ahead.
    #expect(SinceBound(text, now: 1_000_000_000, localOffset: { _ in 3600 }) == bound)
  }

  @Test(
    "dates as people write them, on Thursday 2015-11-05 at noon, an hour ahead of UTC",
    arguments: [
      ("2015", "2015-01-01", "2016-01-01"), ("2015-11", "2015-11-01", "2015-12-01"),
      ("2015-12", "2015-12-01", "2016-01-01"),
      ("2015-02-28", "2015-02-28", "2015-03-01"), ("today", "2015-11-05", "2015-11-06"),
      ("Yesterday", "2015-11-04", "2015-11-05"), ("thursday", "2015-11-05", "2015-11-06"),
      ("fri", "2015-10-30", "2015-10-31"), ("1 nov", "2015-11-01", "2015-11-02"), ("Nov 1", "2015-11-01", "2015-11-02"),
      ("nov 1, 2012", "2012-11-01", "2012-11-02"), ("1 november 2012", "2012-11-01", "2012-11-02"),
      ("6 nov", "2014-11-06", "2014-11-07"), ("29 feb", "2012-02-29", "2012-03-01"),
      ("december", "2014-12-01", "2015-01-01"), ("nov", "2015-11-01", "2015-12-01"),
      ("may 2013", "2013-05-01", "2013-06-01"),
      ("sept 2013", "2013-09-01", "2013-10-01"),
    ]) func dates(text: String, first: String, next: String) throws
  {
    let offset: (Int64) -> Int64 = { _ in 3600 }
    // 2015-11-05T11:00:00Z
    let now: Int64 = 1_446_721_200_000
    let span = try #require(DateSpan(text, now: now, localOffset: offset))
    #expect(span.start == DateSpan(first + "T00:00", now: now, localOffset: offset)?.start)
    #expect(span.end == DateSpan(next + "T00:00", now: now, localOffset: offset)?.start)
  }

  @Test(
    "other words are no dates",
    arguments: [
      "", "nov 31", "31 nov 2015", "ma", "2015-13", "2015-1", "12015", "1 2 nov", "nov nov", "1 nov 15", "thurs day",
      "2015-11-", "yesterday 5",
    ])
  func noDates(text: String) { #expect(DateSpan(text, now: 1_446_721_200_000, localOffset: { _ in 0 }) == nil) }

  @Test("a time ago and now are instants") func instants() {
    let now: Int64 = 1_446_721_200_000
    for (text, instant) in [("now", now), ("2h", now - 7_200_000), ("1w", now - 604_800_000)] {
      let span = DateSpan(text, now: now, localOffset: { _ in 0 })
      #expect(span?.start == instant && span?.end == instant)
    }
  }

  @Test(
    "the time zone, from TZ and /etc/localtime",
    arguments: [
      ("Europe/Berlin", nil, "Europe/Berlin"), (":Asia/Tokyo", nil, "Asia/Tokyo"), ("CET-1CEST,M3.5.0", nil, ""),
      ("/usr/share/zoneinfo/America/Argentina/Ushuaia", nil, "America/Argentina/Ushuaia"),
      ("", "/x/zoneinfo/Asia/Tokyo", ""),
      (nil, "/usr/share/zoneinfo/Europe/Paris", "Europe/Paris"),
      (nil, "../usr/share/zoneinfo/posix/Asia/Kolkata", "Asia/Kolkata"),
      (nil, "/usr/share/zoneinfo/Etc/GMT+5", "Etc/GMT+5"), (nil, "/etc/something", ""), (nil, nil, ""),
      ("UTC", nil, ""),
      ("../../etc/passwd", nil, ""),
    ] as [(String?, String?, String)])
  func zones(variable: String?, target: String?, name: String) {
    #expect(TimeZoneName.find(variable: variable, localTimeTarget: target) == name)
  }

  @Test(
    "the language of labels, from the option and the environment",
    arguments: [
      ("de", ["fr_FR.UTF-8", nil, nil], "de"), (nil, ["fr_FR.UTF-8", "ru_RU.UTF-8", nil], "fr_FR.UTF-8"),
      (nil, ["", nil, "pt_BR.UTF-8"], "pt_BR.UTF-8"), (nil, [nil, nil, "C.UTF-8"], ""),
      (nil, ["POSIX", nil, "de_DE"], ""),
      (nil, [], ""), ("", ["de_DE"], ""),
    ] as [(String?, [String?], String)])
  func languages(option: String?, variables: [String?], tag: String) {
    #expect(LabelLanguage.find(option: option, variables: variables) == tag)
  }

  @Test(
    "a language without labels is detected",
    arguments: [
      ("xx", "en", true), ("tlh-Latn", "en", true), ("de", "de", false), ("en-GB", "en", false), ("EN", "en", false),
      ("", "en", false),
    ])
  func missing(wanted: String, actual: String, isMissing: Bool) {
    #expect(LabelLanguage.isMissing(wanted, actual: actual) == isMissing)
  }

  @Test(
    "colour: the option, then NO_COLOR, then the terminal",
    arguments: [
      (.auto, true, "xterm", nil, true), (.auto, true, "xterm", "1", false), (.auto, true, "xterm", "", true),
      (.auto, true, "dumb", nil, false), (.auto, true, nil, nil, false), (.auto, false, "xterm", nil, false),
      (.always, false, "dumb", "1", true), (.never, true, "xterm", nil, false),
    ] as [(ColorChoice, Bool, String?, String?, Bool)])
  func colors(choice: ColorChoice, isTerminal: Bool, term: String?, noColor: String?, uses: Bool) {
    #expect(choice.usesColor(isTerminal: isTerminal, term: term, noColor: noColor) == uses)
  }

  @Test(
    "the format of an import is optional",
    arguments: [
      (["tweets.js"], "auto", ["tweets.js"]), (["plist", "a", "b"], "plist", ["a", "b"]),
      (["./plist"], "auto", ["./plist"]), (["plist", "twitter-archive"], "plist", ["twitter-archive"]),
      (["twitter-archive"], "auto", ["twitter-archive"]), ([], "auto", []), (["jsonl", "jsonl"], "jsonl", ["jsonl"]),
    ])
  func importWords(words: [String], format: String, files: [String]) {
    let split = ImportSelection.split(words)
    #expect(split.format == format)
    #expect(split.files == files)
  }

  @Test(
    "the files of an archive: the author, then the posts in the order of their parts",
    arguments: [
      (
        ["tweets-part10.js", "tweets-part2.js", "tweets.js", "like.js", "account.js"],
        ["account.js", "tweets.js", "tweets-part2.js", "tweets-part10.js"]
      ),
      (["data", "data/tweets.js", "data/account.js", "Your archive.html"], ["data/account.js", "data/tweets.js"]),
      (["tweet.js"], ["tweet.js"]), (["likes.json", "outbox.json", "actor.json"], ["actor.json", "outbox.json"]),
      (["outbox.json"], ["outbox.json"]), (["notes.txt", "tweets-partx.js", "tweets-part.js"], []), ([], []),
    ])
  func archives(names: [String], chosen: [String]) { #expect(ImportSelection.archiveFiles(among: names) == chosen) }

  @Test(
    "instants in ISO 8601",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999Z"), (1_709_469_296_789, "2024-03-03T12:34:56.789Z"),
      (951_782_400_000, "2000-02-29T00:00:00Z"), (253_402_300_800_000, "+010000-01-01T00:00:00Z"),
      (-62_198_755_200_000, "-000001-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func instants(milliseconds: Int64, text: String) { #expect(ISOInstant.text(milliseconds: milliseconds) == text) }
}

@Suite("The progress and the report of an import")
struct ImportProgressTests {
  private var response: ImportResponse {
    var response = ImportResponse()
    response.read = 12_345
    response.new = 12_000
    response.changed = 5
    response.same = 328
    response.skipped = 12
    response.bytes = 25
    response.format = "jsonl"
    return response
  }

  @Test(
    "progress has a bar, a rate and the time left, if there is room and they are known",
    arguments: [
      (100, 80, " 25% [#######.......................] 12,345 read, 1,234/s, 30 s left"),
      (100, 44, " 25% 12,345 read, 1,234/s, 30 s left"), (0, 80, "12,345 read, 1,234/s"),
      (25, 60, "100% [##############################] 12,345 read, 1,234/s"),
    ])
  func line(total: UInt64, width: Int, line: String) {
    let text = ImportProgress(totalBytes: total).line(response, elapsedMilliseconds: 10_000, width: width)
    #expect(text == line)
    #expect(text.count < width)
  }

  @Test("the report counts everything and gives ten reasons") func report() {
    let skips = (1...12).map { ImportResponse.Skip(file: "f.json", position: $0, reason: "no text") }
    let lines = ImportProgress.report(response, skips: skips, isDryRun: false, isWhole: true)
    #expect(lines[0] == "12,345 read, 12,000 new, 5 changed, 328 same, 12 skipped (jsonl)")
    #expect(lines[1] == "  skipped f.json #1: no text")
    #expect(lines.count == 12)
    #expect(lines[11] == "  and 2 more")
    let cut = ImportProgress.report(response, skips: [], isDryRun: true, isWhole: false)
    #expect(
      cut == [
        "interrupted: 12,345 read, 12 skipped (jsonl); dry run: nothing was stored or compared with existing posts",
        "  and 12 more",
      ])
  }

  @Test("a skipped file has no item number, and an undetected format is not named") func reportOfFiles() {
    var response = response
    response.format = "auto"
    let skips = [ImportResponse.Skip(file: "/dev/null", position: 0, reason: "the file is empty")]
    let lines = ImportProgress.report(response, skips: skips, isDryRun: false, isWhole: true)
    #expect(lines[0].hasSuffix("12 skipped") && lines[1] == "  skipped /dev/null: the file is empty")
    #expect(ImportProgress.strict(response) == "12 items or files were skipped")
    response.skipped = 1
    #expect(ImportProgress.strict(response) == "1 item or file was skipped")
  }

  @Test("posts stored before the daemon was lost are reported, as far as known") func storedBeforeLoss() {
    #expect(ImportProgress.storedBeforeLoss(response) == "it had stored 12,005 posts or more")
    #expect(ImportProgress.storedBeforeLoss(ImportResponse()) == "it had not reported any stored posts")
  }

  @Test("the report as JSON") func json() throws {
    let skips = [ImportResponse.Skip(file: "f", position: 3, reason: "no id")]
    let value = try #require(JSONValue(ImportProgress.json(response, skips: skips, isDryRun: true, isWhole: true)))
    #expect(
      value.keys == [
        "read", "new", "changed", "same", "skipped", "bytes", "format", "import_id", "dry_run", "whole", "skips",
      ])
    #expect(value["new"] == .number(12_000))
    #expect(
      value["skips"]
        == .array([.object([("file", .string("f")), ("position", .number(3)), ("reason", .string("no id"))])]))
  }
}

@Suite("Failures from the daemon")
struct DaemonFailureTests {
  @Test(
    "a missing thing hints at the verb that lists what exists",
    arguments: [
      (
        "there is no token 7; ListTokens names those that there are", "there is no token 7",
        "`stack-client token list` shows yours"
      ),
      ("there is no token 7", "there is no token 7", "`stack-client token list` shows yours"),
      ("there is no list a; b; name one of yours", "there is no list a; b", "`stack-client lists` shows yours"),
      ("there is no post 7; name one by its number", "there is no post 7", "name one by its number"),
      ("there is no listener; look", "there is no listener", "look"), ("", "", ""), ("a; b; c", "a; b", "c"),
      ("full (5 were stored; again continues)", "full (5 were stored; again continues)", ""),
    ])
  func notFound(said: String, message: String, hint: String) {
    #expect(ClientFailure.notFound(said) == ClientFailure(.notFound, message, hint: hint))
  }
}

@Suite("Status and versions")
struct StatusReportTests {
  private var status: DaemonStatus {
    var status = DaemonStatus()
    status.daemonVersion = "0.1.0"
    status.processID = 42
    status.startedAtMilliseconds = 1_000_000
    status.account = "ann"
    status.postCount = 1_234_567
    status.viewCount = 2
    status.connectionCount = 3
    status.storePath = "/s.db"
    status.epoch = .max
    status.revision = 9
    status.follows = .ask
    return status
  }

  private func said(_ format: RowFormat, of status: DaemonStatus? = nil) -> String {
    text(
      RecordWriter(format, traits: .bare).bytes(of: (status ?? self.status).record(socket: "/d.sock", now: 4_661_000)))
  }

  @Test("facts for administrators are omitted for others") func others() throws {
    var status = status
    (status.processID, status.storePath, status.viewCount, status.connectionCount) = (0, "", 0, 0)
    let lines = said(.lines, of: status)
    #expect(
      lines.hasPrefix("daemon       0.1.0\n") && !lines.contains("process") && !lines.contains("views")
        && !lines.contains("store"))
    let value = try #require(JSONValue(Array(said(.json, of: status).utf8)))
    for key in ["process_id", "views", "connections", "store"] { #expect(value[key] == .null, "\(key)") }
  }

  @Test("a table for people") func lines() {
    #expect(
      said(.lines) == """
        daemon       0.1.0, process 42
        socket       /d.sock
        uptime       1 h 1 min
        account      ann
        posts        1,234,567 (still loading)
        views        2
        connections  3
        store        /s.db
        follows      ask: accounts approve who can follow them and read their posts for followers
        revision     9

        """)
  }

  @Test("an object for programs") func json() throws {
    let value = try #require(JSONValue(Array(said(.json).utf8)))
    #expect(
      value.keys == [
        "daemon_version", "process_id", "socket", "started_at", "uptime_seconds", "account", "posts", "loaded", "views",
        "connections", "store", "epoch", "revision", "follows",
      ])
    #expect(value["epoch"] == .string("18446744073709551615"))
    #expect(value["uptime_seconds"] == .number(3661))
    #expect(
      said(.plain)
        == "0.1.0\t42\t/d.sock\t1970-01-01T00:16:40Z\t3661\tann\t1234567\t0\t2\t3\t/s.db\t18446744073709551615\t9\task\n"
    )
  }

  @Test("versions") func versions() {
    func said(_ format: RowFormat, _ daemon: DaemonStatus?) -> String {
      text(RecordWriter(format, traits: .bare).bytes(of: .versions(of: daemon)))
    }
    let own = Release.version
    #expect(
      said(.lines, nil) == "stack-client \(own)\n"
        && said(.lines, status) == "stack-client \(own)\nstack-daemon 0.1.0\n")
    #expect(said(.json, status) == "{\"client\":\"\(own)\",\"daemon\":\"0.1.0\"}\n")
    #expect(said(.json, nil) == "{\"client\":\"\(own)\",\"daemon\":null}\n")
    #expect(said(.plain, status) == "\(own)\t0.1.0\n" && said(.plain, nil) == "\(own)\t\n")
  }
}

@Suite("Events of a watched timeline")
struct EventWriterTests {
  private static func position(_ id: UInt64) -> RowPosition { RowPosition(rowID: id, createdAtMilliseconds: 0) }

  private func written(_ event: TimelineEvent, _ format: RowFormat) -> String {
    text(EventWriter(format, painter: LinePainter(width: 80, traits: .bare)).bytes(of: event))
  }

  @Test("one object per line") func jsonl() throws {
    let row = TestRow.at(1, id: 5)
    for (event, name) in [
      (TimelineEvent.inserted(row), "inserted"), (.changed(row), "changed"), (.restored(row), "restored"),
    ] {
      let value = try #require(JSONValue(written(event, .jsonl).utf8))
      #expect(value["event"] == .string(name))
      #expect(value["row"]?["id"] == .string("5"))
    }
    #expect(written(.removed(7), .jsonl) == "{\"event\":\"removed\",\"id\":\"7\"}\n")
    #expect(
      written(.gap(newer: Self.position(9), older: nil), .json)
        == "{\"event\":\"gap\",\"newer\":\"9\",\"older\":null}\n")
    #expect(
      written(.gap(newer: Self.position(9), older: Self.position(3)), .jsonl)
        == "{\"event\":\"gap\",\"newer\":\"9\",\"older\":\"3\"}\n")
    #expect(written(.historyLost, .jsonl) == "{\"event\":\"history_lost\"}\n")
  }

  @Test("a gap row is an event of its own, with its ends and the number of missing posts if known") func gapRow()
    throws
  {
    func gap(_ missing: UInt32, isLost: Bool = false) -> TimelineEvent {
      .inserted(
        TestRow.make(5, lines: ["Posts are missing here."], label: "2:05 PM – 4:40 PM") { fields in
          fields.kind = .gap
          fields.postID = 0
          (fields.gapNewerMilliseconds, fields.gapOlderMilliseconds, fields.gapMissing) = (
            1_672_578_000_000, 1_672_574_400_000, missing
          )
          fields.isGapLost = isLost
        })
    }
    #expect(
      written(gap(120), .jsonl)
        == #"{"event":"gap","row":{"id":"5","kind":"gap","newer":"2023-01-01T13:00:00Z","older":"2023-01-01T12:00:00Z","#
        + #""missing":120,"label":"2:05 PM – 4:40 PM","text":"Posts are missing here.","height":4,"line_ends":[23],"folded_lines":0}}"#
        + "\n")
    #expect(written(gap(0), .jsonl).contains(#""missing":null,"label""#))
    #expect(written(gap(0, isLost: true), .jsonl).contains(#""missing":null,"lost":true,"label""#))
    #expect(written(gap(0), .lines) == "── 2:05 PM – 4:40 PM\nPosts are missing here.\n\n")
    #expect(written(gap(0), .plain) == "", "a gap has no columns")
  }

  @Test("lines show new posts and gaps") func lines() {
    #expect(written(.inserted(TestRow.at(1, id: 5)), .lines) == "Ann @ann · 2h\nx\n5\n\n")
    #expect(written(.changed(TestRow.at(1, id: 5)), .lines) == "")
    #expect(written(.removed(5), .lines) == "")
    #expect(written(.gap(newer: Self.position(9), older: nil), .lines).contains("stack-client timeline"))
    #expect(written(.historyLost, .lines).hasPrefix("── "))
    #expect(written(.olderRows, .lines) == "── Older posts were added further down.\n\n")
    #expect(written(.olderRows, .jsonl) == "" && written(.olderRows, .plain) == "")
    #expect(written(.inserted(TestRow.at(1, id: 5)), .plain).hasPrefix("5\t"))
    #expect(written(.removed(5), .plain) == "")
  }
}
