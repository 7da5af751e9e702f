public import Dates
public import ViewState

/// How a view opens.
public struct ViewOpening: Sendable {
  public var session: SessionKey
  public var layout: LayoutParameters
  /// The zone that `layout.timeZone` names.
  public var zone: Zone
  public var viewport: ViewportParameters?
  /// True for Attach, whose client acknowledges frames; false for Watch.
  public var acknowledges: Bool
  /// What the client says it still holds of a view that ended.
  public var resume: Resume?

  /// Puts the parts together.
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
