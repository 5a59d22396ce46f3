package io.weir.lab.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.imports.ImportSettings;
import io.weir.lab.oracle.Findings;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Holds what an import wrote against the committed records of its source: each value is in one
 * batch, and each record that was refused is one dead letter with its origin. One thread.
 */
final class ImportOracle {
  private static final Pattern VALUE = Pattern.compile("\"value\":([0-9]+)}");

  private final String bootstrapServers;
  private final String name;
  private final Set<Long> values = new HashSet<>();
  private final Set<String> letters = new HashSet<>();
  private long records;
  private long skipped;

  /**
   * What was found.
   *
   * @param balance of the records, a line
   * @param unsettled what was waited for in vain
   */
  record Verdict(Findings findings, String balance, List<String> unsettled) {
    boolean isExact() {
      return findings.areNone() && unsettled.isEmpty();
    }

    List<String> lines() {
      List<String> lines = new ArrayList<>(List.of(balance));
      lines.addAll(findings.lines());
      unsettled.forEach(what -> lines.add("not settled: " + what));
      lines.add(
          String.format(
              Locale.ROOT,
              "import: lost %d, doubled %d, wrong %d: %s",
              findings.lost(),
              findings.doubled(),
              findings.wrongRecords(),
              isExact() ? "exact" : "NOT EXACT"));
      return lines;
    }
  }

  ImportOracle(String bootstrapServers, String name) {
    this.bootstrapServers = bootstrapServers;
    this.name = name;
  }

  /** Takes what is on the source topic; returns the offset behind the last record of each. */
  Map<TopicPartition, Long> take(List<TopicPartition> partitions) {
    Map<TopicPartition, Long> next = new HashMap<>();
    try (CommittedTopic reader = new CommittedTopic(bootstrapServers)) {
      reader.read(
          partitions,
          record -> {
            take(record);
            next.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
          });
    }
    return next;
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    records++;
    String text = record.value() == null ? "" : new String(record.value(), UTF_8);
    Matcher value = VALUE.matcher(text);
    boolean any = false;
    while (value.find()) {
      values.add(Long.parseLong(value.group(1)));
      any = true;
    }
    if (text.contains("bad")) {
      letters.add(letter(record.partition(), record.offset(), "1", text));
    } else if (text.startsWith("{\"value\"") && !any) {
      letters.add(letter(record.partition(), record.offset(), "all", text));
    } else if (!any) {
      skipped++;
    }
  }

  private static String letter(Object partition, Object offset, String positions, String text) {
    return partition + " " + offset + " " + positions + " " + text;
  }

  /** Compares. */
  Verdict judge(List<String> unsettled) {
    Map<Long, Integer> written = new HashMap<>();
    Map<String, Integer> refused = new HashMap<>();
    Findings findings = new Findings();
    try (CommittedTopic reader = new CommittedTopic(bootstrapServers)) {
      reader.read(
          TopicNames.ALL.of(Topic.READINGS),
          record -> {
            try {
              ReadingBatch batch = ReadingBatch.parseFrom(record.value());
              if (isImported(record) && batch.getGatewayId().equals("import/" + name)) {
                batch.getSeriesList().stream()
                    .flatMap(series -> series.getValueList().stream())
                    .forEach(each -> written.merge(each.longValue(), 1, Integer::sum));
              }
            } catch (InvalidProtocolBufferException | NullPointerException e) {
              // Poison of others.
            }
          });
      reader.read(
          TopicNames.ALL.deadLetters(),
          record -> {
            if (header(record, DeadLetterHeaders.GATEWAY).equals("import/" + name)) {
              String found =
                  letter(
                      header(record, DeadLetterHeaders.PARTITION),
                      header(record, DeadLetterHeaders.OFFSET),
                      header(record, DeadLetterHeaders.IMPORT_REFUSED),
                      new String(record.value(), UTF_8));
              refused.merge(found, 1, Integer::sum);
            }
          });
    }
    compare("value", values, written, findings);
    compare("dead letter", letters, refused, findings);
    return new Verdict(
        findings,
        String.format(
            Locale.ROOT,
            "import: %,d records, %,d of them skipped and %,d refused; %,d readings",
            records,
            skipped,
            letters.size(),
            written.values().stream().mapToLong(each -> each).sum()),
        unsettled);
  }

  private static <T> void compare(
      String what, Set<T> expected, Map<T, Integer> found, Findings findings) {
    for (T each : expected) {
      int times = found.getOrDefault(each, 0);
      if (times == 0) {
        findings.lost(1, "imported " + what + " " + each);
      } else if (times > 1) {
        findings.doubled(times - 1, "imported " + what + " " + each);
      }
    }
    found.keySet().stream()
        .filter(each -> !expected.contains(each))
        .forEach(each -> findings.wrongRecord("imported " + what + " of no record: " + each));
  }

  /** Whether an import wrote a batch. */
  static boolean isImported(ConsumerRecord<byte[], byte[]> record) {
    return !ImportSettings.originOf(record.headers()).isEmpty();
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String header) {
    Header found = record.headers().lastHeader(header);
    return found == null ? "" : new String(found.value(), UTF_8);
  }
}
