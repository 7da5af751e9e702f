import ClientCore
import Testing

@Suite("Messages of the argument parser")
struct ParserMessageTests {
  @Test(
    "are rewritten in the words of the program",
    arguments: [
      ("Missing expected argument '<id>'", "an argument is missing: <id>"),
      ("Missing expected argument '<id> ...'", "an argument is missing: <id> ..."),
      ("Missing expected argument '--view <id>'", "an option is missing: --view <id>"),
      ("Missing value for '--socket <path>'", "a value is missing: --socket <path>"),
      ("Unexpected argument 'x'", "unexpected argument 'x'"),
      ("2 unexpected arguments: 'x', 'y'", "2 unexpected arguments: 'x', 'y'"),
      ("Unknown option '-x'", "unknown option '-x'"),
      ("Unknown option '-qn'\n   or: Missing value for '-n <N>' in '-qn'", "unknown option '-qn'"),
      (
        "The option '--json' does not take any value, but '3' was specified.",
        "--json takes no value, but '3' was given"
      ),
      ("The value 'x' is invalid for '-n <N>'", "-n: 'x' is not a valid number"),
      ("The value '-5' is invalid for '<number>'", "'-5' is not a valid number"),
      (
        "The value 'blue' is invalid for '--color <when>'. Please provide one of 'auto', 'always' or 'never'.",
        "--color: 'blue' is not one of auto, always or never"
      ),
      (
        "The value 'up' is invalid for '<way>'. Please provide one of 'left' and 'right'.",
        "'up' is not one of left or right"
      ),
      (
        "The value 'foo' is invalid for '<section>'. Please provide one of the following:\n  - a\n  - b\n  - c",
        "'foo' is not one of a, b or c"
      ),
      ("Missing required subcommand.", "missing required subcommand"),
      ("--width must be 1 to 10000, not 0", "--width must be 1 to 10000, not 0"),
      ("", "the command line is not understood"),
    ])
  func rewritten(message: String, words: String) {
    #expect(ParserMessage.failure(message, hint: "look") == ClientFailure(.usage, words, hint: "look"))
  }

  @Test("name a likely option, or the help of the verb") func hints() {
    #expect(
      ParserMessage.failure("Unknown option '--widht'. Did you mean '--width'?", hint: "look")
        == ClientFailure(.usage, "unknown option '--widht'", hint: "did you mean '--width'?"))
    #expect(ParserMessage.helpHint(verb: ["pane", "push"]) == "see `stack-client help pane push`")
    #expect(ParserMessage.helpHint(verb: []) == "see `stack-client --help`")
  }
}
