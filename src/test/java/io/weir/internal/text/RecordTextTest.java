package io.weir.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.text.RecordText.Refused;
import io.weir.internal.text.RecordText.Time;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.internal.text.mapping.NumberStyle;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RecordTextTest {
  private static final long RECORD_MS = 5_000;

  private static RecordText json(Time time, String... options) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    return RecordText.json(MappingOptions.ofRecords(given), Limits.DEFAULT, time, 4);
  }

  private static RecordText plain() {
    return json(Time.TEXT_OR_RECORD, "sensor-id", "{key}");
  }

  private static void read(RecordText text, String value) {
    text.read(value.getBytes(StandardCharsets.UTF_8), "" + RECORD_MS, part -> part + "1");
  }

  @Test
  void object_withTheKeyAsItsSensor_andTheRecordsTime() {
    RecordText text = plain();
    read(text, "{\"value\":2.5}");
    assertThat(text.good()).containsExactly(new Reading("key1", RECORD_MS, 2.5));
    read(text, "{\"value\":3,\"timestamp_ms\":7}");
    assertThat(text.good()).containsExactly(new Reading("key1", 7, 3));
    assertThat(text.refused()).isEmpty();
  }

  @Test
  void nestedObject_isAReadingForEachValue() {
    RecordText text =
        json(
            Time.TEXT,
            "sensor-id",
            "{path:$.d}/{header:line}/{column}",
            "json-timestamp",
            "$.ts",
            "json-value",
            "$.values.*");
    read(text, "{\"d\":\"x\",\"ts\":9,\"values\":{\"a\":1,\"b\":\"off\",\"c\":2}}");
    assertThat(text.good())
        .containsExactly(
            new Reading("x/header:line1/a", 9, 1), new Reading("x/header:line1/c", 9, 2));
  }

  /** 20,000 ids of a megabyte each would take longer than a transaction may. */
  @Test
  @Timeout(60)
  void longPartOfAllIds_isNotCopiedForEach() {
    RecordText text =
        RecordText.json(
            MappingOptions.ofRecords(
                Map.of("sensor-id", "{path:$.d}/{column}", "json-value", "$.v.*")),
            Limits.DEFAULT,
            Time.RECORD,
            100_000);
    StringBuilder json =
        new StringBuilder("{\"d\":\"" + "\u00e9".repeat(1_000_000) + "\",\"v\":{\"c\":1");
    for (int i = 0; i < 20_000; i++) {
      json.append(",\"c").append(i).append("\":1");
    }
    read(text, json + "}}");
    assertThat(text.good()).isEmpty();
    assertThat(text.refused())
        .hasSize(20_001)
        .allMatch(each -> each.reason() == LineReason.SENSOR_ID_TOO_LONG);
  }

  @Test
  void arrayAndLines_areOneRecord() {
    RecordText text = plain();
    for (String value :
        new String[] {
          "[{\"value\":1},{\"value\":2}]",
          "{\"value\":1}\n{\"value\":2}\n",
          "{\"value\":1}{\"value\":2}",
          " \n{\n\"value\":1\n}\n{\"value\":2}"
        }) {
      read(text, value);
      assertThat(text.good()).as(value).extracting(Reading::value).containsExactly(1.0, 2.0);
      assertThat(text.refused()).as(value).isEmpty();
    }
  }

  @Test
  void frameAndEnvelope_areTakenOff() {
    RecordText text = plain();
    read(text, "\0\0\0\0\7{\"schema\":{\"type\":\"struct\"},\"payload\":{\"value\":4}}");
    assertThat(text.good()).containsExactly(new Reading("key1", RECORD_MS, 4));
    read(text, "{\"schema\":null,\"payload\":null}");
    assertThat(text.good()).isEmpty();
    assertThat(text.refused()).isEmpty();
    read(text, "\1\0\0\0\7{\"value\":4}");
    assertThat(text.good()).isEmpty();
    assertThat(text.refused()).extracting(Refused::reason).contains(LineReason.MALFORMED_LINE);
  }

  @Test
  void objectWithoutTheValue_isNoReading_andNothingIsRefused() {
    RecordText text = plain();
    for (String value :
        new String[] {"{}", "{\"value\":NaN}", "{\"value\":null}", "[]", "{\"a\":{\"b\":[]}}"}) {
      read(text, value);
      assertThat(text.good()).as(value).isEmpty();
      assertThat(text.refused()).as(value).isEmpty();
    }
  }

  @Test
  void badOnes_areRefusedByPosition_andTheOthersCount() {
    RecordText text = plain();
    read(text, "[{\"value\":1},{\"value\":1e999},{\"value\":\"x\"},{\"value\":2}]");
    assertThat(text.good()).extracting(Reading::value).containsExactly(1.0, 2.0);
    assertThat(text.refused())
        .containsExactly(
            new Refused(1, LineReason.INVALID_VALUE), new Refused(2, LineReason.NON_NUMERIC));
  }

  @Test
  void hostileTexts_areRefused_andTheNextRecordIsRead() {
    RecordText text = plain();
    for (String value :
        new String[] {
          "",
          "nonsense",
          "5",
          "{\"value\":1",
          "{\"value\":1}}",
          "{\"a\":".repeat(100_000),
          "[".repeat(100_000) + "1",
          "{\"value\":1,\"value\":2}",
          "\ufeff",
          "null"
        }) {
      read(text, value);
      assertThat(text.refused()).as(value).isNotEmpty();
      read(text, "{\"value\":1}");
      assertThat(text.good()).as("after " + value).hasSize(1);
    }
    text.read(new byte[] {'{', (byte) 0xff, '}'}, "" + RECORD_MS, part -> "k");
    assertThat(text.refused()).containsExactly(new Refused(0, LineReason.INVALID_UTF8));
  }

  @Test
  void tooManyReadings_areRefusedAsAWhole() {
    RecordText text = plain();
    read(text, "{\"value\":1}\n".repeat(4));
    assertThat(text.good()).hasSize(4);
    read(text, "{\"value\":1}\n".repeat(5));
    assertThat(text.good()).isEmpty();
    assertThat(text.refused()).containsExactly(new Refused(0, LineReason.LINE_TOO_LONG));
  }

  @Test
  void recordTime_comesBeforeThatOfTheText() {
    RecordText text = json(Time.RECORD, "sensor-id", "a");
    read(text, "{\"value\":1,\"timestamp_ms\":7}");
    assertThat(text.good()).containsExactly(new Reading("a", RECORD_MS, 1));
    RecordText mapped = json(Time.TEXT, "sensor-id", "a");
    read(mapped, "{\"value\":1}");
    assertThat(mapped.refused()).containsExactly(new Refused(0, LineReason.MISSING_TIMESTAMP));
  }

  @Test
  void lineProtocol_ofSeveralLines() {
    RecordText text =
        RecordText.lines(TextForm.lines("ms"), Limits.DEFAULT, Time.TEXT_OR_RECORD, 4);
    read(text, "cpu,host=a idle=5,user=1 9\n# none\nbroken\ncpu,host=a idle=6\r\n");
    assertThat(text.good())
        .containsExactly(
            new Reading("cpu,host=a idle", 9, 5),
            new Reading("cpu,host=a user", 9, 1),
            new Reading("cpu,host=a idle", RECORD_MS, 6));
    assertThat(text.refused()).containsExactly(new Refused(2, LineReason.MALFORMED_LINE));
  }

  private static RecordText csv(Time time, String... options) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    return RecordText.csv(MappingOptions.ofRecords(given), Limits.DEFAULT, time, 4);
  }

  @Test
  void csv_withItsHeaderInEachRecord() {
    RecordText text = csv(Time.TEXT_OR_RECORD, "sensor-id", "{key}/{column}");
    read(text, "timestamp_ms,value\r\n7,1.5\r\n8,x\r\n");
    assertThat(text.good()).containsExactly(new Reading("key1/value", 7, 1.5));
    assertThat(text.refused()).containsExactly(new Refused(1, LineReason.NON_NUMERIC));
    read(text, "value,other\n2,3\n");
    assertThat(text.good()).containsExactly(new Reading("key1/value", RECORD_MS, 2));
    read(text, "other\n3\n");
    assertThat(text.refused()).containsExactly(new Refused(0, LineReason.MALFORMED_LINE));
    read(text, "");
    assertThat(text.refused()).containsExactly(new Refused(0, LineReason.MALFORMED_LINE));
  }

  @Test
  void csv_withoutHeader_byTheNumbersOfItsColumns() {
    RecordText text =
        csv(
            Time.RECORD,
            "no-header",
            "true",
            "delimiter",
            "semicolon",
            "columns",
            "sensor_id=1,value=2");
    read(text, "a;1\nb;2");
    assertThat(text.good())
        .containsExactly(new Reading("a", RECORD_MS, 1), new Reading("b", RECORD_MS, 2));
  }

  @Test
  void recordWithoutATime_andWithoutAMappedOne_isRefused() {
    RecordText text = plain();
    text.read("{\"value\":1}".getBytes(StandardCharsets.UTF_8), "", part -> "k");
    assertThat(text.refused()).containsExactly(new Refused(0, LineReason.MISSING_TIMESTAMP));
  }

  @Test
  void rawJson_keepsMembersThatLookLikeAnEnvelope() {
    RecordText text =
        RecordText.rawJson(
            MappingOptions.ofRecords(Map.of("sensor-id", "a", "json-value", "$.payload")),
            Limits.DEFAULT,
            Time.RECORD,
            4);
    read(text, "{\"schema\":1,\"payload\":2}");
    assertThat(text.good()).containsExactly(new Reading("a", RECORD_MS, 2));
  }

  /** The examples of docs/import.md. */
  @Test
  void envelopesOfOtherPrograms_asDocumented() {
    RecordText debezium =
        json(
            Time.TEXT,
            "json-value",
            "$.after.value",
            "json-timestamp",
            "$.ts_ms",
            "sensor-id",
            "{path:$.after.id}");
    read(
        debezium,
        "{\"schema\":{},\"payload\":{\"before\":null,\"after\":{\"id\":\"a\",\"value\":5},\"op\":\"c\",\"ts_ms\":9}}");
    assertThat(debezium.good()).containsExactly(new Reading("a", 9, 5));
    read(
        debezium,
        "{\"before\":{\"id\":\"a\",\"value\":5},\"after\":null,\"op\":\"d\",\"ts_ms\":9}");
    assertThat(debezium.good()).isEmpty();
    assertThat(debezium.refused()).isEmpty();

    String metric =
        "{\"fields\":{\"idle\":5},\"name\":\"cpu\",\"tags\":{\"host\":\"h\"},\"timestamp\":3}";
    RecordText one =
        json(
            Time.TEXT,
            "json-value",
            "$.fields.*",
            "json-timestamp",
            "$.timestamp",
            "time-format",
            "epoch-s",
            "sensor-id",
            "{path:$.name}/{path:$.tags.host}/{column}");
    read(one, metric);
    assertThat(one.good()).containsExactly(new Reading("cpu/h/idle", 3_000, 5));
    RecordText batch =
        json(
            Time.TEXT,
            "json-value",
            "$.metrics[*].fields.*",
            "json-timestamp",
            "$.metrics[*].timestamp",
            "time-format",
            "epoch-s",
            "sensor-id",
            "{path:$.metrics[*].tags.host}/{column}");
    read(batch, "{\"metrics\":[" + metric + "," + metric.replace("5", "6") + "]}");
    assertThat(batch.good())
        .containsExactly(new Reading("h/idle", 3_000, 5), new Reading("h/idle", 3_000, 6));
  }

  @Test
  void objectInPlaceOfAnId_isNoSensor_andNotOneOfAllSuchRecords() {
    RecordText text = json(Time.TEXT_OR_RECORD, "sensor-id", "{path:$.device}");
    read(text, "{\"device\":{\"id\":\"a\"},\"value\":1}");
    assertThat(text.good()).isEmpty();
    assertThat(text.refused()).containsExactly(new Refused(0, LineReason.MISSING_SENSOR_ID));
  }

  /** The canonical text has the room of the text; two signs for one do not fit. */
  @Test
  void textsWithSeparatorsOfGroups_areNeverLongerThanTheyWere() {
    RecordText text = json(Time.RECORD, "sensor-id", "{key}", "group-separator", ",");
    read(text, "{\"value\":\"" + ",-".repeat(2_000) + "\"}");
    assertThat(text.good()).isEmpty();
    assertThat(text.refused()).hasSize(1);
    read(text, "{\"value\":\"1,234.5\"}");
    assertThat(text.good()).containsExactly(new Reading("key1", RECORD_MS, 1234.5));
    Random random = new Random(6);
    for (int round = 0; round < 10_000; round++) {
      StringBuilder value = new StringBuilder();
      for (int i = random.nextInt(12); i >= 0; i--) {
        value.append(",.-+ 0123\u00a0\u2212'e".charAt(random.nextInt(13)));
      }
      String canonical = canonical(value.toString());
      assertThat(canonical.length())
          .as(value.toString())
          .isLessThanOrEqualTo(value.toString().getBytes(StandardCharsets.UTF_8).length);
    }
  }

  private static String canonical(String value) {
    StringBuilder canonical = new StringBuilder();
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    new NumberStyle('.', ',')
        .writeCanonical(bytes, 0, bytes.length, b -> canonical.append((char) b));
    return canonical.toString();
  }
}
