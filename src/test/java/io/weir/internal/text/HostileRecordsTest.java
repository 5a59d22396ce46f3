package io.weir.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.weir.internal.text.RecordText.Refused;
import io.weir.internal.text.RecordText.Time;
import io.weir.internal.text.mapping.JsonRepair;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Records of a hostile sender cost in proportion to their bytes: allocations are counted. What
 * allocates nothing has a size at which any other cost would be many minutes.
 */
@Timeout(300)
class HostileRecordsTest {
  private static final int MAX_READINGS = 100_000;
  private static final String LONG = "b".repeat(1_000_000);

  /** Copies of a long text for each reading would be 20 GB and more. */
  private static final long MAX_ALLOCATED = 4_000_000_000L;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private int partsAsked;

  private static Map<String, String> options(String... options) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put(options[i], options[i + 1]);
    }
    return given;
  }

  private static RecordText csv(Time time, String... options) {
    return RecordText.csv(
        MappingOptions.ofRecords(options(options)), Limits.DEFAULT, time, MAX_READINGS);
  }

  private static RecordText wide(String sensorId) {
    return csv(Time.RECORD, "wide", "true", "sensor-id", sensorId);
  }

  private static RecordText json(int maxReadings, String... options) {
    return RecordText.json(
        MappingOptions.ofRecords(options(options)), Limits.DEFAULT, Time.RECORD, maxReadings);
  }

  private void read(RecordText text, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    text.read(
        bytes,
        "5000",
        part -> {
          partsAsked++;
          return "k";
        });
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MAX_ALLOCATED);
  }

  private static String header(int columns) {
    return IntStream.range(0, columns)
        .mapToObj(i -> Integer.toString(i, 36))
        .collect(Collectors.joining(","));
  }

  private static String cells(int columns) {
    return ",1".repeat(columns).substring(1);
  }

  @Test
  void manyColumns_areComparedOnceEach() {
    RecordText text = wide("{key}/{column}");
    String record = header(20_000) + "\n" + cells(20_000) + "\n";
    for (int i = 0; i < 30; i++) {
      read(text, record);
      assertThat(text.good()).hasSize(20_000);
    }
    assertThat(text.good().get(19_999)).isEqualTo(new Reading("k/ffj", 5_000, 1));
  }

  @Test
  void tooManyColumns_areRefusedByTheirName() {
    RecordText text = wide("{key}/{column}");
    read(text, header(20_001) + "\n" + cells(20_001) + "\n");
    assertThat(text.good()).isEmpty();
    assertThat(text.refused()).containsExactly(new Refused(0, LineReason.TOO_MANY_COLUMNS));
  }

  @Test
  void longNameOfAColumn_isNotCopiedForEachRow() {
    for (String sensorId : new String[] {"{key}/{column}", "{column}"}) {
      RecordText text = wide(sensorId);
      read(text, "a," + LONG + "\n" + "1,1\n".repeat(MAX_READINGS / 2));
      assertThat(text.good()).hasSize(MAX_READINGS / 2);
      assertThat(text.refused())
          .hasSize(MAX_READINGS / 2)
          .allMatch(each -> each.reason() == LineReason.SENSOR_ID_TOO_LONG);
    }
  }

  @Test
  void longCellOfTheTemplate_isNotCopiedForEachColumn() {
    RecordText text = wide("{column:source}/{column}");
    read(text, header(19_000) + ",between,source\n" + cells(19_001) + "," + LONG + "\n");
    assertThat(text.refused())
        .hasSize(19_001)
        .allMatch(each -> each.reason() == LineReason.SENSOR_ID_TOO_LONG);
  }

  @Test
  void longTimeAndQuality_areNotReadForEachColumn() {
    for (String columns :
        new String[] {
          "timestamp=time", "timestamp=time+status", "timestamp=time+{column}", "quality=status"
        }) {
      RecordText text =
          csv(
              columns.startsWith("quality") ? Time.RECORD : Time.TEXT,
              "wide",
              "true",
              "sensor-id",
              "{column}",
              "columns",
              columns,
              "time-format",
              "d MMM yyyy",
              "quality-map",
              "words");
      read(
          text,
          "time,status," + header(19_000) + "\n" + LONG + "," + LONG + "," + cells(19_000) + "\n");
      assertThat(text.good()).as(columns).isEmpty();
      assertThat(text.refused()).as(columns).hasSizeGreaterThanOrEqualTo(19_000);
    }
  }

  @Test
  void partOfTheRecord_isAskedForOnce() {
    read(wide("{key}/{column}"), header(10_000) + "\n" + (cells(10_000) + "\n").repeat(5));
    assertThat(partsAsked).isEqualTo(1);
    RecordText json = json(MAX_READINGS, "sensor-id", "{key}/{column}", "json-value", "$.*");
    read(json, members(10_000));
    assertThat(json.good()).hasSize(10_000);
    assertThat(partsAsked).isEqualTo(2);
  }

  private static String members(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"" + Integer.toString(i, 36) + "\":1")
        .collect(Collectors.joining(",", "{", "}"));
  }

  @Test
  void longNameOfAMember_isNotCopiedForEachElement() {
    RecordText text = json(MAX_READINGS, "sensor-id", "{column}", "json-value", "$.*[*]");
    read(text, "{\"" + LONG + "\":[" + cells(90_000) + "]}");
    assertThat(text.refused())
        .hasSize(90_000)
        .allMatch(each -> each.reason() == LineReason.SENSOR_ID_TOO_LONG);
  }

  /** Of a number as of a text: each reading has a copy of what is not cut. */
  @Test
  void longTextOrNumberInAnId_isNotCopiedForEachElement() {
    String[][] ids = {
      {"json-sensor-id", "$.id"}, {"sensor-id", "{path:$.id}"}, {"sensor-id", "{column:id}"}
    };
    for (String[] id : ids) {
      for (String part : new String[] {"\"" + LONG + "\"", "1".repeat(1_000_000)}) {
        RecordText text = json(MAX_READINGS, id[0], id[1], "json-value", "$.v[*]");
        read(text, "{\"id\":%s,\"v\":[%s]}".formatted(part, cells(20_000)));
        assertThat(text.refused())
            .hasSize(20_000)
            .allMatch(each -> each.reason() == LineReason.SENSOR_ID_TOO_LONG);
      }
    }
  }

  @Test
  void longTimeAndQualityOfJson_areNotReadForEachElement() {
    RecordText text =
        RecordText.json(
            MappingOptions.ofRecords(
                options(
                    "sensor-id",
                    "{column}",
                    "json-value",
                    "$.v[*]",
                    "json-timestamp",
                    "$.t",
                    "json-quality",
                    "$.q",
                    "quality-map",
                    "words",
                    "time-format",
                    "d MMM yyyy")),
            Limits.DEFAULT,
            Time.TEXT,
            MAX_READINGS);
    read(text, "{\"t\":\"%s\",\"q\":\"%s\",\"v\":[%s]}".formatted(LONG, LONG, cells(90_000)));
    assertThat(text.refused())
        .hasSize(90_000)
        .allMatch(each -> each.reason() == LineReason.BAD_TIMESTAMP);
  }

  @Test
  void moreReadingsThanARecordMayHave_areNotRead() {
    RecordText csv =
        RecordText.csv(
            MappingOptions.ofRecords(options("wide", "true", "sensor-id", "{column}")),
            Limits.DEFAULT,
            Time.RECORD,
            4);
    read(csv, "a\n" + "1\n".repeat(100_000));
    assertFull(csv);
    read(csv, "a\n" + "1,2,3\n".repeat(100_000));
    assertFull(csv);
    RecordText json = json(4, "sensor-id", "{key}");
    read(json, "{\"value\":1}\n".repeat(100_000));
    assertFull(json);
    read(json, "[" + cells(100_000) + "]");
    assertFull(json);
  }

  private static void assertFull(RecordText text) {
    assertThat(text.found()).isEqualTo(5);
    assertThat(text.good()).isEmpty();
    assertThat(text.refused()).containsExactly(new Refused(0, LineReason.LINE_TOO_LONG));
  }

  @Test
  void textThatIsNotClosed_isScannedOnce() {
    RecordText text = json(MAX_READINGS, "sensor-id", "{key}");
    String open = "{\\\"".repeat(700_000);
    read(text, open);
    assertThat(text.refused()).extracting(Refused::reason).containsOnly(LineReason.MALFORMED_LINE);
    assertThat(JsonRepair.repaired(open)).isEqualTo(open);
  }

  @Test
  void moreJsonValuesThanMemoryIsMeantFor_areMalformed() {
    RecordText text = json(MAX_READINGS, "sensor-id", "{column}", "json-value", "$.v[*]");
    read(text, "{\"v\":[" + "null,".repeat(1_000_000) + "1]}");
    assertThat(text.refused()).extracting(Refused::reason).contains(LineReason.MALFORMED_LINE);
    read(text, "{\"v\":[\"" + ",".repeat(1_500_000) + "\",1]}");
    assertThat(text.good()).hasSize(1);
  }
}
