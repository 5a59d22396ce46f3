package io.weir.lab.chaos;

import io.weir.internal.app.HangingTransactions;
import io.weir.lab.GroupLag;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * After the faults: until the gateways have got rid of their readings and the applications have
 * read them. It says every half minute what it waits for, and gives up where nothing moves for five
 * minutes: then the oracle is asked even so, and the run is not exact. One thread.
 */
final class DrainWait {
  private static final Duration REPORT_EVERY = Duration.ofSeconds(30);
  private static final Duration TIMEOUT = Duration.ofMinutes(5);
  private static final int BLOCKED_SHOWN = 5;

  private final ChaosStage stage;
  private final Consumer<String> progress;
  private final List<String> unsettled = new ArrayList<>();
  private final ForgottenTransactions forgotten;

  DrainWait(ChaosStage stage, Consumer<String> progress) {
    this.stage = stage;
    this.progress = progress;
    this.forgotten = new ForgottenTransactions(stage.cluster().admin());
  }

  /** Waits; returns what did not come, a line each. */
  List<String> await() {
    stage.gateways().forEach(gateway -> gateway.say("stop"));
    for (Gateway gateway : stage.gateways()) {
      await(
          gateway::isDone,
          () ->
              String.format(
                  Locale.ROOT,
                  "%s is to get rid of its readings, %,d are acknowledged",
                  gateway.id(),
                  gateway.acknowledged()));
    }
    stage.postgres().ifPresent(each -> await(each::isOutboxEmpty, each::outbox));
    stage.imports().ifPresent(each -> await(each::isDone, each::where));
    awaitApplications(
        new GroupLag(
            stage.cluster().admin(), stage.lives().applicationId(), TopicNames.DEFAULT.readings()));
    if (!unsettled.isEmpty()) {
      unsettled.addAll(blocked());
    }
    return unsettled;
  }

  /** Up to where the gateways stopped: the applications go on writing ticks behind that. */
  private void awaitApplications(GroupLag lag) {
    AtomicReference<Map<TopicPartition, Long>> ends = new AtomicReference<>();
    await(() -> hasEnds(lag, ends), () -> "brokers are to say where the readings end");
    if (ends.get() != null) {
      await(
          () -> records(lag, ends.get()) == 0,
          () ->
              String.format(
                  Locale.ROOT, "applications are to read %,d records", records(lag, ends.get())));
    }
  }

  private static boolean hasEnds(GroupLag lag, AtomicReference<Map<TopicPartition, Long>> ends) {
    try {
      ends.set(lag.ends());
      return true;
    } catch (KafkaException e) {
      return false;
    }
  }

  private void await(BooleanSupplier isDone, Supplier<String> where) {
    StallDetector standstill = new StallDetector(TIMEOUT, System::nanoTime);
    while (!Waiting.until(REPORT_EVERY, isDone)) {
      String now = where.get();
      progress.accept("       waiting: " + now);
      forgotten.abort(progress);
      if (standstill.lasts(now) || Thread.currentThread().isInterrupted()) {
        unsettled.add(now + ", and nothing moved for " + TIMEOUT.toMinutes() + " minutes");
        return;
      }
    }
  }

  private static long records(GroupLag lag, Map<TopicPartition, Long> ends) {
    try {
      return lag.recordsBefore(ends);
    } catch (KafkaException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Outputs whose readers stall, and why: the first few. */
  private List<String> blocked() {
    Admin admin = stage.cluster().admin();
    List<String> topics = new ArrayList<>(TopicNames.DEFAULT.ofSensors());
    topics.remove(TopicNames.DEFAULT.readings());
    HangingTransactions transactions = new HangingTransactions(admin);
    try {
      Map<TopicPartition, Long> stable = ends(admin, topics, IsolationLevel.READ_COMMITTED);
      Map<TopicPartition, Long> ends = ends(admin, topics, IsolationLevel.READ_UNCOMMITTED);
      return stable.entrySet().stream()
          .filter(each -> each.getValue() < ends.get(each.getKey()))
          .limit(BLOCKED_SHOWN)
          .map(
              each ->
                  each.getKey()
                      + " cannot be read from offset "
                      + each.getValue()
                      + " on: "
                      + transactions.find(each.getKey(), each.getValue()).description())
          .toList();
    } catch (KafkaException | ExecutionException e) {
      return List.of("the brokers do not say where their outputs are: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static Map<TopicPartition, Long> ends(
      Admin admin, List<String> topics, IsolationLevel isolation)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> asked =
        topics.stream()
            .flatMap(
                topic ->
                    IntStream.range(0, SensorPartition.COUNT)
                        .mapToObj(partition -> new TopicPartition(topic, partition)))
            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
    return admin
        .listOffsets(asked, new ListOffsetsOptions(isolation))
        .all()
        .get()
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, found -> found.getValue().offset()));
  }
}
