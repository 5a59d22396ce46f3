package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.permission.Permissions;
import io.weir.internal.permission.Permit;
import io.weir.reading.IdPermit;
import io.weir.reading.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir gateways check}: validates a file of gateways. */
@Command(
    name = "check",
    description =
        "Check a file of gateways as weir run does at startup, or the permissions of one gateway.",
    footer = {
      "",
      "Prints each entry. For an invalid entry prints one line with file, place, gateway, field",
      "and expected values, and exits with status 2. With --gateway, prints the result for a",
      "reading of each sensor and an event of each --key: ok, NOT_ITS_SENSOR, NOT_ITS_KEY or",
      "REVOKED, and exits with status 1 unless all are ok. This check assumes a current boot id",
      "and key.",
      "",
      "Examples:",
      "  weir gateways check gateways.yaml",
      "  weir gateways check gateways.yaml --gateway line-7 plant/line-7/t1 plant/line-8/t1",
      "  weir gateways check gateways.yaml --gateway line-7 --key line-7",
      "  weir gateways check --config /etc/weir/weir.properties gateways.yaml"
    })
final class GatewaysCheckCommand implements Callable<Integer>, ConfigOptions.Configured {
  private final ConfigOptions configOptions = new ConfigOptions(SigningKeys.SIGNING);

  @Parameters(index = "0", paramLabel = "GATEWAYS", description = "The file of gateways, in YAML.")
  private String file;

  @Parameters(index = "1..*", paramLabel = "SENSOR", description = "Sensors to check.")
  private List<String> sensors = new ArrayList<>();

  @Option(names = "--gateway", paramLabel = "ID", description = "Gateway to check.")
  private String gateway;

  @Option(names = "--key", paramLabel = "KEY", description = "Key of events to check; repeatable.")
  private List<String> keys = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    if ((gateway == null) != (sensors.isEmpty() && keys.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(), "--gateway and sensors or keys: expected: both or neither");
    }
    Permissions permissions =
        configOptions
            .load(Map.of(SigningKeys.GATEWAYS_FILE.name(), file))
            .signing()
            .permissions()
            .orElseThrow();
    Results out = Results.standard();
    int status = gateway == null ? list(permissions, out) : ask(permissions, out);
    out.flush();
    return status;
  }

  private int list(Permissions permissions, Results out) {
    permissions.lines().forEach(line -> out.line("  " + line));
    out.line("%s: entries: %d, all valid".formatted(file, permissions.size()));
    return 0;
  }

  private int ask(Permissions permissions, Results out) {
    Permit permit = permissions.permit(gateway);
    RejectReason ofGateway = permit.refusal(Long.MAX_VALUE, false, Integer.MAX_VALUE);
    int status = 0;
    for (String sensor : sensors) {
      status |= ask(sensor, ofGateway, permit.sensors(), RejectReason.NOT_ITS_SENSOR, out);
    }
    for (String key : keys) {
      status |= ask(key, ofGateway, permit.keys(), EventRefusal.NOT_ITS_KEY, out);
    }
    return status;
  }

  private static int ask(
      String id, RejectReason ofGateway, IdPermit permit, Enum<?> refusal, Results out) {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    Enum<?> ofId = permit.allows(bytes, 0, bytes.length) ? null : refusal;
    Enum<?> reason = ofGateway == null ? ofId : ofGateway;
    out.line(id + "\t" + (reason == null ? "ok" : reason.name()));
    return reason == null ? 0 : 1;
  }
}
