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
 * Looks again which records the outputs take, whenever a task begins: where a topic was changed
 * while the application ran, brokers refuse what is emitted, and the thread dies of it. The one
 * that takes its place finds the call that is to fail. Safe for several threads.
 */
final class OutputLimits implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(OutputLimits.class);
  private static final int TIMEOUT_MS = 5_000;

  /** Tasks begin together; one look is enough for all of them. */
  private static final long EVERY_MS = 1_000;

  private final Outputs outputs;
  private final Map<String, Object> client;
  private final LongSupplier elapsedMs;
  private final int mostRecordBytes;
  private long lookedMs;

  /**
   * @param outputs whose limits were looked up just now
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
      LOG.debug("the outputs could not be looked at; what was found before holds", e);
    }
    lookedMs = elapsedMs.getAsLong();
  }
}
