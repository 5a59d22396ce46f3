package io.weir.internal.topology;

import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.window.WindowSpec;
import io.weir.signing.SigningPolicy;
import io.weir.topic.LatestForm;

/** Settings of a topology with another value of one part. */
final class Variant {
  private Variant() {}

  static TopologySettings of(TopologySettings from, StatusPlan status) {
    return of(from, from.window(), from.latest(), status, from.signing());
  }

  static TopologySettings of(TopologySettings from, SigningPolicy signing) {
    return of(from, from.window(), from.latest(), from.status(), signing);
  }

  static TopologySettings of(TopologySettings from, LatestForm latest) {
    return of(from, from.window(), latest, from.status(), from.signing());
  }

  static TopologySettings of(TopologySettings from, WindowSpec window) {
    return of(from, window, from.latest(), from.status(), from.signing());
  }

  private static TopologySettings of(
      TopologySettings from,
      WindowSpec window,
      LatestForm latest,
      StatusPlan status,
      SigningPolicy signing) {
    return new TopologySettings(
        from.topics(),
        window,
        from.limits(),
        from.gateways(),
        from.windowLimits(),
        from.maxFutureSkewMs(),
        from.maxLateBytes(),
        from.maxDeadLetterBytes(),
        from.values(),
        from.registryWait(),
        latest,
        status,
        signing);
  }
}
