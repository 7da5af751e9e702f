import ArgumentParser
import ClientCore
import Messages
import Testing

@testable import stack_client

@Suite("The command line")
struct CommandLineTests {
  private func parse<Verb>(_ line: String, as verb: Verb.Type = Verb.self) throws -> Verb {
    let words = line.split(separator: " ").map(String.init)
    return try #require(try StackClient.parse(words: words) as? Verb, "\(line)")
  }

  @Test(
    "parses every verb",
    arguments: [
      ("", "TimelineVerb"), ("timeline", "TimelineVerb"), ("-n 5 --json", "TimelineVerb"), ("watch", "WatchVerb"),
      ("show 1", "ShowVerb"), ("conversation 1", "ConversationVerb"), ("thread 1", "ConversationVerb"),
      ("post hi", "PostVerb"), ("post", "PostVerb"), ("import f", "ImportVerb"), ("export", "ExportVerb"),
      ("status", "StatusVerb"), ("daemon start", "Start"), ("daemon stop", "Stop"), ("-q daemon stop", "Stop"),
      ("version", "VersionVerb"),
      ("measure a", "MeasureVerb"),
      ("--socket /s --json timeline", "TimelineVerb"), ("--locale de timeline", "TimelineVerb"),
      ("mentions -n 3", "MentionsVerb"),
      ("messages", "MessagesVerb"), ("messages 7 --since 2h", "MessagesVerb"), ("profile", "ProfileVerb"),
      ("profile @ann -n 1", "ProfileVerb"), ("search otter from:ann", "SearchVerb"),
      ("count --unread mentions", "CountVerb"),
      ("watch search otter", "WatchVerb"), ("delete 4 --yes", "DeleteVerb"), ("edit 4 --editor", "EditVerb"),
      ("drafts", "All"), ("drafts show 3", "Show"), ("drafts delete 3 -y", "Delete"), ("post --draft 3", "PostVerb"),
      ("edit 4 new -words", "EditVerb"), ("fav 4", "FavouriteVerb"),
      ("repost 4 --undo", "RepostVerb"), ("save 4", "SaveVerb"), ("undo", "UndoVerb"), ("--json redo", "RedoVerb"),
      ("follow @ann", "FollowVerb"),
      ("unfollow ann", "UnfollowVerb"), ("follows @ann --followers", "FollowsVerb"),
      ("followers", "All"), ("followers requests --json", "Requests"), ("followers approve @ann bob", "Approve"),
      ("followers refuse @ann", "Refuse"), ("followers remove 7", "Remove"), ("account follows", "Follows"),
      ("account follows ask", "Follows"), ("whoami", "WhoAmIVerb"),
      ("read-position timeline 4 --line 2 --session s --if-revision 9", "ReadPositionVerb"),
      ("integrity", "IntegrityVerb"),
      ("backup copy.db", "BackupVerb"), ("list", "All"), ("lists --json", "All"),
      ("--json list show harbour -n 3", "Show"),
      ("list make harbour", "Make"), ("list rename harbour port", "Rename"), ("list delete port -y", "Delete"),
      ("list add port ann bob", "Add"), ("list remove port ann", "Remove"), ("list list", "All"), ("account", "List"),
      ("account make bot", "Make"), ("account limit 500 --account bot", "Limit"), ("account limit default", "Limit"),
      ("token issue bot --scope view,panes,post --account ann --to f", "Issue"), ("token list", "List"),
      ("token revoke 3", "Revoke"), ("session", "List"), ("session rename a b", "Rename"),
      ("session delete a --yes", "Delete"),
      ("pane", "List"), ("pane list --session work", "List"), ("pane --session work push conversation 4", "Push"),
      ("pane open search the quiet harbour", "Open"), ("pane push search #tag -- -word", "Push"), ("pane pop", "Pop"),
      ("pane pop-to 3", "PopTo"), ("pane replace author ann --pane 4", "Replace"), ("pane drop", "Drop"),
      ("pane back", "Back"),
      ("pane forward --if-revision 5", "Forward"), ("pane select 0", "Select"), ("pane resize 0 80", "Resize"),
      ("pane collapse 4 --pane 2", "Collapse"), ("pane expand 4", "Expand"), ("pane fold 4", "Fold"),
      ("pane unfold 4 --pane 2", "Unfold"), ("pane slide left --view 7", "Slide"),
      ("pane reveal 3 --view 7", "Reveal"), ("--connect 127.0.0.1:1 --token-file f whoami", "WhoAmIVerb"),
    ])
  func verbs(line: String, name: String) throws {
    let command = try StackClient.parse(words: line.split(separator: " ").map(String.init))
    #expect("\(type(of: command))" == name)
  }

