package io.weir.internal.imports;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.imports.ImportProgress.Mark;
import io.weir.internal.registry.RegistryException;
import io.weir.internal.text.RecordText.Refused;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * Reads the dead letters of an import once more, up to those that are there at its start. Each is
 * taken once: the readings that were refused, the next offset of its partition and a new dead
 * letter of what is still refused are one transaction. One thread.
 */
public final class ImportAgain {
  private static final Duration POLL = Duration.ofMillis(100);

  private final ImportSettings settings;
  private final Import.Clients clients;
  private final Import.Form form;
  private final ImportDeadLetters letters;

  /**
   * The original record of a dead letter.
   *
   * @param wanted the positions of the readings that were refused; empty for all
   */
  record Letter(
      ConsumerRecord<byte[], byte[]> record,
      Optional<BitSet> wanted,
      String positions,
      int readings,
      String reason) {}

  public ImportAgain(ImportSettings settings, Import.Clients clients, Import.Form form) {
    this.settings = settings;
    this.clients = clients;
    this.form = form;
    this.letters = new ImportDeadLetters(settings, form.maxDeadLetterBytes());
  }

  /**
   * Runs to the end; returns what became of the dead letters.
   *
   * @throws RegistryException if a registry gives no answer; what was committed stays
   */
  public ImportCounts run() {
    try (Producer<byte[], byte[]> producer = clients.producer().get();
        Consumer<byte[], byte[]> reader = clients.reader().get()) {
      producer.initTransactions();
      ImportTransaction transaction = new ImportTransaction(producer, System::nanoTime);
      Uuid id =
          clients
              .topicId()
              .apply(settings.deadLetters())
              .orElseThrow(() -> new KafkaException("no topic " + settings.deadLetters()));
      Map<TopicPartition, Mark> marks = ImportProgress.read(settings, reader, clients.end());
      List<TopicPartition> all =
          IntStream.range(0, SensorPartition.COUNT)
              .mapToObj(each -> new TopicPartition(settings.deadLetters(), each))
              .toList();
      reader.assign(all);
      Map<TopicPartition, Long> ends = reader.endOffsets(all);
      ImportOutput output =
          new ImportOutput(
              settings,
              form,
              transaction,
              () -> commit(transaction.offsets(), ends, id, transaction));
      Map<TopicPartition, Long> first = reader.beginningOffsets(all);
      for (TopicPartition each : all) {
        Mark mark = marks.get(each);
        boolean known = mark != null && mark.topicId().equals(id);
        OffsetAndMetadata begin = new OffsetAndMetadata(first.get(each));
        reader.seek(each, known && mark.next().offset() > begin.offset() ? mark.next() : begin);
      }
      Set<TopicPartition> open = new HashSet<>(all);
      ImportCounts counts = ImportCounts.NONE;
      while (true) {
        open.removeIf(each -> reader.position(each) >= ends.get(each));
        if (open.isEmpty()) {
          return counts;
        }
        ConsumerRecords<byte[], byte[]> records = reader.poll(POLL);
        if (!records.isEmpty()) {
          counts = counts.plus(take(records, ends, id, output, transaction));
        }
      }
    }
  }

  private ImportCounts take(
      ConsumerRecords<byte[], byte[]> records,
      Map<TopicPartition, Long> ends,
      Uuid id,
      ImportOutput output,
      ImportTransaction transaction) {
    IdentityHashMap<ConsumerRecord<byte[], byte[]>, Letter> found = new IdentityHashMap<>();
    ImportCounts counts = ImportCounts.NONE;
    for (ConsumerRecord<byte[], byte[]> each : records) {
      boolean there = each.offset() < ends.get(new TopicPartition(each.topic(), each.partition()));
      if (there && isOurs(each)) {
        Optional<Letter> letter = letter(each);
        letter.ifPresent(whole -> found.put(each, whole));
        counts = counts.plus(letter.isEmpty() ? ImportCounts.INCOMPLETE : ImportCounts.NONE);
      }
    }
    found.values().forEach(letter -> form.reader().prepare(letter.record()));
    for (ConsumerRecord<byte[], byte[]> each : records) {
      if (found.containsKey(each)) {
        counts = counts.plus(take(found.get(each), output));
      }
      transaction.read(each);
    }
    output.flush();
    commit(records.nextOffsets(), ends, id, transaction);
    return counts;
  }

