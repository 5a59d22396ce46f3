package io.weir.lab.oracle;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.v1.WindowSummary;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Whether the summaries of each sensor are among the parts of groups, each once and in the order of
 * the sensor's topic. Of all partitions; eight bytes are kept of each summary. One thread.
 */
public final class PartsCheck {
  private final long sizeMs;
  private final Map<String, List<Long>> expected = new HashMap<>();
  private final Map<String, List<Long>> found = new HashMap<>();
  private long parts;

  public PartsCheck(NaiveEventRules rules) {
    this.sizeMs = rules.groupSizeMs();
  }

  /** Takes a summary of a sensor that the application had read. */
  public void summary(ConsumerRecord<byte[], byte[]> record) throws InvalidProtocolBufferException {
    if (record.value() == null || NaiveRecord.isTick(record)) {
      return;
    }
    WindowSummary summary = WindowSummary.parseFrom(record.value());
    if (summary.getWindowEndMs() - summary.getWindowStartMs() == sizeMs) {
      add(expected, summary);
    }
  }

  /** Takes a part of a group. */
  public void part(WindowSummary part) {
    parts++;
    add(found, part);
  }

  private static void add(Map<String, List<Long>> to, WindowSummary summary) {
    to.computeIfAbsent(summary.getSensorId(), any -> new ArrayList<>()).add(digest(summary));
  }

  /** Of what groups are made of. */
  private static long digest(WindowSummary summary) {
    byte[] kept =
        WindowSummary.newBuilder()
            .setWindowStartMs(summary.getWindowStartMs())
            .setWindowEndMs(summary.getWindowEndMs())
            .setCount(summary.getCount())
            .setBadCount(summary.getBadCount())
            .setSum(summary.getSum())
            .addAllSumRest(summary.getSumRestList())
            .setMin(summary.getMin())
            .setMax(summary.getMax())
            .setRevision(summary.getRevision())
            .build()
            .toByteArray();
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(kept)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How many parts there are. */
  public long parts() {
    return parts;
  }

  /** Everything that differs. */
  public Findings findings() {
    Findings findings = new Findings();
    found.forEach(
        (sensor, is) -> {
          List<Long> must = expected.getOrDefault(sensor, List.of());
          if (must.size() > is.size()) {
            findings.lost(must.size() - is.size(), "parts of groups of " + sensor);
          } else if (must.size() < is.size()) {
            findings.doubled(is.size() - must.size(), "parts of groups of " + sensor);
          } else if (!must.equals(is)) {
            findings.wrongRecord("parts of groups of " + sensor + " differ from its summaries");
          }
        });
    expected.forEach(
        (sensor, must) -> {
          if (!found.containsKey(sensor)) {
            findings.lost(must.size(), "parts of groups of " + sensor);
          }
        });
    return findings;
  }
}