  @Test(
    "without a verb it is the full screen on a terminal, and rows in a pipe",
    arguments: [
      ("", true, "AttachVerb"), ("", false, "TimelineVerb"), ("--socket /s", true, "AttachVerb"),
      ("--theme light --ascii", true, "AttachVerb"),
      ("--session work", true, "AttachVerb"), ("--json", true, "TimelineVerb"), ("-n 3", true, "TimelineVerb"),
      ("--since=2h", true, "TimelineVerb"), ("--width 60", true, "TimelineVerb"), ("attach", false, "AttachVerb"),
      ("attach --session work --no-animation --mouse", true, "AttachVerb"), ("mentions", true, "MentionsVerb"),
    ]) func screen(line: String, isOnTerminal: Bool, name: String) throws
  {
    let words = line.split(separator: " ").map(String.init)
    #expect("\(type(of: try StackClient.parse(words: words, onTerminal: isOnTerminal)))" == name)
  }

  @Test("timeline takes a number, bounds and an order") func timeline() throws {
    let verb = try parse(
      "timeline -n 300 --before 9 --since twitter:4 --reverse --plain --width 60", as: TimelineVerb.self)
    #expect(verb.wanted.count == 300)
    #expect(verb.wanted.before == "9")
    #expect(verb.wanted.since == "twitter:4")
    #expect(verb.wanted.reverse)
    #expect(verb.options.format == .plain)
    #expect(verb.options.width == 60)
    #expect(try parse("timeline", as: TimelineVerb.self).wanted.count == nil)
  }

  @Test("post joins its words, and takes options on both sides") func post() throws {
    let verb = try parse("-q post Hello harbour --reply-to 4", as: PostVerb.self)
    #expect(verb.content.words == ["Hello", "harbour"])
    #expect(verb.replyTo == "4")
    #expect(verb.options.quiet)
    #expect(verb.destination.visibility == nil)
    #expect(try parse("post --visibility direct @ann", as: PostVerb.self).destination.visibility == .direct)
    #expect(try parse("post -", as: PostVerb.self).content.words == ["-"])
    #expect(try parse("post -- --not-an-option", as: PostVerb.self).content.words == ["--not-an-option"])
  }

  @Test(
    "a word that is not an option is text, even if it begins with a dash",
    arguments: [
      (["post", "-hello"], ["-hello"]), (["post", "-dash2"], ["-dash2"]),
      (["post", "yes", "-hm", "no", "-q"], ["yes", "-hm", "no"]),
      (["post", "--reply-to", "4", "-5 degrees"], ["-5 degrees"]), (["post", "-- she said"], ["-- she said"]),
      (["post", "--- cut ---", "here"], ["--- cut ---", "here"]), (["post", "--", "-h"], ["-h"]),
      (["post", "a", "--", "-b", "--json"], ["a", "-b", "--json"]),
      (["post", "-5"], ["-5"]), (["post", "--visibility secret", "--json"], ["--visibility secret"]),
    ]) func dashText(words: [String], text: [String]) throws
  {
    #expect(try #require(try StackClient.parse(words: words) as? PostVerb).content.words == text)
  }