  private void commit(
      Map<TopicPartition, OffsetAndMetadata> offsets,
      Map<TopicPartition, Long> ends,
      Uuid id,
      ImportTransaction transaction) {
    offsets.forEach(
        (partition, next) -> {
          long offset = Math.min(next.offset(), ends.get(partition));
          OffsetAndMetadata read = new OffsetAndMetadata(offset, next.leaderEpoch(), "");
          transaction.add(ImportProgress.record(settings, partition, new Mark(id, read)));
        });
    transaction.commit();
  }

  private ImportCounts take(Letter letter, ImportOutput output) {
    RecordReader reader = form.reader();
    boolean whole = letter.wanted().isEmpty();
    try {
      reader.read(letter.record());
    } catch (UndecodableException e) {
      return whole
          ? output.add(letter.record(), letters.of(letter.record(), e))
          : unchanged(letter, "the record cannot be decoded: " + e.getMessage(), output);
    }
    int readings = reader.good().size() + reader.refused().size();
    if (!whole && readings != letter.readings()) {
      String why =
          "the mapping finds "
              + readings
              + " readings in the record, and before it found "
              + letter.readings()
              + ", of which some were taken";
      return unchanged(letter, why, output);
    }
    BitSet wanted = letter.wanted().orElseGet(BitSet::new);
    Set<Integer> bad = new HashSet<>();
    List<Refused> still = new ArrayList<>();
    for (Refused each : reader.refused()) {
      bad.add(each.position());
      if (whole || wanted.get(each.position())) {
        still.add(each);
      }
    }
    List<Reading> taken = new ArrayList<>();
    int position = 0;
    for (Reading reading : reader.good()) {
      while (bad.contains(position)) {
        position++;
      }
      if (whole || wanted.get(position)) {
        taken.add(reading);
      }
      position++;
    }
    Optional<ProducerRecord<byte[], byte[]>> left =
        still.isEmpty()
            ? Optional.empty()
            : Optional.of(letters.of(letter.record(), still, readings));
    return output.add(letter.record(), taken, reader.bytes(), left);
  }

  /** Its good readings were taken: so the positions of the others stay. */
  private ImportCounts unchanged(Letter letter, String why, ImportOutput output) {
    return output.add(
        letter.record(),
        letters.unchanged(
            letter.record(), letter.reason(), letter.positions(), letter.readings(), why));
  }

  private boolean isOurs(ConsumerRecord<byte[], byte[]> record) {
    return settings.gatewayId().equals(text(record, DeadLetterHeaders.GATEWAY))
        && !text(record, DeadLetterHeaders.IMPORT_REFUSED).isEmpty();
  }

  /** The record of a dead letter of this import, if the dead letter holds all of it. */
  static Optional<Letter> letter(ConsumerRecord<byte[], byte[]> record) {
    boolean whole =
        record.value() != null
            && text(record, DeadLetterHeaders.SIZE).isEmpty()
            && text(record, DeadLetterHeaders.IMPORT_LEFT_OUT).isEmpty();
    if (!whole) {
      return Optional.empty();
    }
    RecordHeaders headers = new RecordHeaders();
    for (Header header : record.headers()) {
      if (!DeadLetterHeaders.isOurs(header.key())) {
        headers.add(header);
      }
    }
    boolean append = text(record, DeadLetterHeaders.IMPORT_TIME).startsWith("append ");
    String time = text(record, DeadLetterHeaders.IMPORT_TIME).replaceFirst("append ", "");
    try {
      int partition = Integer.parseInt(text(record, DeadLetterHeaders.PARTITION));
      if (partition < 0) {
        return Optional.empty();
      }
      String positions = text(record, DeadLetterHeaders.IMPORT_REFUSED);
      return Optional.of(
          new Letter(
              new ConsumerRecord<>(
                  text(record, DeadLetterHeaders.TOPIC),
                  partition,
                  Long.parseLong(text(record, DeadLetterHeaders.OFFSET)),
                  time.isEmpty() ? -1 : Long.parseLong(time),
                  append ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
                  0,
                  0,
                  record.key(),
                  record.value(),
                  headers,
                  Optional.empty()),
              positions.equals(ImportDeadLetters.ALL)
                  ? Optional.empty()
                  : Optional.of(ImportDeadLetters.positionsOf(positions)),
              positions,
              Integer.parseInt("0" + text(record, DeadLetterHeaders.IMPORT_READINGS)),
              text(record, DeadLetterHeaders.REASON)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static String text(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }
}
