package io.weir.cli;

import io.weir.app.Eviction;
import io.weir.app.Keys;
import io.weir.app.WeirConfig;
import io.weir.cli.output.Results;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir evict}: the partitions of an instance that is gone go to others at once. */
@Command(
    name = "evict",
    description = "Remove an instance that will not return from the consumer group.",
    footer = {
      "",
      "An instance with a name (weir.instance.id, on Kubernetes the pod's) is expected back:",
      "its partitions wait for consumer.session.timeout.ms. After scaling in, or where a node",
      "is lost, they need not. A line for each member that was removed, one a thread: its",
      "name, a tab, removed. An instance that still runs joins again, with a short pause.",
      "Exit status: 0 done, 1 no such member.",
      "",
      "Examples:",
      "  weir evict weir-3",
      "  weir evict weir-2 weir-3 --application-id weir-plant-7"
    })
final class EvictCommand extends ClusterCommand {
  @Parameters(arity = "1..*", paramLabel = "INSTANCE", description = "Names of instances.")
  private List<String> instances;

  EvictCommand() {
    super(Keys.BOOTSTRAP_SERVERS, Keys.APPLICATION_ID);
  }

  @Override
  int run(WeirConfig config) {
    try (Admin admin = Connections.admin(config.kafka())) {
      Eviction eviction = new Eviction(admin, config.applicationId());
      Results out = Results.standard();
      for (String instance : instances) {
        eviction.evict(instance).forEach(name -> out.line(name + "\tremoved"));
        out.flush();
      }
      return 0;
    }
  }
}
