internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `reply`: replies to a post.
struct ReplyVerb: TextVerb {
  static let configuration = CommandConfiguration(
    commandName: "reply", abstract: "Reply to a post; prints the ID of the reply.",
    discussion: """
      Examples:
        stack-client reply 42 "See you there"
        fortune | stack-client reply 42 -
        stack-client reply 42 --editor

      A reply never reaches more people than the post itself. No one is mentioned automatically, but --editor starts \
      with a mention of the author.
      """)

  @OptionGroup var subject: PostArgument

  @OptionGroup var content: TextArguments

  @OptionGroup var destination: DestinationOptions

  @OptionGroup var media: MediaOptions

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
        if destination.isPublicHere { try MentionCheck.check(text, context) }
        var request = try destination.request(text, answering: subject.post)
        try media.attach(to: &request, context)
        return try context.compose(request)
      }
      try context.write(answer.record)
    }
  }
}
