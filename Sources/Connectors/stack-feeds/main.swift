internal import UV
internal import ViewState

// stack-feeds: reads feeds for stack-daemon, which starts it (docs/UPSTREAM.md).

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  try? Process.write("stack-feeds: \(error.message)\nTry 'stack-feeds --help'.\n", to: .error)
  Process.exit(64)
}

switch options.mode {
case .help: try? Process.write(Options.help + "\n", to: .output)
case .version: try? Process.write("stack-feeds \(Release.version)\n", to: .output)
case .connector: Process.exit(FeedReaderProgram.run(options))
case .readOPML, .writeOPML, .readNewsboat: Process.exit(FilterProgram.run(options))
}
