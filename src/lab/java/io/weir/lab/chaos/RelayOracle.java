package io.weir.lab.chaos;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.lab.oracle.Findings;
import io.weir.lab.oracle.NaiveRules;
import io.weir.lab.oracle.RelayCheck;
import io.weir.lab.oracle.RelayWords;
import io.weir.lab.oracle.Waits;
import io.weir.topic.Topic;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Holds what the two applications of {@link RelayProgram} did against their events, up to the
 * offsets that they committed: each event of a post counts once, in order, and so does the one that
 * it sends to an account. One thread.
 */
final class RelayOracle {
  private static final String EVENTS = RelayApplication.TOPICS.of(Topic.EVENTS);

  private final ChaosCluster cluster;
  private final NaiveRules rules;

  RelayOracle(ChaosCluster cluster, NaiveRules rules) {
    this.cluster = cluster;
    this.rules = rules;
  }

  /** Adds what it finds; while the applications run, that may be under way. */
  void judge(
      Map<TopicPartition, Long> ofPosts,
      Map<TopicPartition, Long> ofAccounts,
      EventVerdict.Builder verdict) {
    RelayCheck posts = new RelayCheck(RelayWords.POST, rules, readTo(ofPosts));
    RelayCheck accounts = new RelayCheck(RelayWords.ACCOUNT, rules, readTo(ofAccounts));
    Findings findings = new Findings();
    try (CommittedTopic reader = new CommittedTopic(cluster.direct())) {
      reader.read(
          EVENTS,
          record -> {
            posts.event(record);
            accounts.event(record);
          });
      reader.read(
          RelayWords.OUT,
          record -> {
            String key = text(record.key());
            String value = text(record.value());
            posts.emitted(key, value);
            accounts.emitted(key, value);
          });
      reader.read(
          RelayApplication.TOPICS.deadLetters(),
          record -> deadLetter(record, posts, accounts, findings));
    }
    posts.report(findings, verdict.waits());
    accounts.report(findings, verdict.waits());
    Set<String> ahead = accounts.subjectsAhead();
    sends(posts.handled(), accounts.acceptedSubjects(), ahead, findings, verdict.waits());
    verdict.add(
        findings,
        String.format(
            Locale.ROOT,
            "two applications: %,d events of posts, %,d of them dead letters after their last"
                + " attempt; %,d events of accounts, and %,d dead letters since their sender's broker"
                + " was ahead",
            posts.accepted(),
            posts.deadLetters(),
            accounts.accepted(),
            ahead.size()));
  }

  private static Map<Integer, Long> readTo(Map<TopicPartition, Long> committed) {
    Map<Integer, Long> readTo = new HashMap<>();
    committed.forEach(
        (partition, offset) -> {
          if (partition.topic().equals(EVENTS)) {
            readTo.put(partition.partition(), offset);
          }
        });
    return readTo;
  }

  private static void sends(
      Set<String> handled,
      Map<String, Integer> sent,
      Set<String> ahead,
      Findings findings,
      Waits waits) {
    for (String subject : handled) {
      int times = sent.getOrDefault(subject, 0);
      if (times == 0 && !ahead.contains(subject)) {
        waits.add("events that are sent to accounts", 1);
        findings.lost(1, "the event that " + subject + " sends to its account");
      } else if (times > 1) {
        findings.doubled(times - 1, "the event that " + subject + " sends to its account");
      }
    }
    sent.forEach(
        (subject, times) -> {
          if (!handled.contains(subject)) {
            findings.doubled(times, subject + " was sent to an account by a call that failed");
          }
        });
  }

  private static void deadLetter(
      ConsumerRecord<byte[], byte[]> record,
      RelayCheck posts,
      RelayCheck accounts,
      Findings findings) {
    if (!text(record.headers().lastHeader(DeadLetterHeaders.REASON).value()).equals("HANDLER")) {
      return; // Of weir events too, whose oracle looks at it.
    }
    try {
      EventBatch.parseFrom(record.value())
          .getEventsList()
          .forEach(
              event -> {
                posts.deadLetter(event);
                accounts.deadLetter(event);
              });
    } catch (InvalidProtocolBufferException e) {
      findings.wrongRecord("a dead letter of two applications that is none");
    }
  }

  private static String text(byte[] bytes) {
    return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8);
  }
}
