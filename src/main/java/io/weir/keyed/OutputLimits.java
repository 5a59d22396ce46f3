package io.weir.keyed;

import io.weir.topic.RecordLimits;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the record limits of the output topics whenever a task starts. If a topic's limit is
 * lowered while the application runs, brokers reject a record and the stream thread dies; its
 * replacement then knows the new limit and fails the call instead. Thread-safe.
 */
final class OutputLimits implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(OutputLimits.class);
  private static final int TIMEOUT_MS = 5_000;

  /** Tasks start together; one request serves all of them. */
  private static final long EVERY_MS = 1_000;

  private final Outputs outputs;
  private final Map<String, Object> client;
  private final LongSupplier elapsedMs;
  private final int mostRecordBytes;
  private long lookedMs;

  /**
   * @param outputs the outputs, with limits that were just read
   * @param client settings of Kafka's client
   */
  OutputLimits(Outputs outputs, Map<String, Object> client, LongSupplier elapsedMs) {
    this.outputs = outputs;
    this.mostRecordBytes = outputs.maxRecordBytes();
    this.client = new HashMap<>(client);
    this.client.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    this.client.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS);
    this.elapsedMs = elapsedMs;
    this.lookedMs = elapsedMs.getAsLong();
  }

  @Override
  public synchronized void run() {
    if (outputs.topics().isEmpty() || elapsedMs.getAsLong() - lookedMs < EVERY_MS) {
      return;
    }
    try (Admin admin = Admin.create(client)) {
      TopicAdmin topics = new TopicAdmin(admin, TopicNames.DEFAULT);
      Map<String, RecordLimits> found = new HashMap<>();
      outputs.topics().forEach(topic -> found.put(topic, topics.recordLimits(topic)));
      outputs.limit(found::get, mostRecordBytes);
    } catch (KafkaException e) {
      LOG.debug("could not read the limits of the output topics; keeping the last known limits", e);
    }
    lookedMs = elapsedMs.getAsLong();
  }
}
