import Testing

@testable import ClientCore

@Suite("Numbers, option names and author names")
struct NumberTextTests {
  @Test(
    "digits are grouped by three",
    arguments: [(0, "0"), (12, "12"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_234, "-1,234")])
  func grouped(number: Int, text: String) { #expect(NumberText.grouped(number) == text) }

  @Test("a count agrees with its unit, and a negative one is 0") func counts() {
    #expect(NumberText.count(1, "post", "posts") == "1 post")
    #expect(NumberText.count(1_200, "post", "posts") == "1,200 posts")
    #expect(NumberText.count(-3, "post", "posts") == "0 posts")
  }

  @Test("durations have at most two units", arguments: [(45, "45 s"), (200, "3 min 20 s"), (7_500, "2 h 5 min")])
  func duration(seconds: Int, text: String) { #expect(NumberText.duration(seconds: seconds) == text) }

  @Test("options are read from a help text, except those that the parser handles itself") func options() {
    let names = OptionNames(
      inHelp: """
        USAGE: post [--editor]

        ARGUMENTS:
          <text>                  The text; - reads standard input.

        OPTIONS:
          --editor                Write it in --editor.
          -n, --lines <N>         At most N posts.
          -q, --quiet             Write no notices.
          --version               Show the version.
          -h, --help              Show help information.
        """)
    #expect(names == OptionNames(flags: ["--editor", "-q", "--quiet"], values: ["-n", "--lines"]))
  }

  @Test(
    "a bare handle is completed with an @",
    arguments: [("ann", "@ann"), ("@ann", "@ann"), ("7", "7"), ("m.example:7", "m.example:7")])
  func authors(text: String, reference: String) { #expect(AuthorReference.completed(text) == reference) }
}
