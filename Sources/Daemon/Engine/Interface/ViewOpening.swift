public import Dates
public import ViewState

/// The parameters with which a view opens.
public struct ViewOpening: Sendable {
  public var session: SessionKey
  public var layout: LayoutParameters
  /// The time zone that `layout.timeZone` names.
  public var zone: Zone
  public var viewport: ViewportParameters?
  /// True for Attach, whose client acknowledges frames; false for Watch.
  public var acknowledges: Bool
  /// The state of an ended view that the client claims to hold.
  public var resume: Resume?

  public init(
    session: SessionKey, layout: LayoutParameters, zone: Zone, viewport: ViewportParameters?, acknowledges: Bool,
    resume: Resume? = nil
  ) {
    self.session = session
    self.layout = layout
    self.zone = zone
    self.viewport = viewport
    self.acknowledges = acknowledges
    self.resume = resume
  }
}
