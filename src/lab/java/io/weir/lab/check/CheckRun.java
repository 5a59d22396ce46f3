package io.weir.lab.check;

import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Offers gateways a broker, takes it away now and then, and shows a check every record. One thread.
 */
public final class CheckRun {
  private static final Duration POLL = Duration.ofMillis(100);

  /** How long records come before an outage, and again after the last one before the end. */
  private static final Duration TRAFFIC = Duration.ofSeconds(3);

  private static final Duration ANSWERS_LOST = Duration.ofSeconds(2);
  private static final List<TopicPartition> PARTITIONS =
      IntStream.range(0, SensorPartition.COUNT)
          .mapToObj(partition -> new TopicPartition(TopicNames.DEFAULT.readings(), partition))
          .toList();

  private final CheckPlan plan;
  private final Predicate<Duration> stopWithin;
  private final Listener listener;
  private final GatewayCheck check = new GatewayCheck();
  private int outages;
  private long deadlineNanos;

  /**
   * Records from before an outage may be read after it; the broker has the clock of this process.
   */
  private long upSinceMs;

  /** When records began to come, since the start or the last outage; 0 while none has. */
  private long trafficSinceNanos;

  /** Receives what happens during the run. */
  public interface Listener {
    /** The broker takes clients at {@code host:port}. */
    void started(String address);

    /** The broker is stopped, and acknowledged nothing for a moment before. */
    void outage(int number, Duration length);

    /** The broker is there again. */
    void back();
  }

  /**
   * @param stopWithin waits for a request to stop, for at most that long; whether one has come
   */
  public CheckRun(CheckPlan plan, Predicate<Duration> stopWithin, Listener listener) {
    this.plan = plan;
    this.stopWithin = stopWithin;
    this.listener = listener;
  }

  /** Runs to the end of the plan, or until it is asked to stop; returns what was found. */
  public GatewayCheck run() {
    try (LinkedBroker broker = LinkedBroker.start(plan.port());
        KafkaConsumer<byte[], byte[]> consumer = consumer(broker.address())) {
      consumer.assign(PARTITIONS);
      consumer.seekToBeginning(PARTITIONS);
      deadlineNanos = System.nanoTime() + plan.atMost().toNanos();
      listener.started(broker.address());
      while (!isOver()) {
        poll(consumer);
        if (outages < plan.outages() && hadTraffic()) {
          outage(broker);
        }
      }
      readToEnd(consumer);
    }
    return check;
  }

  /** How often the broker was stopped and started. */
  public int outages() {
    return outages;
  }

  private boolean isOver() {
    return stopWithin.test(Duration.ZERO)
        || System.nanoTime() - deadlineNanos >= 0
        || (hasEnough() && outages == plan.outages() && (outages == 0 || hadTraffic()));
  }

  private boolean hasEnough() {
    return plan.records() > 0 && check.records() >= plan.records();
  }

  private boolean hadTraffic() {
    return trafficSinceNanos != 0 && System.nanoTime() - trafficSinceNanos >= TRAFFIC.toNanos();
  }

  private void poll(KafkaConsumer<byte[], byte[]> consumer) {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      check.take(record);
      if (trafficSinceNanos == 0 && record.timestamp() >= upSinceMs) {
        trafficSinceNanos = System.nanoTime();
      }
    }
  }

  private void outage(LinkedBroker broker) {
    outages++;
    broker.loseAnswers();
    stopWithin.test(ANSWERS_LOST);
    broker.stop();
    listener.outage(outages, plan.outageLength());
    stopWithin.test(plan.outageLength());
    broker.resume();
    upSinceMs = System.currentTimeMillis();
    trafficSinceNanos = 0;
    listener.back();
  }

  private void readToEnd(KafkaConsumer<byte[], byte[]> consumer) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(PARTITIONS);
    while (PARTITIONS.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
      poll(consumer);
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String address) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            address,
            "client.id",
            "weir-check-gateway",
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest",
            "reconnect.backoff.max.ms",
            500),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
