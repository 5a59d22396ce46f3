package io.weir.internal.ops;

import io.weir.internal.input.InputMetrics;
import io.weir.internal.input.mqtt.MqttMetrics;
import io.weir.internal.input.sparkplug.SparkplugMetrics;
import java.util.List;

/** The metrics of the inputs of {@code weir edge}. */
public enum InputMetric implements Metric {
  REQUESTS(
      InputMetrics.REQUESTS,
      Kind.COUNTER,
      "requests",
      List.of("input", "status"),
      "answered requests by status"),
  REQUEST(
      InputMetrics.REQUEST_SECONDS,
      Kind.TIMER,
      "seconds",
      List.of("input"),
      "time from the head of a request to its answer"),
  READINGS(
      InputMetrics.READINGS,
      Kind.COUNTER,
      "readings",
      List.of("input", "outcome"),
      "readings by outcome: accepted, duplicate (sent again), refused, skipped"),
  REFUSED(
      InputMetrics.REFUSED,
      Kind.COUNTER,
      "readings",
      List.of("input", "reason"),
      "refused readings by reason"),
  SKIPPED(
      InputMetrics.SKIPPED,
      Kind.COUNTER,
      "readings",
      List.of("input", "kind"),
      "what is no reading, by kind: strings, stale, nan, infinite, no_value, histogram, exemplar,"
          + " metadata"),
  RECEIVED_BYTES(
      InputMetrics.RECEIVED_BYTES,
      Kind.COUNTER,
      "bytes",
      List.of("input"),
      "bytes of bodies as received"),
  REQUESTS_IN_FLIGHT(
      InputMetrics.REQUESTS_IN_FLIGHT,
      Kind.GAUGE,
      "requests",
      List.of(),
      "requests whose bodies have come and that are not answered yet"),
  CLOSED(
      InputMetrics.CLOSED,
      Kind.COUNTER,
      "connections",
      List.of("cause"),
      "connections closed without an answer, by cause: places (too many connections), head (no"
          + " request within 10 s), body (too slow), memory (other bodies needed it)"),
  SUSPENDED(
      InputMetrics.SUSPENDED,
      Kind.GAUGE,
      "0 or 1",
      List.of(),
      "1 while writes are answered with 503 because the spool or the queue is full, or the disk"
          + " fails"),
  IDENTITIES(
      InputMetrics.IDENTITIES,
      Kind.GAUGE,
      "readings",
      List.of(),
      "readings whose repeats are recognised"),
  EVICTED(
      InputMetrics.EVICTED,
      Kind.COUNTER,
      "identities",
      List.of("what"),
      "identities and sensors forgotten for want of weir.edge.dedup.bytes"),
  COLLISIONS(
      InputMetrics.COLLISIONS,
      Kind.COUNTER,
      "readings",
      List.of(),
      "readings whose sensor id belongs to another series"),
  ARRIVAL_TIME(
      InputMetrics.ARRIVAL_TIME,
      Kind.COUNTER,
      "readings",
      List.of("input"),
      "readings that got the time of their arrival; repeats of them are not recognised"),
  MQTT_CONNECTED(
      MqttMetrics.CONNECTED,
      Kind.GAUGE,
      "1",
      List.of(),
      "1 while connected and subscribed to an MQTT broker"),
  MQTT_MESSAGES(
      MqttMetrics.MESSAGES,
      Kind.COUNTER,
      "messages",
      List.of("qos"),
      "messages received, also again; those of QoS 0 are sent once and may be lost"),
  MQTT_PENDING(
      MqttMetrics.PENDING,
      Kind.GAUGE,
      "messages",
      List.of(),
      "messages whose readings are not on disk yet"),
  MQTT_RECONNECTS(
      MqttMetrics.RECONNECTS,
      Kind.COUNTER,
      "connections",
      List.of(),
      "connections to the MQTT broker that ended"),
  MQTT_SESSIONS_LOST(
      MqttMetrics.SESSIONS_LOST,
      Kind.COUNTER,
      "sessions",
      List.of(),
      "sessions that the MQTT broker no longer had: messages in between are lost"),
  MQTT_UNREADABLE(
      MqttMetrics.UNREADABLE,
      Kind.COUNTER,
      "messages",
      List.of(),
      "messages that ended the connection: they are too large or cannot be read"),
  MQTT_RETAINED(
      MqttMetrics.RETAINED, Kind.COUNTER, "messages", List.of(), "retained messages skipped"),
  SPARKPLUG_CONNECTED(
      SparkplugMetrics.CONNECTED,
      Kind.GAUGE,
      "1",
      List.of(),
      "1 while connected and subscribed to the broker of Sparkplug edge nodes"),
  SPARKPLUG_NODES(
      SparkplugMetrics.NODES,
      Kind.GAUGE,
      "edge nodes",
      List.of("state"),
      "edge nodes by state: online, offline, unsure (a birth may have been missed)"),
  SPARKPLUG_GAPS(
      SparkplugMetrics.GAPS,
      Kind.COUNTER,
      "gaps",
      List.of(),
      "sequences of edge nodes that missed a message for longer than"
          + " weir.sparkplug.reorder.timeout"),
  SPARKPLUG_REBIRTHS(
      SparkplugMetrics.REBIRTHS,
      Kind.COUNTER,
      "requests",
      List.of("cause"),
      "requests to edge nodes to send their births again, by cause: unknown_node, reconnect, gap,"
          + " unknown_metric"),
  SPARKPLUG_UNRESOLVED(
      SparkplugMetrics.UNRESOLVED,
      Kind.COUNTER,
      "metrics",
      List.of(),
      "metrics lost because their name or type is not known: an alias without a birth"),
  SPARKPLUG_HISTORICAL(
      SparkplugMetrics.HISTORICAL,
      Kind.COUNTER,
      "readings",
      List.of(),
      "readings that edge nodes kept and sent later"),
  SPARKPLUG_DROPPED(
      SparkplugMetrics.DROPPED,
      Kind.COUNTER,
      "messages",
      List.of(),
      "messages of edge nodes that were lost for want of room, or retained"),
  SPARKPLUG_RECONNECTS(
      SparkplugMetrics.RECONNECTS,
      Kind.COUNTER,
      "connections",
      List.of(),
      "connections to the broker of Sparkplug edge nodes that ended");

  private final MetricSpec spec;

  InputMetric(String meterName, Kind kind, String unit, List<String> labels, String meaning) {
    this.spec = new MetricSpec(meterName, kind, unit, labels, meaning);
  }

  @Override
  public MetricSpec spec() {
    return spec;
  }
}
