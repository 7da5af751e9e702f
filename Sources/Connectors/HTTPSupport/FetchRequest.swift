/// A document to be fetched, or a form to be sent.
public struct FetchRequest: Sendable {
  public var url: WebURL
  /// The form to send by POST, encoded (``FormFields``); nil to fetch by GET.
  public var form: String?
  /// The media types that are wanted, as the value of `Accept`.
  public var accept = FetchRequest.anyType
  /// The credentials, as the value of `Authorization`; nil for none.
  public var authorization: String?
  /// The validators to send, byte for byte; empty for an unconditional request.
  public var validators: ResponseFields.Validators
  /// True if the address may be of this machine or of a private network.
  public var allowsPrivateAddresses: Bool
  /// The most bytes of the body, decoded.
  public var byteLimit: Int

  /// The value of `Accept` that asks for nothing in particular.
  public static let anyType = "*/*"
  /// The most bytes of a body unless a request says otherwise: 15 MiB.
  public static let usualByteLimit = 15 << 20

  public init(
    _ url: WebURL, validators: ResponseFields.Validators = ResponseFields.Validators(),
    allowsPrivateAddresses: Bool = false, byteLimit: Int = FetchRequest.usualByteLimit
  ) {
    self.url = url
    self.validators = validators
    self.allowsPrivateAddresses = allowsPrivateAddresses
    self.byteLimit = byteLimit
  }
}

/// A response, whatever its status. Redirects are not followed.
public struct FetchResponse: Sendable {
  public var status: Int
  /// The header fields in order, their names in lower case.
  public var fields: [(name: String, value: [UInt8])]
  /// The body, decoded.
  public var body: [UInt8]
  /// The address that answered.
  public var url: WebURL
  /// The numeric network address of the host that was asked.
  public var address: String

  public init(
    status: Int, fields: [(name: String, value: [UInt8])], body: [UInt8] = [], url: WebURL, address: String = ""
  ) { (self.status, self.fields, self.body, self.url, self.address) = (status, fields, body, url, address) }
}

/// The reason why there is no response.
public struct FetchFailure: Error, Equatable, Sendable {
  /// A clause for a person.
  public let reason: String
  /// The numeric network address of the host that was asked; empty if it was not reached.
  public let address: String

  public init(_ reason: String, address: String = "") { (self.reason, self.address) = (reason, address) }
}
