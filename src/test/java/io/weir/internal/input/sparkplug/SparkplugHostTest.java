package io.weir.internal.input.sparkplug;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Quality;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SparkplugHostTest {
  private static final long T = 1_700_000_000_000L;

  private final HostBench bench = new HostBench();

  private void born() {
    bench.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(7).born("temp", 1, 20.5));
    bench.send("g/DBIRTH/n/d", PayloadBuilder.of(T + 1, 1).born("rpm", 2, 900));
  }

  @Test
  void birthsAndData_areReadings() {
    born();
    bench.send("g/NDATA/n", PayloadBuilder.of(T + 2, 2).aliased(1, 21));
    bench.send("g/DDATA/n/d", PayloadBuilder.of(T + 3, 3).aliased(2, 901));
    assertThat(bench.sink.readings())
        .containsExactly(
            "g/n/temp@" + T + "=20.5",
            "g/n/d/rpm@" + (T + 1) + "=900.0",
            "g/n/temp@" + (T + 2) + "=21.0",
            "g/n/d/rpm@" + (T + 3) + "=901.0");
    assertThat(bench.asked).isEmpty();
    assertThat(bench.nodes("online")).isEqualTo(1);
    assertThat(bench.events).containsExactly("sparkplug.birth g/n  7", "sparkplug.birth g/n d 7");
  }

  @Test
  void gap_isCountedAfterTheTimeout_andAliasesAreNotUsedUntilTheBirth() {
    born();
    bench.send("g/NDATA/n", PayloadBuilder.of(T + 2, 3).aliased(1, 1).named("temp", 2));
    assertThat(bench.sink.taken()).hasSize(2);
    bench.wait(Duration.ofSeconds(6));
    assertThat(bench.sink.readings()).endsWith("g/n/temp@" + (T + 2) + "=2.0").hasSize(3);
    assertThat(bench.asked).containsExactly("g/n");
    bench.send("g/NDATA/n", PayloadBuilder.of(T + 3, 4).aliased(1, 3).named("temp", 4));
    assertThat(bench.sink.readings()).endsWith("g/n/temp@" + (T + 3) + "=4.0").hasSize(4);
    assertThat(bench.count(SparkplugMetrics.UNRESOLVED)).isEqualTo(2);
    assertThat(bench.count(SparkplugMetrics.GAPS)).isEqualTo(1);
    assertThat(bench.nodes("unsure")).isEqualTo(1);
    born();
    bench.send("g/NDATA/n", PayloadBuilder.of(T + 4, 2).aliased(1, 5));
    assertThat(bench.sink.readings()).endsWith("g/n/temp@" + (T + 4) + "=5.0");
    assertThat(bench.nodes("online")).isEqualTo(1);
  }

  @Test
  void messagesOutOfOrder_areAppliedInOrder_andARepeatOnce() {
    born();
    byte[] third = PayloadBuilder.of(T + 3, 3).aliased(1, 3).build();
    bench.send("g/NDATA/n", third);
    bench.send("g/NDATA/n", PayloadBuilder.of(T + 2, 2).aliased(1, 2));
    bench.send("g/NDATA/n", third);
    bench.wait(Duration.ofMinutes(1));
    assertThat(bench.sink.readings())
        .endsWith("g/n/temp@" + (T + 2) + "=2.0", "g/n/temp@" + (T + 3) + "=3.0")
        .hasSize(4);
    assertThat(bench.count(SparkplugMetrics.GAPS)).isZero();
    assertThat(bench.asked).isEmpty();
  }

  @Test
  void integers_areCutToTheirWidth_andOtherTypesAreSkipped() {
    bench.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(0));
    PayloadBuilder data = PayloadBuilder.of(T, 1);
    number(data, "int8", PayloadBuilder.INT8, 0xffL);
    number(data, "int32", PayloadBuilder.INT32, 0xffff_fffeL);
    number(data, "int64", PayloadBuilder.INT64, -3);
    number(data, "uint8", 5, -1);
    number(data, "uint16", 6, -1);
    number(data, "uint32", 7, -1);
    number(data, "uint64", PayloadBuilder.UINT64, -1);
    data.metric(
        out -> {
          out.writeString(1, "flag");
          out.writeUInt32(4, PayloadBuilder.BOOLEAN);
          out.writeBool(14, true);
        });
    data.metric(
        out -> {
          out.writeString(1, "float");
          out.writeUInt32(4, PayloadBuilder.FLOAT);
          out.writeFloat(12, 1.5f);
        });
    data.metric(
        out -> {
          out.writeString(1, "text");
          out.writeUInt32(4, PayloadBuilder.STRING);
          out.writeString(15, "on");
        });
    number(data, "mismatch", PayloadBuilder.DOUBLE, 1);
    bench.send("g/NDATA/n", data);
    assertThat(bench.sink.readings())
        .containsExactly(
            "g/n/int8@" + T + "=-1.0",
            "g/n/int32@" + T + "=-2.0",
            "g/n/int64@" + T + "=-3.0",
            "g/n/uint8@" + T + "=255.0",
            "g/n/uint16@" + T + "=65535.0",
            "g/n/uint32@" + T + "=4.294967295E9",
            "g/n/uint64@" + T + "=1.8446744073709552E19",
            "g/n/flag@" + T + "=1.0",
            "g/n/float@" + T + "=1.5");
    assertThat(bench.count("weir.edge.skipped", "kind", "type")).isEqualTo(1);
    assertThat(bench.count("weir.edge.refused", "reason", "TYPE_MISMATCH")).isEqualTo(1);
  }

  private static void number(PayloadBuilder payload, String name, int type, long value) {
    payload.metric(
        out -> {
          out.writeString(1, name);
          out.writeUInt32(4, type);
          out.writeUInt64(11, value);
        });
  }

  @Test
  void timesNullsHistoryAndQuality() {
    bench.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).born("temp", 1, 20));
    bench.send("g/NDATA/n", PayloadBuilder.of(-1, 1).aliased(1, 1));
    PayloadBuilder data = PayloadBuilder.of(T, 2);
    for (int quality : new int[] {192, 100, 0, 500}) {
      data.metric(
          out -> {
            out.writeUInt64(2, 1);
            out.writeUInt64(3, T + quality);
            out.writeBool(5, true);
            out.writeByteArray(9, PayloadBuilder.property("Quality", quality));
            out.writeDouble(13, quality);
          });
    }
    data.metric(
        out -> {
          out.writeUInt64(2, 1);
          out.writeBool(7, true);
        });
    bench.send("g/NDATA/n", data);
    assertThat(bench.sink.taken())
        .extracting(each -> each.reading().quality())
        .containsExactly(
            Quality.GOOD, Quality.GOOD, Quality.GOOD, Quality.UNCERTAIN, Quality.BAD, Quality.BAD);
    assertThat(bench.sink.readings()).contains("g/n/temp@1700000000000+123=1.0");
    assertThat(bench.count(SparkplugMetrics.HISTORICAL)).isEqualTo(4);
    assertThat(bench.count("weir.edge.skipped", "kind", "null")).isEqualTo(1);
  }

  @Test
  void death_countsWithTheBdSeqOfTheBirth() {
    born();
    bench.send("g/NDEATH/n", PayloadBuilder.of(T, -1).bdSeq(6));
    assertThat(bench.nodes("online")).isEqualTo(1);
    bench.send("g/NDEATH/n", PayloadBuilder.of(T, -1).bdSeq(7));
    assertThat(bench.nodes("offline")).isEqualTo(1);
    assertThat(bench.events).endsWith("sparkplug.death g/n  7");
    bench.send("g/NDATA/n", PayloadBuilder.of(T, 2).aliased(1, 1));
    bench.wait(Duration.ofSeconds(1));
    assertThat(bench.asked).containsExactly("g/n");
    assertThat(bench.count(SparkplugMetrics.UNRESOLVED)).isEqualTo(1);
  }

  @Test
  void rebirths_areAskedForLessAndLess() {
    for (int second = 0; second < 3_600; second++) {
      bench.send("g/NDATA/n", PayloadBuilder.of(T, second % 200).aliased(1, 1));
      bench.wait(Duration.ofSeconds(1));
    }
    // At 0, 1, 3, 7, 15, 31 minutes; the next is 30 minutes later.
    assertThat(bench.asked).hasSize(6);
  }

  @Test
  void deviceDeath_andUnknownMetrics_askForBirths() {
    born();
    bench.send("g/DDEATH/n/d", PayloadBuilder.of(T, 2));
    bench.send("g/DDATA/n/d", PayloadBuilder.of(T, 3).aliased(2, 1));
    bench.wait(Duration.ofSeconds(1));
    assertThat(bench.asked).containsExactly("g/n");
    assertThat(bench.events).endsWith("sparkplug.death g/n d 7");
    assertThat(bench.sink.taken()).hasSize(2);
  }

  @Test
  void afterAReconnect_aliasesAreNotUsed() {
    born();
    bench.host.reconnected();
    bench.send("g/NDATA/n", PayloadBuilder.of(T, 2).aliased(1, 1));
    bench.wait(Duration.ofSeconds(1));
    assertThat(bench.sink.taken()).hasSize(2);
    assertThat(bench.count(SparkplugMetrics.REBIRTHS, "cause", "reconnect")).isEqualTo(1);
  }

  @Test
  void edgeNodesAndMemory_haveLimits() {
    for (int node = 0; node < HostBench.MAX_NODES + 1; node++) {
      bench.send("g/NBIRTH/" + node, PayloadBuilder.of(T, 0).bdSeq(1));
    }
    bench.send("g/NDATA/0", PayloadBuilder.of(T, 1).named("m", 1));
    assertThat(bench.count("weir.edge.refused", "reason", "TOO_MANY_NODES")).isEqualTo(1);
    bench.send("g/NDEATH/1", PayloadBuilder.of(T, -1).bdSeq(1));
    bench.send("g/NBIRTH/new", PayloadBuilder.of(T, 0).bdSeq(1));
    assertThat(bench.nodes("online")).isEqualTo(HostBench.MAX_NODES);

    HostBench small = new HostBench(true, 10_000);
    PayloadBuilder large = PayloadBuilder.of(T, 0);
    for (int metric = 0; metric < 100; metric++) {
      large.born("metric" + metric, Long.MAX_VALUE - metric, 1);
    }
    small.send("g/NBIRTH/n", large);
    assertThat(small.memory.taken()).isLessThanOrEqualTo(10_000);
    assertThat(small.count(SparkplugMetrics.UNRESOLVED)).isPositive();
    small.send("g/NDEATH/n", PayloadBuilder.of(T, -1).bdSeq(1));
    small.send("g/NBIRTH/n", PayloadBuilder.of(T, 0));
    assertThat(small.memory.taken()).isLessThan(2_000);
  }

  /** The names of edge nodes and groups are invented easily. */
  @Test
  void nodesOfInventedGroups_leaveRoomForTheSensorsOfThoseThatAreKnown() {
    HostBench shared = new HostBench(true, 1 << 20, 40);
    shared.send("honest/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1).born("m", 1, 1));
    shared.wait(Duration.ofMinutes(10));
    shared.send("honest/NDATA/n", PayloadBuilder.of(T, 1).named("m", 1));
    for (int node = 0; node < 10 * HostBench.MAX_NODES; node++) {
      PayloadBuilder many = PayloadBuilder.of(T, 0);
      for (int metric = 0; metric < 1_000; metric++) {
        many.named("m" + metric, 1);
      }
      shared.send("greedy" + node + "/NDATA/n", many);
    }
    double refused = shared.count("weir.edge.refused");
    assertThat(refused).isPositive();
    PayloadBuilder data = PayloadBuilder.of(T, 2);
    for (int metric = 0; metric < 100; metric++) {
      data.named("m" + metric, 1);
    }
    shared.send("honest/NDATA/n", data);
    assertThat(shared.count("weir.edge.refused")).isEqualTo(refused);
  }

  @Test
  void inventedNodes_giveWayToOthers_andTakeNoRoomOfThoseThatWereBorn() {
    bench.send("g/NBIRTH/born", PayloadBuilder.of(T, 0).bdSeq(1).born("temp", 1, 1));
    for (int node = 0; node < 100; node++) {
      bench.send("evil/NDATA/" + node, PayloadBuilder.of(T, 0).named("m", 1));
    }
    bench.send("g/NDATA/new", PayloadBuilder.of(T, 0).named("m", 1));
    for (int node = 100; node < 200; node++) {
      bench.send("evil/NDATA/" + node, PayloadBuilder.of(T, 0).named("m", 1));
    }
    bench.send("g/NBIRTH/new", PayloadBuilder.of(T, 0).bdSeq(1).born("temp", 1, 2));
    bench.send("g/NDATA/born", PayloadBuilder.of(T, 1).aliased(1, 3));
    bench.send("g/NDATA/new", PayloadBuilder.of(T, 1).aliased(1, 4));
    assertThat(bench.sink.readings())
        .endsWith("g/born/temp@" + T + "=3.0", "g/new/temp@" + T + "=4.0");
    assertThat(bench.nodes("online")).isEqualTo(2);
    assertThat(bench.count("weir.edge.refused", "reason", "TOO_MANY_NODES")).isZero();
  }

  /** As many groups are invented as edge nodes. */
  @Test
  void nodeThatIsKnownForLong_keepsItsPlace_andANewOneFindsOne() {
    bench.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1).born("temp", 1, 1));
    bench.wait(Duration.ofMinutes(10));
    bench.send("g/NDATA/n", PayloadBuilder.of(T, 1).aliased(1, 2));
    for (int node = 0; node < 100; node++) {
      bench.send("evil" + node + "/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1));
    }
    bench.send("g/NDATA/n", PayloadBuilder.of(T, 2).aliased(1, 3));
    bench.send("new/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1).born("temp", 1, 4));
    bench.send("evil/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1));
    bench.send("new/NDATA/n", PayloadBuilder.of(T, 1).aliased(1, 5));
    assertThat(bench.sink.readings())
        .endsWith("g/n/temp@" + T + "=3.0", "new/n/temp@" + T + "=4.0", "new/n/temp@" + T + "=5.0");
    assertThat(bench.nodes("online")).isEqualTo(HostBench.MAX_NODES);
  }

  @Test
  void nodeThatWasAway_findsAPlaceAmongInventedOnes() {
    bench.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1).born("temp", 1, 1));
    for (int node = 0; node < HostBench.MAX_NODES - 1; node++) {
      bench.send("evil" + node + "/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1));
    }
    bench.send("g/NDEATH/n", PayloadBuilder.of(T, -1).bdSeq(1));
    bench.send("evil/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1));
    bench.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(2).born("temp", 1, 2));
    bench.send("g/NDATA/n", PayloadBuilder.of(T, 1).aliased(1, 3));
    assertThat(bench.sink.readings()).endsWith("g/n/temp@" + T + "=3.0");
    assertThat(bench.count("weir.edge.refused", "reason", "TOO_MANY_NODES")).isZero();
  }

  /** Half of the places is left to newcomers, whoever came first. */
  @Test
  void nodesThatAreKnown_leavePlacesToOthers() {
    for (int node = 0; node < HostBench.MAX_NODES; node++) {
      bench.send("evil" + node + "/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1));
    }
    bench.wait(Duration.ofMinutes(10));
    for (int node = 0; node < HostBench.MAX_NODES; node++) {
      bench.send("evil" + node + "/NDATA/n", PayloadBuilder.of(T, 1));
    }
    bench.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(1).born("temp", 1, 1));
    bench.send("g/NDATA/n", PayloadBuilder.of(T, 1).aliased(1, 2));
    assertThat(bench.sink.readings()).endsWith("g/n/temp@" + T + "=2.0");
  }

  /** With names and aliases, as the births of one say them. */
  @Test
  void memoryOfOneNode_leavesRoomForOthers_andNewcomersGiveWay() {
    HostBench shared = new HostBench(true, 100_000);
    shared.send("evil0/NBIRTH/n", many());
    assertThat(shared.memory.taken()).isBetween(49_000L, 50_000L);
    for (int node = 1; node < 20; node++) {
      shared.send("evil" + node + "/NBIRTH/n", many());
      assertThat(shared.memory.taken()).isLessThanOrEqualTo(100_000);
    }
    shared.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).born("temp", 1, 1));
    shared.send("evil/NBIRTH/n", many());
    shared.send("g/NDATA/n", PayloadBuilder.of(T, 1).aliased(1, 2));
    assertThat(shared.sink.readings()).endsWith("g/n/temp@" + T + "=2.0");
  }

  private static PayloadBuilder many() {
    PayloadBuilder many = PayloadBuilder.of(T, 0);
    for (int metric = 0; metric < 1_000; metric++) {
      many.born("metric" + metric, metric, 1);
    }
    return many;
  }

  @Test
  void birthWithoutMemory_isAReading() {
    HostBench small = new HostBench(true, 3_000);
    String name = "a".repeat(200);
    small.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).born("n", 2, 3).born(name, 1, 1));
    assertThat(small.sink.readings())
        .containsExactly("g/n/n@" + T + "=3.0", "g/n/" + name + "@" + T + "=1.0");
    assertThat(small.count(SparkplugMetrics.UNRESOLVED)).isEqualTo(1);
  }

  @Test
  void inventedNodes_doNotDelayTheRequestOfAnother() {
    Rebirths rebirths = new Rebirths(true, new SparkplugMetrics(bench.registry), bench.asked::add);
    for (int node = 0; node < 1_000; node++) {
      rebirths.want(node("evil" + node, "evil" + node + "/n"), Rebirths.Cause.UNKNOWN_NODE);
    }
    rebirths.want(node("g", "g/new"), Rebirths.Cause.UNKNOWN_NODE);
    EdgeNode known = node("evil", "evil/known");
    known.born = true;
    rebirths.want(known, Rebirths.Cause.GAP);
    for (int tick = 1; tick <= 3; tick++) {
      rebirths.tick(tick * 100_000_000L);
    }
    assertThat(bench.asked).containsExactly("evil/known", "g/new", "evil0/n");
  }

  private EdgeNode node(String group, String key) {
    return new EdgeNode(group, key, bench.memory, 0);
  }

  @Test
  void manyMessagesBehindAGap_endIt() {
    born();
    for (int message = 0; message < 128; message++) {
      bench.send("g/NDATA/n", PayloadBuilder.of(T + message, 3 + message).named("temp", 1));
    }
    assertThat(bench.count(SparkplugMetrics.GAPS)).isEqualTo(1);
    assertThat(bench.sink.taken()).hasSize(130);
  }

  @Test
  void damagedBytes_areRefused() {
    bench.send("g/NBIRTH/n", new byte[] {0x12, 5, 1});
    assertThat(bench.count("weir.edge.refused", "reason", "MALFORMED")).isEqualTo(1);
    assertThat(bench.sink.taken()).isEmpty();
  }

  @Test
  void topicsOfOthers_areNone() {
    assertThat(SparkplugTopic.of("spBv1.0/g/NCMD/n")).isNull();
    assertThat(SparkplugTopic.of("spBv1.0/STATE/h")).isNull();
    assertThat(SparkplugTopic.of("spBv1.0/g/DDATA/n")).isNull();
    assertThat(SparkplugTopic.of("spBv1.0/g/NDATA/n/d")).isNull();
    assertThat(SparkplugTopic.of("spBv1.0//NDATA/n")).isNull();
    assertThat(SparkplugTopic.of("spAv1.0/g/NDATA/n")).isNull();
  }
}
