internal import ArgumentParser
internal import ClientCore
internal import UV

/// `shell-setup`: a shorter name and completion for a shell.
struct ShellSetupVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell-setup", abstract: "Print an alias and completion for your shell.",
    discussion: """
      Examples:
        eval "$(stack-client shell-setup)"              # in ~/.bashrc or ~/.zshrc
        stack-client shell-setup fish | source          # in config.fish
        eval "$(stack-client shell-setup --name st)"    # another short name

      Afterwards `stack` means stack-client, and Tab completes its verbs, options and values.
      """)

  @Argument(help: ArgumentHelp("bash, zsh or fish (default: the shell in $SHELL).", valueName: "shell"))
  var chosen: Shell?

  @Option(help: ArgumentHelp("The shorter name.", valueName: "name"))
  var name = "stack"

  @OptionGroup var options: CommonOptions

  /// A shell, by its name on the command line.
  struct Shell: ExpressibleByArgument {
    let shell: ShellSetup.Shell

    init?(argument: String) {
      guard let shell = ShellSetup.Shell(rawValue: argument) else { return nil }
      self.shell = shell
    }

    static var allValueStrings: [String] { ShellSetup.Shell.allCases.map(\.rawValue) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  }

  func validate() throws {
    guard ShellSetup.isName(name) else {
      throw ValidationError("'\(name)' cannot be an alias; use letters, digits, - and _, beginning with a letter")
    }
  }

  func run() throws {
    try ClientContext.run(options) { context in
      let login = UV.Process.environment("SHELL") ?? ""
      guard let shell = chosen?.shell ?? ShellSetup.Shell(path: login) else {
        throw ClientFailure(
          .usage, login.isEmpty ? "$SHELL is not set" : "there is no setup for \(login)",
          hint: "name one: `stack-client shell-setup bash`, zsh or fish")
      }
      let completion = StackClient.completionScript(for: shell.parserName)
      let script = ShellSetup.script(shell, name: name, completion: completion)
      try context.console.write(Array(script.utf8))
    }
  }
}

extension ShellSetup.Shell {
  /// The parser's name of the shell.
  fileprivate var parserName: CompletionShell {
    switch self {
    case .bash: .bash
    case .zsh: .zsh
    case .fish: .fish
    }
  }
}
