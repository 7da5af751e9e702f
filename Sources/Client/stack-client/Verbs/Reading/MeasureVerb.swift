internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import UV
internal import ViewState

/// `measure`: the lines and widths of a text.
struct MeasureVerb: TextVerb {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Wrap a text as the daemon would, and print its width.",
    discussion: """
      Examples:
        stack-client measure "Ahoy, 漁師!" --width 8
        fortune | stack-client measure --width 50 --json
        stack-client measure 👩‍👩‍👧 --width-profile cluster

      Widths are in cells. The sum profile adds up the widths of code points, as most terminals do; the cluster profile \
      counts every emoji as two cells, even a sequence; the cluster-text profile does too, except for emoji that U+FE0E \
      makes text. --plain prints the width and the text of each line.
      """)

  /// The rule for the width of a cluster of several code points.
  enum Profile: String, ExpressibleByArgument, CaseIterable {
    case sum, cluster
    case clusterText = "cluster-text"

    /// The value in a layout.
    var width: LayoutParameters.WidthProfile {
      switch self {
      case .sum: .sum
      case .cluster: .cluster
      case .clusterText: .clusterText
      }
    }
  }

  @Argument(
    help: ArgumentHelp(
      "The text; several words form one text. With - or no text, standard input is read.", valueName: "text"))
  var words: [String] = []

  @Option(help: ArgumentHelp("How the width of a cluster is computed.", valueName: "profile"))
  var widthProfile = Profile.sum

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Width of East Asian ambiguous characters: 1 or 2.", valueName: "cells"))
  var ambiguous = 1

  @Option(help: ArgumentHelp("Count the length as a post for this source.", valueName: "name"))
  var source = ""

  @OptionGroup var options: CommonOptions

  func validate() throws {
    guard ambiguous == 1 || ambiguous == 2 else {
      throw ValidationError("--ambiguous must be 1 or 2, not \(ambiguous)")
    }
  }

  func run() throws {
    let text = try text()
    try ClientContext.run(options) { context in
      var request = MeasureRequest(text: text, width: context.width)
      request.layout.widthProfile = widthProfile.width
      request.layout.ambiguousWidth = ambiguous
      request.source = source
      let link = try context.connect()
      defer { link.close() }
      let measured: MeasureResponse = try link.call(Method.measure, request)
      try context.console.write(MeasureReport(of: text, measured).bytes(options.format, traits: context.traits))
    }
  }

  private func text() throws(ClientFailure) -> String {
    if words.isEmpty && Descriptor.standardInput.isTerminal {
      throw ClientFailure(
        .usage, "there is nothing to measure", hint: "give the text, or - to type it (end with Ctrl-D)")
    }
    let text = try WordsOrInput.text(words, limitBytes: MeasureRequest.maximumBytes)
    guard text.utf8.count <= MeasureRequest.maximumBytes else {
      throw ClientFailure(
        .failure, "the text is longer than \(MeasureRequest.maximumBytes) bytes",
        hint: "measure it in parts, split at line ends")
    }
    return text
  }
}
