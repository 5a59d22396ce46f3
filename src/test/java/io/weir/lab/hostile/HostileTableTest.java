package io.weir.lab.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.weir.internal.collect.CollectSchema;
import io.weir.lab.hostile.HostileRow.Target;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.v1.WindowKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostileTableTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  /** A new field has to be a part, or one of a part, before the build is green again. */
  @Test
  void everyFieldOfAMessageThatOthersWrite_isAPart() {
    Set<String> fields = new TreeSet<>();
    Stream.of(User.GATEWAY, User.PUBLISHER)
        .flatMap(Topic::of)
        .filter(topic -> topic.isWrittenBy(User.GATEWAY) || topic.isWrittenBy(User.PUBLISHER))
        .forEach(topic -> collect(topic.message().getDescriptorForType(), fields, new HashSet<>()));

    assertThat(covered())
        .filteredOn(name -> !name.startsWith("weir_") && !name.startsWith("sparkplug."))
        .hasSameElementsAs(fields);
  }

  /** As of the specification's protobuf; what a decoder reads has to be in it. */
  @Test
  void everyFieldOfSparkplug_isAPart() throws IOException {
    Map<String, String> fields = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("src/test/resources/sparkplug-fields.txt"))) {
      String[] words = line.split(" ");
      for (int i = 1; !line.startsWith("#") && i < words.length; i += 2) {
        fields.put(words[0] + " " + words[i], words[i + 1]);
      }
    }
    Set<String> parts =
        covered().stream()
            .filter(name -> name.startsWith("sparkplug."))
            .map(name -> name.substring("sparkplug.".length()))
            .collect(Collectors.toSet());
    Set<String> own = new TreeSet<>();
    fields.forEach(
        (field, name) -> {
          String message = field.split(" ")[0];
          own.add(parts.contains(message + ".*") ? message + ".*" : message + "." + name);
        });
    assertThat(parts).isEqualTo(own);

    Path decoders = Path.of("src/main/java/io/weir/internal/input/sparkplug");
    for (String message : List.of("Payload", "Metric")) {
      Pattern.compile("case (\\d+) << 3")
          .matcher(Files.readString(decoders.resolve(message + ".java")))
          .results()
          .forEach(read -> assertThat(fields).containsKey(message + " " + read.group(1)));
    }
  }

  /** Those that only Weir or an operator writes too: a broker may have no ACLs. */
  @Test
  void everyMessage_isInTheTable() throws IOException {
    Set<String> messages = new TreeSet<>();
    FileDescriptorSet.parseFrom(Files.readAllBytes(Path.of("proto/weir/v1/weir.v1.binpb")))
        .getFileList()
        .forEach(
            file ->
                file.getMessageTypeList()
                    .forEach(type -> collect("." + file.getPackage() + ".", type, messages)));
    Set<Descriptor> seen = new HashSet<>();
    // The key of a window, not a value; WindowConverter reads it.
    collect(WindowKey.getDescriptor(), new TreeSet<>(), seen);
    Stream.of(Topic.READINGS, Topic.EVENTS)
        .forEach(topic -> collect(topic.message().getDescriptorForType(), new TreeSet<>(), seen));
    HostilePart.OUTPUT
        .levels()
        .forEach(
            topic ->
                collect(HostileOutput.type(topic).getDescriptorForType(), new TreeSet<>(), seen));

    assertThat(seen.stream().map(type -> "." + type.getFullName())).containsAll(messages);
    assertThat(HostilePart.OUTPUT.levels())
        .containsAll(
            Stream.of(Topic.values())
                .filter(
                    topic -> !Set.of(Topic.READINGS, Topic.EVENTS, Topic.SCHEDULED).contains(topic))
                .map(Topic::text)
                .toList());
  }

  private static void collect(String prefix, DescriptorProto type, Set<String> messages) {
    messages.add(prefix + type.getName());
    type.getNestedTypeList()
        .forEach(inner -> collect(prefix + type.getName() + ".", inner, messages));
  }

  /** By its type, so that a new one is in the table at once. */
  @Test
  void everyFieldOfAForgedMessage_isWrittenByARow() throws Exception {
    Set<String> fields = new TreeSet<>();
    Set<String> written = new TreeSet<>();
    for (String topic : HostilePart.OUTPUT.levels()) {
      collect(HostileOutput.type(topic).getDescriptorForType(), fields, new HashSet<>());
    }
    // For some fields three parts have to meet.
    List<HostileRow> rows =
        LongStream.range(1, 8)
            .boxed()
            .flatMap(seed -> HostileTable.rows(Target.OUTPUT, seed).stream())
            .toList();
    for (HostileRow row : rows) {
      if (row.level(HostilePart.OUTPUT_VALUE).equals("as it is")) {
        byte[] value = HostileOutput.of(row, NOW_MS).value();
        assertThat(value).as(row.toString()).hasSizeLessThan(1 << 20);
        addWritten(
            HostileOutput.type(row.level(HostilePart.OUTPUT)).getParserForType().parseFrom(value),
            written);
      }
    }
    assertThat(written).isEqualTo(fields);
  }

  private static void addWritten(MessageLite message, Set<String> written) {
    ((Message) message)
        .getAllFields()
        .forEach(
            (field, value) -> {
              written.add(field.getContainingType().getName() + "." + field.getName());
              if (field.getJavaType() == JavaType.MESSAGE) {
                List<?> all = field.isRepeated() ? (List<?>) value : List.of(value);
                all.stream().limit(2).forEach(inner -> addWritten((Message) inner, written));
              }
            });
  }

  private static void collect(Descriptor message, Set<String> fields, Set<Descriptor> seen) {
    if (!seen.add(message)) {
      return;
    }
    for (FieldDescriptor field : message.getFields()) {
      fields.add(message.getName() + "." + field.getName());
      if (field.getJavaType() == JavaType.MESSAGE) {
        collect(field.getMessageType(), fields, seen);
      }
    }
  }

  @Test
  void everyColumnOfTheOutbox_isAPart() {
    Matcher table =
        Pattern.compile("create table weir_outbox \\((.*?)\\n\\);", Pattern.DOTALL)
            .matcher(CollectSchema.text(false));
    assertThat(table.find()).isTrue();
    Set<String> columns = new LinkedHashSet<>();
    for (String line : table.group(1).strip().split("\n")) {
      columns.add("weir_outbox." + line.strip().split(" ", 2)[0]);
    }
    Pattern.compile("alter table weir_outbox add column (\\w+)")
        .matcher(CollectSchema.text(false))
        .results()
        .forEach(added -> columns.add("weir_outbox." + added.group(1)));
    // Applications get no right to it.
    columns.remove("weir_outbox.xact");

    assertThat(covered()).filteredOn(name -> name.startsWith("weir_")).hasSameElementsAs(columns);
  }

  private static List<String> covered() {
    return Stream.of(HostilePart.values()).flatMap(part -> part.covers().stream()).toList();
  }

  @ParameterizedTest
  @EnumSource
  void eachLevelIsAlone_andEachPairIsInARow(Target target) {
    List<HostileRow> rows = HostileTable.rows(target, 7);
    List<HostilePart> parts = HostilePart.of(target);
    for (HostilePart part : parts) {
      assertThat(rows.stream().filter(row -> row.unusual() == 1).map(row -> row.level(part)))
          .containsAll(part.levels());
      for (HostilePart other : parts.subList(parts.indexOf(part) + 1, parts.size())) {
        Set<List<String>> pairs = new HashSet<>();
        rows.forEach(row -> pairs.add(List.of(row.level(part), row.level(other))));
        assertThat(pairs)
            .as(part + " and " + other)
            .hasSize(part.levels().size() * other.levels().size());
      }
    }
    assertThat(HostileTable.rows(target, 7)).asString().isEqualTo(rows.toString());
    assertThat(HostileTable.rows(target, 8)).asString().isNotEqualTo(rows.toString());
  }

  /** And none takes more memory to make than a test has. */
  @Test
  void everyLevel_isMade() {
    List<String> made = new ArrayList<>();
    for (Target target : List.of(Target.READINGS, Target.EVENTS)) {
      for (HostileRow row : HostileTable.rows(target, 7)) {
        if (row.unusual() == 1) {
          HostileRecord record = HostileRecord.of(row, 3, NOW_MS);
          made.add(row + " " + record.records());
          assertThat(record.records()).as(row.toString()).isPositive();
        }
      }
    }
    for (HostileRow row : HostileTable.rows(Target.OUTBOX, 7)) {
      made.add(HostileOutboxRow.of(row, NOW_MS).select());
    }
    for (Target target : List.of(Target.MQTT, Target.SPARKPLUG)) {
      for (HostileRow row : HostileTable.rows(target, 7)) {
        if (row.unusual() == 1) {
          HostileMessage message = HostileMessage.of(row, NOW_MS);
          made.add(row + " " + message.payload().length);
          assertThat(message.payload().length).as(row.toString()).isLessThan(16 << 20);
        }
      }
    }
    for (HostileRow row : HostileTable.rows(Target.OUTPUT, 7)) {
      made.add(row + " " + HostileOutput.of(row, NOW_MS).topic());
    }
    for (HostileRow row : HostileTable.rows(Target.HTTP, 7)) {
      if (row.unusual() == 1) {
        made.add(HostileRequest.of(row, NOW_MS).head());
      }
    }
    assertThat(made).doesNotContainNull();
  }
}
