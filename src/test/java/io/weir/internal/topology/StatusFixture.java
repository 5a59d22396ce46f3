package io.weir.internal.topology;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.Rules;
import io.weir.internal.alarm.RulesText;
import io.weir.internal.alarm.StatusPlan;
import io.weir.v1.Event;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** A sensor whose status and alarms are watched. Windows of 10 s, grace 5 s. */
abstract class StatusFixture {
  static final String SENSOR = "sensor-55";
  static final long MINUTE = 60_000;
  static final long DAY = Duration.ofDays(1).toMillis();

  WeirDriver weir;

  /** Append time. */
  long nowMs = 1_000_000;

  void start(boolean publishes, Rules rules) {
    weir = new WeirDriver(settings(publishes, rules));
  }

  static TopologySettings settings(boolean publishes, Rules rules) {
    return Variant.of(WeirDriver.settings(WeirDriver.SPEC, 1 << 20), plan(publishes, rules));
  }

  static StatusPlan plan(boolean publishes, Rules rules) {
    return new StatusPlan(publishes, 5 * MINUTE, rules, 10_000, GroupTemplate.DEFAULT);
  }

  static Rules rules(String... rules) {
    return RulesText.of(10_000, rules);
  }

  @AfterEach
  void close() {
    if (weir != null) {
      weir.close();
    }
  }

  void speak(String gateway, double value) {
    at(nowMs, gateway, value);
  }

  void at(long timestampMs, String gateway, double value) {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder().setGatewayId(gateway);
    batch.addReadingsBuilder().setSensorId(SENSOR).setTimestampMs(timestampMs).setValue(value);
    weir.send(nowMs, batch.build());
  }

  /** Time passes, with ticks. */
  void pass(long millis) {
    weir.silence(millis);
    nowMs += millis;
  }

  /** A reading in each window, past the grace of the one before: all but the last are closed. */
  void windows(double... values) {
    for (double value : values) {
      at(nowMs + 6_000, "g", value);
      nowMs += 10_000;
    }
  }

  List<String> states() {
    return weir.statuses().stream()
        .map(Map.Entry::getValue)
        .map(status -> status == null ? "gone" : status.getState().name().substring(13))
        .toList();
  }

  List<String> alarms() {
    return weir.events().stream().map(StatusFixture::brief).toList();
  }

  private static String brief(Event event) {
    Map<String, Value> fields = event.getFieldsMap();
    return fields.get("rule").getStringValue()
        + " "
        + fields.get("level").getStringValue()
        + (fields.get("active").getBoolValue() ? " active " : " cleared ")
        + fields.get("cause").getStringValue()
        + " "
        + fields.get("value").getDoubleValue();
  }
}