  @Test("in a query a dash excludes a word") func dashQuery() throws {
    #expect(try parse("search tea -otter -n3", as: SearchVerb.self).words == ["tea", "-otter"])
    #expect(try parse("search -tea --since 2h", as: SearchVerb.self).words == ["-tea"])
    #expect(try parse("search -hat -x", as: SearchVerb.self).words == ["-hat", "-x"])
    #expect(try parse("search -from:ann -#tag -n 2", as: SearchVerb.self).words == ["-from:ann", "-#tag"])
    #expect(try parse("watch search -q tea -otter", as: WatchVerb.self).words == ["tea", "-otter"])
    #expect(try parse("pane open search -tea", as: PaneVerb.Open.self).words == ["-tea"])
    #expect(
      try parse("pane push search -tea --pane-width 40 -otter", as: PaneVerb.Push.self).subject.words == [
        "-tea", "-otter",
      ])
    #expect(try parse("list make -harbour", as: ListVerb.Make.self).name == "-harbour")
    #expect(try parse("list rename -harbour -high", as: ListVerb.Rename.self).name == "-high")
  }

  @Test(
    "a number may be joined to its letter",
    arguments: ["timeline -n12", "-n12", "mentions -n12 -q", "profile ann -n12"])
  func joined(line: String) throws {
    let verb = try StackClient.parse(words: line.split(separator: " ").map(String.init), onTerminal: true)
    let wanted = (verb as? TimelineVerb)?.wanted ?? (verb as? MentionsVerb)?.wanted ?? (verb as? ProfileVerb)?.wanted
    #expect(wanted?.count == 12)
    #expect(try parse("search tea -n12", as: SearchVerb.self).wanted.count == 12)
    #expect(try parse("watch -n12", as: WatchVerb.self).count == 12)
  }

  @Test(
    "a word that may be a mistyped option is neither posted nor searched for",
    arguments: [
      ("post --visiblity direct secret", "did you mean '--visibility'?"),
      ("post -v direct secret", "see `stack-client help post`"),
      ("post --frob x", "put -- before"),
      ("search tea --untill 2h", "put -- before"), ("timeline -hello", "see `stack-client help timeline`"),
      ("status -qh", "see `stack-client help status`"), ("mark 7", "see `stack-client help mark`"),
      ("pane pol", "did you mean 'pane pop'?"), ("daemon restart", "did you mean 'daemon start'?"),
    ])
  func slips(line: String, hint: String) {
    let failure = #expect(throws: ClientFailure.self) {
      try StackClient.parse(words: line.split(separator: " ").map(String.init))
    }
    #expect(failure?.exitCode == .usage && failure?.hint.contains(hint) == true, "\(String(describing: failure))")
  }

  @Test(
    "a number with a dash is an argument of a verb, which says what it takes instead",
    arguments: [
      ("show -1", "'-1' is not a post: give an ID or source:native-id"), ("delete -5 -y", "'-5' is not a post"),
      ("mark read 7 -1", "'-1' is not a post"), ("drafts show -1", "'-1' is not a valid number"),
      ("timeline -5", "unexpected argument '-5'"), ("timeline -n -5", "-n must be 0 or more, not -5"),
      ("mark 7", "mark takes read or unread, not '7'"),
    ])
  func negative(line: String, words: String) {
    var message = ""
    do {
      _ = try StackClient.parse(words: line.split(separator: " ").map(String.init))
    } catch {
      message = (error as? ClientFailure)?.message ?? StackClient.usageFailure(error).message
    }
    #expect(message.hasPrefix(words), "\(message)")
  }

  @Test("the option names read from the help are those that the parser accepts") func optionNames() {
    let all: [any ParsableCommand.Type] = StackClient.verbs.flatMap { [$0] + $0.configuration.subcommands }
    let verbs = all.compactMap { $0 as? any TextVerb.Type }
    #expect(verbs.count == 29)
    let common = OptionNames(
      flags: ["--json", "--jsonl", "--plain", "-q", "--quiet"],
      values: ["--width", "--locale", "--times", "--socket", "--connect", "--token-file", "--color"])
    for verb in verbs {
      let names = OptionNames(of: verb)
      #expect(names.flags.isSuperset(of: common.flags), "\(verb)")
      #expect(names.values.isSuperset(of: common.values), "\(verb)")
    }
    #expect(OptionNames(of: MuteWordVerb.self) == common)
    #expect(OptionNames(of: PostVerb.self).flags.subtracting(common.flags) == ["--editor", "--no-alt"])
    #expect(
      OptionNames(of: PostVerb.self).values.subtracting(common.values) == [
        "--source", "--visibility", "--warning", "--language", "--reply-to", "--draft", "--media", "--alt",
      ])
    #expect(OptionNames(of: SearchVerb.self).flags.subtracting(common.flags) == ["--reverse"])
    #expect(
      OptionNames(of: SearchVerb.self).values.subtracting(common.values) == [
        "-n", "--lines", "--before", "--since", "--filter", "--there",
      ])
    #expect(OptionNames(of: ListVerb.Delete.self).flags.subtracting(common.flags) == ["-y", "--yes"])
    #expect(
      OptionNames(of: PaneVerb.Push.self).values.subtracting(common.values) == [
        "--session", "--if-revision", "--pane-width", "--from",
      ])
  }

  @Test("measure takes a text, a width and a profile") func measure() throws {
    let verb = try parse("measure Ahoy there --width 8 --width-profile cluster --ambiguous 2", as: MeasureVerb.self)
    #expect(verb.words == ["Ahoy", "there"] && verb.options.width == 8)
    #expect(verb.widthProfile == .cluster && verb.ambiguous == 2)
    #expect(try parse("measure", as: MeasureVerb.self).widthProfile == .sum)
    #expect(try parse("measure --width-profile cluster-text", as: MeasureVerb.self).widthProfile == .clusterText)
  }

  @Test("import takes a format, files and options") func imports() throws {
    let verb = try parse(
      "import mastodon-json a.json b.json --source m.example --me --dry-run --strict", as: ImportVerb.self)
    #expect(verb.words == ["mastodon-json", "a.json", "b.json"])
    #expect(verb.source == "m.example")
    #expect(verb.me && verb.dryRun && verb.strict)
    #expect(try parse("import -", as: ImportVerb.self).words == ["-"])
  }

  @Test(
    "an invalid command line is a usage failure, in one line that names the error",
    arguments: [
      ("timeline -n x", "'x' is not a valid number"), ("timeline -n=-3", "not -3"), ("timeline -n -5", "not -5"),
      ("-n -5", "not -5"), ("search otter -n -5", "not -5"), ("watch -n -5", "not -5"), ("show 1 --width -5", "not -5"),
      ("timeline --width 0", "1 to 10000"),
      ("timeline --width 10001", "1 to 10000"), ("measure --ambiguous 3", "1 or 2"),
      ("measure --width-profile wide", "wide"), ("timeline --json --plain", "cannot be combined"),
      ("timeline --color blue", "'blue' is not one of auto, always or never"),
      ("timeline --widht 5", "unknown option '--widht'"),
      ("show", "<id>"),
      ("show 1 2", "unexpected argument '2'"), ("import", "format|file"),
      ("import f --plain", "--json"), ("watch -n 201", "0 to 200"), ("daemon restart", "restart"),
      ("status --socket", "--socket"),
      ("export --frob", "--frob"), ("timeline --since someday", "neither a post nor a time"),
      ("timeline --socket /s --connect 127.0.0.1:1", "cannot be combined"),
      ("timeline --connect example.org:80", "numeric host"), ("timeline --connect 127.0.0.1", "HOST:PORT"),
      ("search", "<query>"),
      ("profile @", "is not an author"), ("follow", "<author>"),
      ("watch lists", "not one of timeline, mentions, messages, profile or search"),
      ("watch search", "query is empty"),
      ("watch mentions otter", "only search"),
      ("watch nosuch", "timeline, mentions, messages, profile or search"),
      ("count nosuch", "not one of timeline, mentions"),
      ("count search", "timeline, mentions, lists, messages or profile"), ("shell-setup tcsh", "bash, zsh or fish"),
      ("shell-setup --name 1x", "cannot be an alias"),
      ("post x --visibility secret", "secret"),
      ("pane open timeline x", "only search"), ("pane push direct x", "stack-client messages"),
      ("pane push conversation 1 2", "not 2"),
      ("pane push post 1", "post"), ("pane push conversation x", "is not a post"),
      ("pane slide up --view 1", "up"),
      ("pane slide left", "--view"), ("pane resize 1 10001", "0 to 10000"), ("pane frob", "frob"),
      ("token issue x --scope all", "'all'"),
      ("token issue x --scope view,", "view, panes, post or admin"), ("list add harbour", "author"),
      ("delete x", "is not a post"),
      ("read-position timeline 4 --line=-1", "--line"),
      ("pane pop --session 0123456789012345678901234567890123456789012345678901234567890123456789", "64 bytes"),
    ])
  func usage(line: String, part: String) {
    do {
      _ = try StackClient.parse(words: line.split(separator: " ").map(String.init))
      Issue.record("accepted: \(line)")
    } catch let failure as ClientFailure {
      #expect(failure.exitCode == .usage)
    } catch {
      let failure = StackClient.usageFailure(error)
      #expect(failure.exitCode == .usage)
      #expect(failure.message.contains(part), "\(failure.message)")
      #expect(failure.report(asJSON: false).count { $0 == 0x0A } == 1)
    }
  }

  @Test("a pane shows a post, an author, a list, a conversation or a search") func paneSubjects() throws {
    let subjects: [(String, Subject)] = [
      ("conversation twitter:4", .conversation("twitter:4")), ("author ann", .author("@ann")),
      ("author 7", .author("7")),
      ("author m.example:7", .author("m.example:7")), ("list harbour", .list("harbour")), ("direct 7", .direct(7)),
      ("search the #quiet harbour", .search("the #quiet harbour")),
    ]
    for (line, subject) in subjects {
      let verb = try parse(
        "pane push \(line) --from 3 --pane-width 40 --session work --if-revision 9", as: PaneVerb.Push.self)
      let request = try verb.subject.request(from: verb.from, verb.session)
      #expect(request.subject == subject)
      #expect((request.fromPane, request.width) == (3, 40))
      #expect(
        request.command.session == "work" && request.command.ifRevision == 9
          && request.command.requestID.utf8.count == 32)
    }
  }

  @Test("help shows examples before the usage") func help() throws {
    for verb in StackClient.verbs + [StackClient.self] where verb != VersionVerb.self {
      let lines = verb.helpMessage().split(separator: "\n")
      let example = try #require(lines.firstIndex { $0.hasPrefix("Example") }, "\(verb)")
      let usage = try #require(lines.firstIndex { $0.hasPrefix("USAGE:") }, "\(verb)")
      #expect(example < usage)
    }
  }

  @Test("examples fit a terminal of 80 columns") func exampleLines() {
    let all: [any ParsableCommand.Type] = StackClient.verbs.flatMap { [$0] + $0.configuration.subcommands }
    for verb in all + [StackClient.self] {
      for line in verb.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
        #expect(line.count < 80, "\(verb): \(line)")
      }
    }
  }

  @Test(
    "a usage failure names the help of the verb",
    arguments: [
      ("timeline -n x", "see `stack-client help timeline`"), ("-n x", "see `stack-client help timeline`"),
      ("--json pane push", "see `stack-client help pane push`"),
      ("drafts frob", "see `stack-client help drafts`"), ("timeline --widht 5", "did you mean '--width'?"),
      ("--generate-completion-script nosuch", "see `stack-client --help`"),
    ])
  func helpOfVerb(line: String, hint: String) {
    let words = line.split(separator: " ").map(String.init)
    do {
      _ = try StackClient.parse(words: words)
      Issue.record("accepted: \(line)")
    } catch {
      let failure = StackClient.usageFailure(error, verb: StackClient.verbPath(words))
      #expect(failure.exitCode == .usage && failure.hint == hint, "\(failure)")
    }
  }

  @Test(
    "help names a verb, or nothing",
    arguments: [
      ("help nosuch", "unknown verb 'nosuch'; see `stack-client --help`"),
      ("help timelin", "unknown verb 'timelin'; did you mean 'timeline'?"),
      ("--json help pane nosuch", "unknown verb 'pane nosuch'; see `stack-client help pane`"),
      ("help", nil), ("help pane", nil), ("help pane push", nil), ("help list", nil), ("help help", nil),
      ("help fav", nil),
    ]) func topics(line: String, refusal: String?)
  {
    do {
      var command = try StackClient.parse(words: line.split(separator: " ").map(String.init))
      try command.run()
      Issue.record("nothing to print: \(line)")
    } catch let failure as ClientFailure {
      #expect(failure.exitCode == .usage && "\(failure.message); \(failure.hint)" == refusal)
    } catch {
      #expect(refusal == nil && StackClient.exitCode(for: error).isSuccess, "\(line)")
    }
  }

  @Test(
    "a token is sent to this machine alone",
    arguments: [
      ("127.0.0.1:7825", nil), ("localhost:7825", nil), ("[::1]:7825", nil),
      ("192.0.2.2:7999", "ssh -N -L 7999:127.0.0.1:7999 192.0.2.2"), ("[2001:db8::1]:80", "2001:db8::1"),
      ("0.0.0.0:7825", "127.0.0.1:7825"),
    ]) func addresses(place: String, hint: String?) throws
  {
    let options = try parse("status --connect \(place)", as: StatusVerb.self).options
    do {
      let address = try DaemonAddress(options)
      #expect(hint == nil && !address.isOnThisMachine)
    } catch {
      #expect(error.exitCode == .refused && error.message.contains("TLS") && error.hint.contains(hint ?? "none"))
    }
  }

  @Test(
    "completion scripts and the dump of the help cover all verbs",
    arguments: [
      ["-q", "--generate-completion-script=zsh"], ["--experimental-dump-help"],
    ])
  func wholeProgram(words: [String]) throws {
    let error = try #require(throws: (any Error).self) { try StackClient.parse(words: words) }
    // The message of a failure begins with its name, and has no list of verbs.
    let text = StackClient.fullMessage(for: error)
    #expect(text.contains("mute-conversation") && text.contains("read-position") && !text.hasPrefix("Error"))
  }

  @Test("the shell of a completion script may be a word of its own") func completionShell() throws {
    let error = try #require(throws: (any Error).self) {
      try StackClient.parse(words: ["--generate-completion-script", "bash"])
    }
    #expect(String(describing: error).contains("completionScriptRequested(shell: Optional(\"bash\"))"))
  }
}
