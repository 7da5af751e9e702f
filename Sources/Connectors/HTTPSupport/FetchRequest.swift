/// A document to be fetched, or a form to be sent.
public struct FetchRequest: Sendable {
  /// A method other than GET and POST.
  public enum Method: String, Sendable {
    case put = "PUT"
    case delete = "DELETE"
  }

  public var url: WebURL
  /// The form to send, encoded (``FormFields``); nil for none.
  public var form: String?
  /// A form with a file to send; nil for none.
  public var files: MultipartForm?
  /// The method; nil for POST if there is a form of either kind, else GET.
  public var method: Method?
  /// The key by which the server knows the same request again, as the value of `Idempotency-Key`; nil for none.
  public var idempotencyKey: String?
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
  /// False if nothing of the request was sent, so that the server cannot have acted on it.
  public let wasSent: Bool

  public init(_ reason: String, address: String = "", wasSent: Bool = true) {
    (self.reason, self.address, self.wasSent) = (reason, address, wasSent)
  }
}
