package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class GatewayCommandTest {
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  private static WeirProcess.Ended run(String... arguments) throws Exception {
    String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--bootstrap-servers";
    all[arguments.length + 1] = kafka.bootstrapServers();
    return CommandHost.shared().run(all);
  }

  @Test
  void reset_withoutTheTopics_saysWhatToDo_andWithThem_isOneOrderAnd64Marks() throws Exception {
    WeirProcess.Ended early = run("gateway", "reset", "line-7");
    assertThat(early.status()).isEqualTo(1);
    assertThat(early.err())
        .isEqualTo(
            "weir gateway reset: no topic weir.control on the cluster; create it with: weir"
                + " topics\n");

    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    }
    WeirProcess.Ended done = run("gateway", "reset", "line-7", "--wait", "0s");
    assertThat(done.err())
        .isEqualTo(
            "order 0 for gateway line-7 waits in all partitions of weir.readings: it takes effect"
                + " when the application reads its mark\n");
    assertThat(done.status()).isZero();
    assertThat(done.out()).isEqualTo("line-7\t0\n");

    WeirProcess.Ended orders = run("tail", "control", "--from-beginning", "--no-follow");
    assertThat(orders.lines()).hasSize(1);
    assertThat(orders.out())
        .contains("\"gateway_reset\":{\"gateway_id\":\"line-7\"}")
        .contains("\"readings_topic\":\"weir.readings\"")
        .contains("\"topic\":\"weir.control\",\"partition\":0,\"offset\":0");
    assertThat(run("tail", "readings", "--from-beginning", "--no-follow").lines()).hasSize(64);
  }

  @Test
  void idThatNoGatewayHas_isWrongUsage() throws Exception {
    WeirProcess.Ended empty = run("gateway", "reset", "");
    assertThat(empty.status()).isEqualTo(2);
    assertThat(empty.err()).contains("ID of 0 bytes: expected: 1 to 256");
    assertThat(run("gateway", "reset").status()).isEqualTo(2);
    assertThat(run("gateway").status()).isEqualTo(2);
  }
}
