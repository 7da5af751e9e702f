internal import Engine
internal import Messages
internal import Posts
internal import Store
internal import ViewState

/// The accounts of the daemon as their members see them.
extension AccountService {
  var peopleMethods: [String: ServiceMethod] {
    [
      Method.setProfile: .command(SetProfileRequest.self, .post) { [unowned self] request, caller, answer in
        setProfile(request, caller.account, answer)
      },
      Method.listPeople: .queued(PageRequest.self, .view) { [unowned self] request, _, requester, answer in
        listPeople(request, requester, answer)
      },
    ]
  }

  private func setProfile(
    _ request: SetProfileRequest, _ account: Account,
    _ answer: @escaping (Result<SetProfileResponse, EngineError>) -> Void
  ) {
    let write: Write
    let field: String
    switch request.change {
    case .displayName(let name):
      write = .setProfile(account.id, displayName: Self.line(name), about: nil)
      field = "display_name"
    case .about(let line):
      write = .setProfile(account.id, displayName: nil, about: Self.line(line))
      field = "about"
    case nil:
      return answer(.failure(EngineError(.invalidArgument, "set display_name or about", field: "change")))
    }
    driver.write(write) { [weak self] result in
      switch result {
      case .success((.profileSet(let stored, let author), let revision)):
        self?.accounts.add(stored)
        self?.driver.ask { reader throws(EngineError) in
          try StoreLookup.attempt { () throws(StoreError) in try reader.profile(of: author.id, for: stored.id) }
        } _: { (profile: Result<Profile?, EngineError>) in
          answer(
            profile.flatMap { profile in
              guard let profile else { return .failure(.unexpected) }
              var response = SetProfileResponse()
              response.profile = ProfileSummary(profile)
              response.revision = revision
              return .success(response)
            })
        }
      case .success: answer(.failure(.unexpected))
      case .failure(let error): answer(.failure(error.about(field)))
      }
    }
  }

  /// Returns a typed line without white space at its ends.
  private static func line(_ text: String) -> SafeText {
    let scalars = SafeText(line: text).string.unicodeScalars
    let tail = scalars.drop(while: \.properties.isWhitespace).reversed().drop(while: \.properties.isWhitespace)
    return SafeText(line: String(String.UnicodeScalarView(tail.reversed())))
  }

  private func listPeople(
    _ request: PageRequest, _ requester: Requester,
    _ answer: @escaping (Result<ListPeopleResponse, EngineError>) -> Void
  ) {
    let account = requester.account
    driver.ask(for: requester) { reader throws(EngineError) in
      let people = try StoreLookup.attempt { () throws(StoreError) in
        var people: [Profile] = []
        for other in try reader.accounts() {
          guard let author = try reader.localAuthor(of: other.id),
            let profile = try reader.profile(of: author.id, for: account)
          else { continue }
          people.append(profile)
        }
        return people
      }
      var response = ListPeopleResponse()
      (response.people, response.nextPageToken) = try Pager.page(request, of: people, for: Method.listPeople) {
        PageKey(text: $0.account?.name ?? "")
      } _: {
        ProfileSummary($0)
      }
      return response
    } _: { (result: Result<ListPeopleResponse, EngineError>) in
      answer(result)
    }
  }
}

extension ProfileSummary {
  /// The summary of a stored profile.
  init(_ profile: Profile) {
    self.init(author: RowAuthor(profile.author), posts: profile.posts, ProfileFacts(profile))
  }
}
