internal import ArgumentParser
internal import ClientCore
internal import Messages

/// Files of a post, with descriptions.
struct MediaOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Attach a picture, video or sound; may be given several times.", valueName: "file"),
    completion: .file())
  var media: [String] = []

  @Option(
    help: ArgumentHelp(
      "Describe a file for those who do not see or hear it: the first --alt is of the first --media.", valueName: "text"
    ))
  var alt: [String] = []

  @Flag(help: "Attach files without a description.") var noAlt = false

  func validate() throws {
    if alt.count > media.count {
      throw ValidationError("there are more descriptions than files: each --alt describes one --media")
    }
    if noAlt, media.isEmpty { throw ValidationError("--no-alt is for files: name them with --media") }
    if !noAlt, alt.count < media.count {
      throw ValidationError("describe each file with --alt TEXT, or say with --no-alt that it needs none")
    }
  }

  /// Sends the files to the source of a post, and adds them to its request.
  func attach(to request: inout ComposeRequest, _ context: ClientContext) throws(ClientFailure) {
    for (index, path) in media.enumerated() {
      var header = UploadMediaHeader()
      (header.source, header.inReplyTo) = (request.source, request.inReplyTo)
      header.description = index < alt.count ? alt[index] : ""
      request.media.append(try context.upload(path, header))
    }
  }
}
