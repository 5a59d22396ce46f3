package io.weir.internal.serve;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.explain.ExplainSettings;
import io.weir.internal.explain.Explainer;
import io.weir.internal.explain.Explanation;
import io.weir.internal.explain.TopicLog;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;

/** Explains windows from the topics, two at a time. Safe for many threads. */
final class Explaining {
  private static final int AT_A_TIME = 2;

  private final ExplainSettings settings;
  private final String group;
  private final Admin admin;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final Semaphore free = new Semaphore(AT_A_TIME);

  Explaining(WeirConfig config, Admin admin, Supplier<Consumer<byte[], byte[]>> consumers) {
    this.settings = ExplainSettings.of(config, config.serve().scanBytes());
    this.group = config.applicationId();
    this.admin = admin;
    this.consumers = consumers;
  }

  /**
   * @throws Problem if others ask already, or Kafka does not answer
   */
  Explanation explain(String sensorId, long startMs, OptionalLong sizeMs) {
    if (settings.scanBytes() == 0) {
      throw Problem.of(404, "weir.serve.scan.bytes is 0: weir serve reads no older records");
    }
    if (sizeMs.isPresent() && !settings.hasLength(sizeMs.getAsLong())) {
      throw Problem.parameter(
          "size", "expected: weir.window.size, a length of weir.rollups, or weir.hopping");
    }
    if (!free.tryAcquire()) {
      throw Problem.later(2, "others ask for explanations now");
    }
    try (TopicLog log = new TopicLog(settings, group, admin, consumers)) {
      return Explainer.explain(settings, log, sensorId, startMs, sizeMs);
    } catch (AuthorizationException e) {
      throw Problem.of(503, "weir serve has no right to read the topics: " + e.getMessage());
    } catch (KafkaException e) {
      throw Problem.later(5, "Kafka does not answer: " + e.getMessage());
    } finally {
      free.release();
    }
  }
}
