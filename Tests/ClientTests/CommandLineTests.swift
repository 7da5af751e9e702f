import ArgumentParser
import ClientCore
import Testing

@testable import stack_client

@Suite("The command line")
struct CommandLineTests {
  private func parse<Verb>(_ line: String, as verb: Verb.Type = Verb.self) throws -> Verb {
    let words = line.split(separator: " ").map(String.init)
    return try #require(try StackClient.parse(words: words) as? Verb, "\(line)")
  }

  @Test(
    "every verb is understood",
    arguments: [
      ("", "TimelineVerb"), ("timeline", "TimelineVerb"), ("-n 5 --json", "TimelineVerb"), ("watch", "WatchVerb"),
      ("show 1", "ShowVerb"), ("conversation 1", "ConversationVerb"), ("thread 1", "ConversationVerb"),
      ("post hi", "PostVerb"), ("post", "PostVerb"), ("import f", "ImportVerb"), ("export", "ExportVerb"),
      ("status", "StatusVerb"), ("daemon start", "Start"), ("daemon stop", "Stop"), ("-q daemon stop", "Stop"), ("version", "VersionVerb"),
      ("measure a", "MeasureVerb"),
      ("--socket /s --json timeline", "TimelineVerb"),
    ])
  func verbs(line: String, name: String) throws {
    let command = try StackClient.parse(words: line.split(separator: " ").map(String.init))
    #expect("\(type(of: command))" == name)
  }

  @Test("timeline takes a number, bounds and an order") func timeline() throws {
    let verb = try parse("timeline -n 300 --before 9 --since twitter:4 --reverse --plain --width 60", as: TimelineVerb.self)
    #expect(verb.count == 300)
    #expect(verb.before == "9")
    #expect(verb.since == "twitter:4")
    #expect(verb.reverse)
    #expect(verb.options.format == .plain)
    #expect(verb.options.width == 60)
    #expect(try parse("timeline", as: TimelineVerb.self).count == nil)
  }

  @Test("post takes words as one text, and options on both sides") func post() throws {
    let verb = try parse("-q post Hello harbour --reply-to 4", as: PostVerb.self)
    #expect(verb.words == ["Hello", "harbour"])
    #expect(verb.replyTo == "4")
    #expect(verb.options.quiet)
    #expect(try parse("post -", as: PostVerb.self).words == ["-"])
    #expect(try parse("post -- --not-an-option", as: PostVerb.self).words == ["--not-an-option"])
  }

  @Test("measure takes a text, a width and a profile") func measure() throws {
    let verb = try parse("measure Ahoy there --width 8 --width-profile cluster --ambiguous 2", as: MeasureVerb.self)
    #expect(verb.words == ["Ahoy", "there"] && verb.options.width == 8)
    #expect(verb.widthProfile == .cluster && verb.ambiguous == 2)
    #expect(try parse("measure", as: MeasureVerb.self).widthProfile == .sum)
  }

  @Test("import takes a format, files and what to make of them") func imports() throws {
    let verb = try parse("import mastodon-json a.json b.json --source m.example --me --dry-run --strict", as: ImportVerb.self)
    #expect(verb.words == ["mastodon-json", "a.json", "b.json"])
    #expect(verb.source == "m.example")
    #expect(verb.me && verb.dryRun && verb.strict)
    #expect(try parse("import -", as: ImportVerb.self).words == ["-"])
  }

  @Test(
    "what is not understood is usage, in one line that says what is wrong",
    arguments: [
      ("timeline -n x", "'x' is invalid"), ("timeline -n=-3", "-3"), ("timeline --width 0", "1 to 10000"),
      ("timeline --width 10001", "1 to 10000"), ("measure --ambiguous 3", "1 or 2"),
      ("measure --width-profile wide", "wide"), ("timeline --json --plain", "exclude each other"),
      ("timeline --color blue", "'blue' is invalid"), ("timeline --widht 5", "Did you mean '--width'?"), ("show", "<id>"),
      ("show 1 2", "Unexpected argument '2'"), ("import", "format|file"), ("import jsonl", "needs a file"),
      ("import f --plain", "--json"), ("watch -n 201", "0 to 200"), ("daemon restart", "restart"), ("status --socket", "--socket"),
      ("export --frob", "--frob"),
    ])
  func usage(line: String, part: String) {
    do {
      _ = try StackClient.parse(words: line.split(separator: " ").map(String.init))
      Issue.record("understood: \(line)")
    } catch let failure as ClientFailure {
      #expect(failure.exitCode == .usage)
    } catch {
      let failure = StackClient.usageFailure(error)
      #expect(failure.exitCode == .usage)
      #expect(failure.message.contains(part), "\(failure.message)")
      #expect(failure.report(asJSON: false).count { $0 == 0x0A } == 1)
    }
  }

  @Test("help shows examples before it shows the grammar") func help() throws {
    for verb in StackClient.configuration.subcommands + [StackClient.self] where verb != VersionVerb.self {
      let lines = verb.helpMessage().split(separator: "\n")
      let example = try #require(lines.firstIndex { $0.hasPrefix("Example") }, "\(verb)")
      let usage = try #require(lines.firstIndex { $0.hasPrefix("USAGE:") }, "\(verb)")
      #expect(example < usage)
    }
  }
}
