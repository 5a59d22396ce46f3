package io.weir.internal.explain;

import io.weir.internal.app.WeirConfig;
import io.weir.signing.SigningMode;
import io.weir.topic.Topic;
import java.util.List;
import java.util.function.Function;

/**
 * The settings of the application whose windows are explained. Times in milliseconds.
 *
 * @param names the name of a topic
 * @param rollupsMs lengths of rollups
 * @param hoppingMs length of hopping windows; 0 if there are none
 * @param sensorForgottenMs silence after which nothing is known of a sensor
 * @param gatewayForgottenMs silence after which nothing may be known of a gateway
 * @param signed whether repeated redrives are recognised
 * @param scanBytes how much of a topic is read
 */
public record ExplainSettings(
    Function<Topic, String> names,
    long windowMs,
    long graceMs,
    long latenessMs,
    long idleTimeoutMs,
    long skewMs,
    List<Long> rollupsMs,
    long hoppingMs,
    long sensorForgottenMs,
    long gatewayForgottenMs,
    boolean signed,
    long scanBytes) {

  public static ExplainSettings of(WeirConfig config, long scanBytes) {
    var windows = config.windows();
    long markMs = windows.markTtl().toMillis();
    return new ExplainSettings(
        config::nameOf,
        windows.size().toMillis(),
        windows.grace().toMillis(),
        windows.allowedLateness().toMillis(),
        windows.idleTimeout().toMillis(),
        windows.maxFutureSkew().toMillis(),
        windows.rollups().sizesMs(),
        windows.hopping().lengthMs(),
        windows.sensorTtl().toMillis() + markMs,
        config.state().gatewayTtl().toMillis() + markMs,
        config.signing().mode() != SigningMode.OFF,
        scanBytes);
  }

  /**
   * The topic with the windows of a length and a start; that of base windows for an unknown length.
   * Where rollups and hopping windows are equally long, the aligned ones are rollups.
   */
  Topic topicOf(long startMs, long sizeMs) {
    if (sizeMs == windowMs) {
      return Topic.WINDOWS;
    }
    boolean hopping = sizeMs == hoppingMs;
    if (rollupsMs.contains(sizeMs) && !(hopping && startMs % sizeMs != 0)) {
      return Topic.ROLLUPS;
    }
    return hopping ? Topic.HOPPING : Topic.WINDOWS;
  }

  /** Whether there are windows of a length. */
  public boolean hasLength(long sizeMs) {
    return sizeMs == windowMs || rollupsMs.contains(sizeMs) || sizeMs == hoppingMs;
  }
}
