package io.weir.internal.app;

import io.weir.Await;
import io.weir.cli.doctor.DoctorVisit;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With the credentials of weir run the doctor names a right that is missing. */
@Timeout(300)
class DoctorRightsTest {
  @TempDir private Path dir;

  @Test
  void missingRight_ofEachKind_isNamed_andNothingIsWrongWithTheLeast() throws Exception {
    List<Acl> rights = Acl.ofRun("weir", TopicNames.DEFAULT);
    try (SecureCluster cluster = SecureCluster.start(dir)) {
      new TopicAdmin(cluster.admin(), TopicNames.DEFAULT).createMissing();
      cluster.addUser("weir", "of-weir-1");
      cluster.allow("weir", rights);
      WeirConfig config =
          WeirConfig.of(new Properties(), cluster.environment("weir", "of-weir-1"), Map.of());
      try (Admin admin = Admin.create(config.kafka().forAdmin())) {
        List<String> lines = visit(admin, config);
        while (!lines.contains("no findings")) { // The broker learns of rights a little later.
          lines = visit(admin, config);
        }

        for (Acl right : oneOfEachKind(rights)) {
          cluster.forbid("weir", right);
          String expected = right.operation() + " on ";
          while (visit(admin, config).stream()
              .noneMatch(
                  line ->
                      line.contains(expected)
                          && line.contains(right.name())
                          && line.startsWith("RISK    rights: this user lacks "))) {
            Await.longPause();
          }
          cluster.allow("weir", List.of(right));
        }
      }
    }
  }

  /** Of each operation on each kind of thing one; the changelog does not exist yet. */
  private static Collection<Acl> oneOfEachKind(List<Acl> rights) {
    Map<String, Acl> byKind = new LinkedHashMap<>();
    for (Acl right : rights) {
      if (!right.name().endsWith("-changelog") || right.operation() == AclOperation.CREATE) {
        byKind.putIfAbsent(right.resource() + " " + right.operation(), right);
      }
    }
    return byKind.values();
  }

  /** What it says; nothing where a right went while it looked. */
  private static List<String> visit(Admin admin, WeirConfig config) throws Exception {
    try {
      return lines(admin, config);
    } catch (AuthorizationException e) {
      return List.of();
    }
  }

  private static List<String> lines(Admin admin, WeirConfig config) throws Exception {
    return DoctorVisit.make(
            admin,
            config,
            () -> {},
            () -> {
              Map<String, Object> settings = new HashMap<>(config.kafka().forConsumer());
              settings.put("enable.auto.commit", "false");
              return new KafkaConsumer<>(
                  settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            },
            List.of())
        .lines();
  }
}
