package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.topic.SensorPartition;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code weir partition}: where sensors live. */
@Command(
    name = "partition",
    description = "Print the partition of each sensor id.",
    footer = {
      "",
      "A line for each id, in the order given: the id, a tab, the partition from 0 to 63.",
      "A line break within an id is printed as \\n or \\r. Asks no cluster.",
      "",
      "Examples:",
      "  weir partition cam-1142              prints cam-1142, a tab and 19",
      "  weir partition -- -17 @lab           ids that begin with a dash come after --"
    })
final class PartitionCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "ID", description = "Sensor ids, taken as they are.")
  private List<String> ids;

  @Override
  public Integer call() {
    Results out = Results.standard();
    for (String id : ids) {
      out.line(onOneLine(id) + "\t" + SensorPartition.of(id));
    }
    out.flush();
    return 0;
  }

  private static String onOneLine(String id) {
    return id.replace("\n", "\\n").replace("\r", "\\r");
  }
}
