package io.weir.internal.app;

import io.weir.Await;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** Changes settings of topics in tests. */
final class TopicConfigs {
  private TopicConfigs() {}

  /** Returns when the brokers know. */
  static void set(Admin admin, String topic, String key, String value) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    admin
        .incrementalAlterConfigs(
            Map.of(
                resource,
                List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
    Await.until(() -> value.equals(get(admin, resource, key)));
  }

  private static String get(Admin admin, ConfigResource resource, String key) throws Exception {
    return admin.describeConfigs(List.of(resource)).all().get().get(resource).get(key).value();
  }
}
