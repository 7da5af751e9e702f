internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `reply`: answers a post.
struct ReplyVerb: TextVerb {
  static let configuration = CommandConfiguration(
    commandName: "reply", abstract: "Answer a post; prints the number of the answer.",
    discussion: """
      Examples:
        stack-client reply 42 "See you there"
        fortune | stack-client reply 42 -
        stack-client reply 42 --editor

      It is for nobody who may not see the post. Nobody is named in it but by you; an editor begins with the post's author.
      """)

  @OptionGroup var subject: PostArgument

  @OptionGroup var content: TextArguments

  @OptionGroup var destination: DestinationOptions

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let written = try content.write(on: context.loop) {
        var handle: [UInt8] = []
        try context.readRows(of: .post(subject.post)) {
          handle = try $0.row(named: subject.post).content.fields.author.handle
        }
        return "@\(String(decoding: handle, as: UTF8.self)) "
      }
      let answer: ComposeResponse = try written.send { text in
        try context.command(Method.compose, try destination.request(text, answering: subject.post))
      }
      try context.tell(answer.record)
    }
  }
}
