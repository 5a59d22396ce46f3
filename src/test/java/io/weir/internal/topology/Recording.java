package io.weir.internal.topology;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.explain.PartitionLog;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.test.TestRecord;

/** The topics of a history. The offsets of a driver begin again at each start; here they go on. */
final class Recording implements PartitionLog {
  private final ControlLog control;
  private final Map<String, List<ConsumerRecord<byte[], byte[]>>> topics = new HashMap<>();
  private long startedAt;
  private long newestMs;

  Recording(ControlLog control) {
    this.control = control;
  }

  void restarted() {
    startedAt = of(WeirDriver.READINGS).size();
  }

  void input(long appendMs, byte[] key, byte[] value, Headers headers) {
    newestMs = Math.max(newestMs, appendMs);
    add(WeirDriver.READINGS, appendMs, key, value, headers);
  }

  /** The leaders of the outputs have clocks that are an hour behind the newest of the readings. */
  void output(String topic, TestRecord<byte[], byte[]> record) {
    Headers headers = new RecordHeaders(record.headers());
    Header origin = headers.lastHeader(DeadLetterHeaders.OFFSET);
    if (origin != null) {
      long offset = Long.parseLong(new String(origin.value(), StandardCharsets.UTF_8));
      headers.remove(DeadLetterHeaders.OFFSET);
      headers.add(
          DeadLetterHeaders.OFFSET,
          String.valueOf(startedAt + offset).getBytes(StandardCharsets.UTF_8));
    }
    add(topic, newestMs - 3_600_000, record.key(), record.value(), headers);
  }

  private void add(String topic, long appendMs, byte[] key, byte[] value, Headers headers) {
    List<ConsumerRecord<byte[], byte[]>> records = of(topic);
    records.add(
        new ConsumerRecord<>(
            topic,
            0,
            records.size(),
            appendMs,
            TimestampType.LOG_APPEND_TIME,
            0,
            value == null ? -1 : value.length,
            key,
            value,
            headers,
            Optional.empty()));
  }

  /** The records of a topic. */
  List<ConsumerRecord<byte[], byte[]>> of(String topic) {
    return topics.computeIfAbsent(topic, any -> new ArrayList<>());
  }

  @Override
  public OptionalLong committed(int partition) {
    return OptionalLong.of(of(WeirDriver.READINGS).size());
  }

  @Override
  public Scan read(
      Topic topic, int partition, long sinceMs, Predicate<ConsumerRecord<byte[], byte[]>> each) {
    List<ConsumerRecord<byte[], byte[]>> records = of("weir." + topic.text());
    int from = 0;
    while (from < records.size() && records.get(from).timestamp() < sinceMs) {
      from++;
    }
    for (ConsumerRecord<byte[], byte[]> record : records.subList(from, records.size())) {
      if (!each.test(record)) {
        break;
      }
    }
    return new Scan(from, records.size() - from, 0, OptionalLong.empty(), true);
  }

  @Override
  public Optional<String> gatewayToReset(ResetMark mark) {
    return control.gatewayToReset(mark);
  }
}
