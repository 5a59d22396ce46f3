package io.weir.cli.doctor;

import io.weir.cli.pages.Exposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Checks the inputs of weir edge: what they do not accept, and what never reached them. */
final class InputsCheck implements Check {
  private static final double REFUSED_SHARE = 0.01;
  private static final String READINGS = "weir_edge_readings_total";
  private static final String MESSAGES = "weir_mqtt_messages_total";

  /** Messages without an acknowledgement that Mosquitto sends to a client, unless it is set. */
  private static final double MOSQUITTO_INFLIGHT = 20;

  /** What a counter of lost or wrong data means. */
  private record Loss(String metric, String what, String why, String remedy) {}

  private static final List<Loss> LOSSES =
      List.of(
          new Loss(
              "weir_mqtt_sessions_lost_total",
              "the MQTT broker lost %.0f sessions",
              "messages between the two connections are lost",
              "enable persistence at the broker, raise its queue (Mosquitto: max_queued_messages),"
                  + " or weir.mqtt.session.expiry; publish again what is missing"),
          new Loss(
              "weir_mqtt_unreadable_total",
              "%.0f MQTT messages were too large or unreadable",
              "their readings are missing, and each ended the connection",
              "set max_packet_size at the broker; the log has the topics"),
          new Loss(
              "weir_edge_id_collisions_total",
              "%.0f readings have the sensor id of another series",
              "their windows mix two series",
              "the log names the ids; add the tag or label that differs to the template, or set"
                  + " weir.edge.id.collisions=refuse"),
          new Loss(
              "weir_edge_dedup_evicted_total",
              "%.0f identities and sensors were forgotten for want of memory",
              "a repeat of these readings counts twice",
              "raise weir.edge.dedup.bytes and the heap (weir plan --repeat computes it)"),
          new Loss(
              "weir_sparkplug_dropped_total",
              "%.0f Sparkplug messages were dropped",
              "their readings are lost: edge nodes do not send them again",
              "set weir.sparkplug.host.id, and make it the primary host of the edge nodes"),
          new Loss(
              "weir_sparkplug_unresolved_total",
              "%.0f Sparkplug metrics had an unknown alias",
              "their readings are lost",
              "check for two edge nodes with one group and id, and weir.sparkplug.rebirth"));

  @Override
  public String name() {
    return "inputs";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    List<Finding> findings = new ArrayList<>();
    cluster.metrics().forEach((process, page) -> look(cluster.pages(), process, page, findings));
    return findings;
  }

  private void look(Pages pages, String process, Exposition page, List<Finding> findings) {
    if (page.sum("weir_edge_suspended") > 0) {
      findings.add(
          broken(
              process + " accepts no readings: spool or queue are full, or the disk fails",
              "it answers 503, and some senders drop their data; an MQTT broker keeps what its queue"
                  + " holds",
              "restore the way to Kafka, or the disk; raise weir.spool.max.bytes"));
    }
    for (String broker : List.of("mqtt", "sparkplug")) {
      String connected = "weir_" + broker + "_connected";
      if (page.has(connected) && page.sum(connected) == 0) {
        findings.add(
            broken(
                process + " has no connection to the broker of weir." + broker + ".url",
                "the broker keeps messages within the limits of its queue only",
                "check the broker, its network and the credentials; its log has the reason"));
      }
    }
    refused(pages, process, findings);
    for (Loss loss : LOSSES) {
      CounterDelta counter = CounterDelta.of(pages, process, loss.metric);
      if (counter.total() > 0) {
        String what = String.format(Locale.ROOT, loss.what, counter.total());
        findings.add(
            counted(counter, process + ": " + what + " " + counter.when(), loss.why, loss.remedy));
      }
    }
    queue(pages, process, page, findings);
  }

  /** Between the samples if there are enough readings; otherwise since the start. */
  private void refused(Pages pages, String process, List<Finding> findings) {
    Predicate<String> isRefused = labels -> labels.contains("outcome=\"refused\"");
    CounterDelta refused = CounterDelta.one(pages, process, READINGS, isRefused);
    CounterDelta all =
        CounterDelta.one(
            pages, process, READINGS, labels -> !labels.contains("outcome=\"skipped\""));
    if (refused.total() > REFUSED_SHARE * all.total()) {
      findings.add(
          counted(
              refused,
              String.format(
                  Locale.ROOT,
                  "%s refused %.0f of %.0f readings of its senders %s",
                  process,
                  refused.total(),
                  all.total(),
                  refused.when()),
              "most senders drop what is refused",
              "weir_edge_refused_total has the reasons; correct the sender, its rights in"
                  + " weir.edge.clients.file, or the template of sensor ids"));
    }
  }

  /** The limits of a broker's queue, as far as they show here. */
  private void queue(Pages pages, String process, Exposition page, List<Finding> findings) {
    CounterDelta once =
        CounterDelta.one(pages, process, MESSAGES, labels -> labels.contains("qos=\"0\""));
    if (once.total() > 0) {
      findings.add(
          note(
              String.format(
                  Locale.ROOT,
                  "%s: %.0f of %.0f MQTT messages were published with QoS 0",
                  process,
                  once.total(),
                  page.sum(MESSAGES)),
              "the broker keeps none of them while the edge is away",
              "publish with QoS 1"));
    }
    String pending = "weir_mqtt_pending";
    Exposition earlier = pages.earlier().get(process);
    if (page.sum(pending) == MOSQUITTO_INFLIGHT
        && earlier != null
        && earlier.sum(pending) == MOSQUITTO_INFLIGHT) {
      findings.add(
          risk(
              process
                  + ": 20 MQTT messages wait for the disk, as many as Mosquitto sends at a time",
              "more wait at the broker, which drops what its queue does not hold",
              "set max_inflight_messages 2000 and max_queued_messages 0 at the broker"));
    }
  }
}
