package io.weir.lab.chaos;

import io.weir.lab.RawBatch;
import io.weir.lab.hostile.HostileMessage;
import io.weir.lab.hostile.HostileOutboxRow;
import io.weir.lab.hostile.HostileOutput;
import io.weir.lab.hostile.HostileRecord;
import io.weir.lab.hostile.HostileRequest;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * A broker, everything that reads what a hostile writer sends, and an honest neighbour. Closing it
 * ends them all.
 */
final class HostileStage implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration DOCTOR_PAUSE = Duration.ofSeconds(15);
  private static final Duration DOCTOR_TIMEOUT = Duration.ofMinutes(2);
  private static final int EVENT_KEYS = 100_000;

  /** A topic of another program. */
  private static final String SOURCE = "hostile.source";

  private final ChaosCluster cluster;
  private final List<Victim> victims = new ArrayList<>();
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private final Neighbour neighbour;
  private final Optional<HostileOutbox> outbox;
  private final HostileHttp http = new HostileHttp(FreePorts.find(1).get(0));
  private final HostileMqtt mqtt = new HostileMqtt();
  private final HostileServe serve = new HostileServe(FreePorts.find(1).get(0));
  private final boolean others;
  private final Victim doctor;
  private final Thread visits = new Thread(this::visit, "doctor");
  private volatile boolean closed;

  private HostileStage(HostileSettings settings, Path dir) {
    cluster = ChaosCluster.start(1, dir);
    try {
      new TopicAdmin(cluster.admin(), TopicNames.ALL).createMissing();
      outbox = settings.postgres() ? Optional.of(new HostileOutbox()) : Optional.empty();
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
    String kafka = cluster.direct();
    Victim edge = HostileVictims.edge(kafka, dir);
    victims.addAll(HostileVictims.applications(kafka, dir));
    victims.add(edge);
    victims.add(HostileVictims.httpEdge(kafka, dir, http.port()));
    victims.add(HostileVictims.mqttEdge(kafka, dir, mqtt));
    outbox.ifPresent(database -> victims.addAll(HostileVictims.ofDatabase(kafka, dir, database)));
    if (settings.others()) {
      NewTopic source = new NewTopic(SOURCE, 1, (short) 1);
      KafkaFutures.await(cluster.admin().createTopics(List.of(source)).all());
      victims.addAll(HostileVictims.readers(kafka, dir, serve, SOURCE));
    }
    others = settings.others();
    doctor = HostileVictims.doctor(kafka, dir);
    neighbour = new Neighbour(kafka, edge::say);
  }

  /**
   * Starts everything; returns when the neighbour's windows come.
   *
   * @throws IllegalStateException if they do not
   */
  static HostileStage start(HostileSettings settings, Path dir) {
    HostileStage stage = new HostileStage(settings, dir);
    try {
      stage.victims.forEach(Victim::start);
      stage.neighbour.start();
      stage.http.start();
      stage.mqtt.start();
      // Once from the start on, and once more when what came meanwhile has been worked off.
      for (int number = 0; number < 2 * Neighbour.PARTITIONS; number++) {
        if (!stage.awaitNeighbours(number, START_TIMEOUT)) {
          throw new IllegalStateException(
              "no windows come; %s; see the logs in %s".formatted(stage.drainEnded(), dir));
        }
      }
      if (stage.others) {
        stage.visits.setDaemon(true);
        stage.visits.start();
      }
      stage.neighbour.drainLongestWaitMs();
      return stage;
    } catch (RuntimeException e) {
      stage.close();
      throw e;
    }
  }

  private void visit() {
    while (!Waiting.until(DOCTOR_PAUSE, () -> closed)) {
      doctor.start();
      int status = doctor.await(DOCTOR_TIMEOUT);
      if (!closed && (status < 0 || status > 1)) {
        ended.add(doctor.end().orElse("doctor did not end"));
        doctor.close();
      }
      ended.addAll(serve.faults());
    }
  }

  Neighbour neighbour() {
    return neighbour;
  }

  /** Sends what a row is; in words why it was not taken, or empty. */
  Optional<String> send(HostileRow row, int partition) {
    try {
      long nowMs = System.currentTimeMillis();
      switch (row.target()) {
        case OUTBOX -> outbox.orElseThrow().insert(HostileOutboxRow.of(row, nowMs));
        case HTTP -> {
          return http.send(HostileRequest.of(row, nowMs));
        }
        case MQTT, SPARKPLUG -> {
          HostileMessage message = HostileMessage.of(row, nowMs);
          mqtt.send(row.target(), message);
          sendToImport(
              RawBatch.ofCopies(
                  Compression.gzip().build(),
                  1,
                  message.topic(),
                  message.payload(),
                  new Header[0]));
        }
        case OUTPUT ->
            send(HostileOutput.of(row, nowMs - nowMs % HostileOutput.SIZE_MS), partition);
        default -> send(row.target(), HostileRecord.of(row, partition, nowMs), partition);
      }
      return Optional.empty();
    } catch (SQLException | IOException | ApiException e) {
      return Optional.of(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private void send(Target target, HostileRecord record, int partition) throws IOException {
    Topic topic =
        target == Target.READINGS
            ? Topic.READINGS
            : record.scheduled() ? Topic.SCHEDULED : Topic.EVENTS;
    MemoryRecords batch =
        RawBatch.ofCopies(
            record.compression(),
            record.records(),
            record.key(),
            record.value(),
            record.headers().toArray());
    RawBatch.send(cluster.direct(), TopicNames.ALL.of(topic), partition, batch);
    sendToImport(batch);
  }

  /** As another program's topic may have it. */
  private void sendToImport(MemoryRecords batch) throws IOException {
    if (others) {
      RawBatch.send(cluster.direct(), SOURCE, 0, batch);
    }
  }

  /** Its broker takes it from anybody, as one does that has no ACLs. */
  private void send(HostileOutput forged, int partition) throws IOException {
    boolean ordered = forged.topic().equals(TopicNames.ALL.control());
    RawBatch.send(
        cluster.direct(),
        forged.topic(),
        ordered ? 0 : partition,
        RawBatch.ofCopies(
            Compression.NONE, 1, forged.key(), forged.value(), forged.headers().toArray()));
  }

  /** Sends an honest event that is due at once, and becomes a fold; its key. */
  String sendEvent(int partition, long nowMs) {
    String key = eventKey(partition);
    EventBatch batch =
        EventBatch.newBuilder()
            .addEvents(
                Event.newBuilder()
                    .setKey(key)
                    .setId("probe")
                    .setTimestampMs(nowMs)
                    .setDueMs(nowMs)
                    .setType("probe"))
            .build();
    try {
      RawBatch.send(
          cluster.direct(),
          TopicNames.ALL.of(Topic.SCHEDULED),
          partition,
          RawBatch.ofCopies(Compression.NONE, 1, null, batch.toByteArray(), new Header[0]));
      return key;
    } catch (IOException e) {
      throw new IllegalStateException("the broker takes no event: " + e.getMessage(), e);
    }
  }

  private static String eventKey(int partition) {
    for (int number = 0; number < EVENT_KEYS; number++) {
      String key = "neighbour-event-" + number;
      if (SensorPartition.of(key) == partition) {
        return key;
      }
    }
    throw new IllegalStateException("no key of partition " + partition);
  }

  /**
   * Whether honest readings of a time and later have come through everything, of which processes
   * that ended are started again.
   */
  private boolean isThrough(int number, long timeMs) {
    startEnded();
    return neighbour.hasWindowsAfter(timeMs)
        && neighbour.hasWindowAfter(HostileHttp.NEIGHBOUR, timeMs)
        && neighbour.hasWindowAfter(HostileMqtt.NEIGHBOUR, timeMs)
        && outbox
            .map(
                tables ->
                    neighbour.hasWindowAfter(HostileOutbox.NEIGHBOUR, timeMs)
                        && tables.hasWindowAfter(neighbour.sensor(number), timeMs))
            .orElse(true);
  }

  /**
   * Waits until honest readings, and an honest event, that were sent after now have come through
   * everything behind a partition; whether they did.
   */
  boolean awaitNeighbours(int number, Duration atMost) {
    long nowMs = System.currentTimeMillis();
    String key = sendEvent(neighbour.partition(number), nowMs);
    return Waiting.until(atMost, () -> isThrough(number, nowMs) && neighbour.hasFold(key, nowMs));
  }

  private void startEnded() {
    for (Victim victim : victims) {
      victim
          .end()
          .ifPresent(
              how -> {
                ended.add(how);
                victim.start();
              });
    }
  }

  /** How processes ended by themselves since the last call. */
  List<String> drainEnded() {
    List<String> drained = List.copyOf(ended);
    ended.removeAll(drained);
    return drained;
  }

  @Override
  public void close() {
    closed = true;
    doctor.close();
    http.close();
    mqtt.close();
    // First, as the neighbour may wait for it to read.
    victims.forEach(Victim::close);
    neighbour.close();
    outbox.ifPresent(HostileOutbox::close);
    cluster.close();
  }
}
