internal import ArgumentParser
internal import ClientCore
internal import Messages
internal import ViewState

/// `edit`: changes the text of a post of this account.
struct EditVerb: TextVerb {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit the text of a post that you wrote here.",
    discussion: """
      Examples:
        stack-client edit 42 "Hello, harbour!"
        stack-client edit 42 --editor
        fortune | stack-client edit 42 -

      An edit does not change who may see the post, even if it mentions other accounts.
      """)

  @OptionGroup var subject: PostArgument

  @OptionGroup var content: TextArguments

  @OptionGroup var options: CommonOptions

  func run() throws {
    try ClientContext.run(options) { context in
      let written = try content.write(on: context.loop) {
        var text: [UInt8] = []
        try context.readRows(of: .post(subject.post)) { text = try $0.row(named: subject.post).content.fields.text }
        return String(decoding: text, as: UTF8.self)
      }
      let answer: RevisionResponse = try written.send { text in
        var request = EditRequest(post: subject.post, text: text)
        request.requestID = try RequestID.make()
        return try context.command(Method.edit, request)
      }
      try context.write(.done(answer.revision))
    }
  }
}
