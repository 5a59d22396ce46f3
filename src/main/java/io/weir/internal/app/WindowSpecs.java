package io.weir.internal.app;

import io.weir.internal.window.WindowSpec;

/** Converts window settings for the engine. */
public final class WindowSpecs {
  private WindowSpecs() {}

  public static WindowSpec of(WindowSettings settings) {
    return of(settings, WindowSpec.IdleRule.ENDED);
  }

  public static WindowSpec of(WindowSettings settings, WindowSpec.IdleRule idleRule) {
    return WindowSpec.of(
            settings.size().toMillis(),
            settings.grace().toMillis(),
            settings.allowedLateness().toMillis(),
            settings.idleTimeout().toMillis(),
            idleRule,
            settings.sensorTtl().toMillis())
        .withMarkTtlMs(settings.markTtl().toMillis())
        .with(settings.statistics())
        .with(settings.rollups())
        .with(settings.hopping());
  }
}
