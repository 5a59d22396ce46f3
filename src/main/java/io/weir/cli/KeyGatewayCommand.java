package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.app.ConfigException;
import io.weir.internal.app.SigningKeys;
import io.weir.internal.app.WeirConfig;
import io.weir.reading.OwnSequences;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir key gateway}: prints the key of one gateway. */
@Command(
    name = "gateway",
    description = "Print the key file of a gateway, for its weir.signing.key.file.",
    footer = {
      "",
      "The key depends only on gateway, master key and generation: nothing is stored.",
      "",
      "Examples:",
      "  weir key gateway line-7 --signing-keys-file masters.properties > line-7.key",
      "  weir key gateway line-7 --generation 2 --signing-keys-file masters.properties"
    })
final class KeyGatewayCommand implements Callable<Integer>, ConfigOptions.Configured {
  private final ConfigOptions configOptions = new ConfigOptions(SigningKeys.KEYS_FILE);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "ID", description = "The gateway's id.")
  private String gatewayId;

  @Option(
      names = "--generation",
      paramLabel = "NUMBER",
      description = "Generation of the key; a higher one replaces a stolen key (1).")
  private int generation = 1;

  @Option(
      names = "--master",
      paramLabel = "ID",
      description = "Master key to derive from (the last valid one in the file).")
  private String master;

  @Override
  public ConfigOptions configOptions() {
    return configOptions;
  }

  @Override
  public Integer call() {
    if (generation < 1 || generation > MasterKey.MOST_GENERATION) {
      throw new ParameterException(
          spec.commandLine(),
          "--generation="
              + generation
              + ": expected: a number from 1 to "
              + MasterKey.MOST_GENERATION);
    }
    WeirConfig config = configOptions.load();
    int bytes = gatewayId.getBytes(StandardCharsets.UTF_8).length;
    if (gatewayId.isBlank() || bytes > config.limits().maxIdBytes()) {
      throw new ParameterException(
          spec.commandLine(),
          "ID: expected: 1 to " + config.limits().maxIdBytes() + " bytes (weir.max.id.bytes)");
    }
    if (OwnSequences.isOwn(gatewayId)) {
      throw new ParameterException(
          spec.commandLine(),
          "ID: expected: no id that begins with "
              + OwnSequences.PREFIX
              + ": these are Weir's own gateways");
    }
    MasterKeys masters =
        config
            .signing()
            .masters()
            .orElseThrow(
                () ->
                    new ConfigException(
                        "weir.signing.keys.file is not set; expected: a file of master keys,"
                            + " from weir key new"));
    Results out = Results.standard();
    chosen(config, masters).gatewayKey(gatewayId, generation).fileLines().forEach(out::line);
    out.flush();
    return 0;
  }

  private MasterKey chosen(WeirConfig config, MasterKeys masters) {
    Optional<MasterKey> found =
        master == null
            ? config.signing().currentMaster(System.currentTimeMillis())
            : masters.find(master);
    return found.orElseThrow(
        () ->
            new ParameterException(
                spec.commandLine(),
                "--master=" + master + ": the file has " + String.join(", ", masters.ids())));
  }
}
