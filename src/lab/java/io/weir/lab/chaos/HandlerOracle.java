package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.lab.oracle.Findings;
import io.weir.lab.oracle.HandlerCheck;
import io.weir.lab.oracle.NaiveRules;
import io.weir.lab.oracle.ScriptedHandler;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Holds what handlers emitted, and the dead letters of their calls, against a naive pass over their
 * events, up to the offsets that they committed with both. One thread.
 */
final class HandlerOracle {
  private static final String CALLS = HandlersApplication.TOPICS.of(Topic.EVENTS);

  private final ChaosCluster cluster;
  private final NaiveRules rules;

  HandlerOracle(ChaosCluster cluster, NaiveRules rules) {
    this.rules = rules;
    this.cluster = cluster;
  }

  /** Adds what it finds; while the application runs, that may be under way. */
  void judge(Map<TopicPartition, Long> readTo, EventVerdict.Builder verdict) {
    List<HandlerCheck> checks = new ArrayList<>();
    for (int i = 0; i < SensorPartition.COUNT; i++) {
      long to = readTo.getOrDefault(new TopicPartition(CALLS, i), 0L);
      String deadLetters = HandlersApplication.TOPICS.deadLetters();
      long idleMs = HandlerProgram.IDLE_END.toMillis();
      checks.add(new HandlerCheck(deadLetters, rules, idleMs, i, to));
    }
    Findings findings = new Findings();
    Map<String, List<String>> emitted = new HashMap<>();
    try (CommittedTopic reader = new CommittedTopic(cluster.direct())) {
      reader.read(CALLS, record -> checks.get(record.partition()).event(record));
      reader.read(
          HandlersApplication.TOPICS.deadLetters(),
          record -> {
            try {
              checks.get(record.partition()).deadLetter(record);
            } catch (InvalidProtocolBufferException e) {
              findings.wrongRecord("a dead letter of handlers that is none");
            }
          });
      reader.read(
          ScriptedHandler.OUT,
          record ->
              emitted
                  .computeIfAbsent(text(record.key()), key -> new ArrayList<>())
                  .add(text(record.value())));
    }
    long emissions = emitted.values().stream().mapToLong(List::size).sum();
    checks.forEach(check -> findings.add(check.findings(emitted)));
    emitted.forEach((key, values) -> findings.doubled(values.size(), "emissions of key " + key));
    checks.forEach(check -> check.waiting(verdict.waits()));
    verdict.add(
        findings,
        String.format(
            Locale.ROOT,
            "handlers: %,d events, %,d emissions, %,d calls by timers and at idle ends that failed"
                + " and came again",
            checks.stream().mapToLong(HandlerCheck::accepted).sum(),
            emissions,
            checks.stream().mapToLong(HandlerCheck::retries).sum()));
  }

  private static String text(byte[] bytes) {
    return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8);
  }
}
