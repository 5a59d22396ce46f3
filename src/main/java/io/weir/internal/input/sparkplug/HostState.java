package io.weir.internal.input.sparkplug;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.mqtt.JsonMessage;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What the host says of itself: whether it is online, and since when. Thread-safe. */
final class HostState {
  private static final long MOST_AHEAD_MS = TimeUnit.HOURS.toMillis(1);

  private final String topic;
  private long sinceMs;
  private long foreignMs;

  HostState(String hostId) {
    this.topic = SparkplugTopic.NAMESPACE + "/STATE/" + hostId;
  }

  /** What another message on its topic means. */
  enum Foreign {
    NOTHING,
    /** What it said is gone. */
    CLEARED,
    /** It would count as offline: only a later time counts now. */
    OFFLINE
  }

  String topic() {
    return topic;
  }

  /** A connection begins: its time is later than all before. */
  synchronized void begin(long nowMs) {
    sinceMs = Math.max(nowMs, 1 + Math.max(sinceMs, foreignMs));
  }

  synchronized byte[] online() {
    return state(true, sinceMs);
  }

  /** The message that the broker sends if the connection breaks. */
  synchronized byte[] will() {
    return state(false, sinceMs);
  }

  /** The message with which it leaves. */
  synchronized byte[] offline(long nowMs) {
    return state(false, Math.max(nowMs, sinceMs));
  }

  private static byte[] state(boolean online, long sinceMs) {
    return "{\"online\":%s,\"timestamp\":%d}".formatted(online, sinceMs).getBytes(UTF_8);
  }

  /** A message on its topic has come. */
  synchronized Foreign take(byte[] payload, long nowMs) {
    if (payload.length == 0) {
      return Foreign.CLEARED;
    }
    try {
      if (JsonMessage.read(payload) instanceof Map<?, ?> state
          && Boolean.FALSE.equals(state.get("online"))
          && state.get("timestamp") instanceof Long timestampMs
          && timestampMs >= sinceMs) {
        // A time far ahead is an error of its sender.
        foreignMs =
            timestampMs - nowMs < MOST_AHEAD_MS ? Math.max(foreignMs, timestampMs) : foreignMs;
        return Foreign.OFFLINE;
      }
    } catch (IOException e) {
      // Not what a host says.
    }
    return Foreign.NOTHING;
  }
}
