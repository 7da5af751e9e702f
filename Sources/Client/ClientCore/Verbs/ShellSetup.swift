/// What a shell reads to know a shorter name of the client and to complete its command lines.
public enum ShellSetup {
  /// The shells that are supported.
  public enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// Returns the shell at `path`, such as the value of `SHELL`; nil for another one.
    public init?(path: String) {
      guard let name = path.split(separator: "/").last, let shell = Shell(rawValue: String(name)) else { return nil }
      self = shell
    }

    /// The line for the shell's configuration file, and the file.
    var usage: (line: String, file: String) {
      switch self {
      case .bash, .zsh: (#"eval "$(stack-client shell-setup \#(rawValue))""#, "~/.\(rawValue)rc")
      case .fish: ("stack-client shell-setup fish | source", "~/.config/fish/config.fish")
      }
    }
  }

  /// Returns true if `name` can be an alias in every shell: a letter, then letters, digits, `-` and `_`.
  public static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Returns the script that defines the alias `name`.
  ///
  /// - Parameter completion: the completion script of `stack-client` for this shell.
  public static func script(_ shell: Shell, name: String, completion: String) -> String {
    let (line, file) = shell.usage
    let head = "# In \(file):  \(line)\n"
    switch shell {
    case .bash:
      return head + "alias \(name)=stack-client\n" + completion
        + "\ncomplete -o filenames -F _stack-client \(name)\n"
    case .zsh:
      // zsh completes an alias like the command it stands for.
      return head + "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n"
        + "alias \(name)=stack-client\n" + completion
    case .fish:
      // fish's own `alias` does the same.
      return head + "alias \(name) stack-client\n" + completion
    }
  }
}
