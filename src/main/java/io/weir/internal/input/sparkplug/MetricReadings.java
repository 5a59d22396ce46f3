package io.weir.internal.input.sparkplug;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.Clients;
import io.weir.internal.input.Delivery;
import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.Intake;
import io.weir.internal.input.Outcome;
import io.weir.internal.input.Sensor;
import io.weir.internal.input.SensorTemplate;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Offers metrics as readings. Waits for room: the message in hand is not lost while the edge is
 * suspended. Not thread-safe.
 */
final class MetricReadings {
  private static final int NANOS = 1_000_000;
  private static final int HASH_DIGITS = 16;

  private final Intake intake;
  private final InputMetrics metrics;
  private final SparkplugMetrics own;
  private final SensorTemplate template;
  private final BooleanSupplier goesOn;
  private final Map<String, Integer> refused = new TreeMap<>();
  private final Map<String, Integer> skipped = new TreeMap<>();
  private Delivery delivery;
  private SparkplugTopic topic;
  private String prefix = "";
  private String sender = "";
  private int withArrivalTime;
  private boolean ended;

  /**
   * @param goesOn asked while there is no room; whether to wait on
   */
  MetricReadings(
      Intake intake,
      InputMetrics metrics,
      SparkplugMetrics own,
      SensorTemplate template,
      BooleanSupplier goesOn) {
    this.intake = intake;
    this.metrics = metrics;
    this.own = own;
    this.template = template;
    this.goesOn = goesOn;
    this.delivery = intake.begin();
  }

  /** The sensor of a metric of the message; without an id if a part of it is missing. */
  Sensor sensor(String metric) {
    String series = prefix + metric;
    String id =
        template.id(
            (name, argument) ->
                switch (name) {
                  case "group" -> topic.group();
                  case "node" -> topic.node();
                  case "device" -> topic.device();
                  case "metric" -> metric;
                  case "client" -> SparkplugInput.NAME;
                  case "hash" -> Clients.hash(series).substring(0, HASH_DIGITS);
                  default -> null;
                });
    return Sensor.of(id, id.getBytes(UTF_8), series);
  }

  /**
   * Offers a metric.
   *
   * @param type of its value
   */
  void offer(Sensor sensor, Metric metric, int type, Payload payload, long arrivalNanos) {
    if (!metric.isNumeric(type)) {
      skip("type");
    } else if (metric.isNull()) {
      skip("null");
    } else if (!metric.hasValue()) {
      skip("no_value");
    } else if (!metric.fits(type)) {
      refuse("TYPE_MISMATCH");
    } else if (metric.hasTimestamp()) {
      offer(sensor, metric, type, metric.timestampMs(), 0);
    } else if (payload.hasTimestamp()) {
      offer(sensor, metric, type, payload.timestampMs(), 0);
    } else {
      withArrivalTime++;
      long ms = Math.floorDiv(arrivalNanos, NANOS);
      offer(sensor, metric, type, ms, Math.floorMod(arrivalNanos, NANOS));
    }
  }

  /**
   * The topic of the message whose metrics follow.
   *
   * @param known whether its new sensors are of the share of its group, or of that of all
   *     newcomers: a group is invented easily
   */
  void from(SparkplugTopic of, boolean known) {
    topic = of;
    prefix = of.key() + "/" + of.device() + "/";
    sender = known ? of.group() : Delivery.NEWCOMERS;
    delivery.from(sender);
  }

  private void offer(Sensor sensor, Metric metric, int type, long ms, int nanosOfMs) {
    if (metric.isHistorical()) {
      own.historical();
    }
    if (ended) {
      refuse("NO_ROOM");
      return;
    }
    double value = metric.value(type);
    Outcome outcome = delivery.offer(sensor, ms, nanosOfMs, value, metric.quality());
    while (outcome == Outcome.NOT_STORED) {
      begin();
      if (!goesOn.getAsBoolean()) {
        ended = true;
        refuse("NO_ROOM");
        return;
      }
      outcome = delivery.offer(sensor, ms, nanosOfMs, value, metric.quality());
    }
    outcome.refusal().ifPresent(this::refuse);
  }

  void refuse(String reason) {
    refused.merge(reason, 1, Integer::sum);
  }

  void skip(String kind) {
    skipped.merge(kind, 1, Integer::sum);
  }

  /** A message is done: counts what became of it. */
  void begin() {
    delivery.finish();
    metrics.readings(SparkplugInput.NAME, delivery, sum(refused), sum(skipped));
    refused.forEach((reason, count) -> metrics.refused(SparkplugInput.NAME, reason, count));
    skipped.forEach((kind, count) -> metrics.skipped(SparkplugInput.NAME, kind, count));
    metrics.arrivalTime(SparkplugInput.NAME, withArrivalTime);
    refused.clear();
    skipped.clear();
    withArrivalTime = 0;
    delivery = intake.begin().from(sender);
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
