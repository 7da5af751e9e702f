internal import UV
internal import ViewState

// stack-mastodon: speaks for logins at servers of Mastodon's kind; stack-daemon starts it (docs/UPSTREAM.md).

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  try? Process.write("stack-mastodon: \(error.message)\nTry 'stack-mastodon --help'.\n", to: .error)
  Process.exit(64)
}

switch options.mode {
case .help: try? Process.write(Options.help + "\n", to: .output)
case .version: try? Process.write("stack-mastodon \(Release.version)\n", to: .output)
case .connector: Process.exit(MastodonProgram.run(options))
}
