package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.signing.MasterKey;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir key new}: prints a new master key. */
@Command(
    name = "new",
    description = "Print a new master key, a line for the file of weir.signing.keys.file.",
    footer = {
      "",
      "To rotate: append a second master key, deploy the file to every process of weir run,",
      "give the gateways their new keys, then add <old id>.until=2027-02-01T00:00:00Z;",
      "docs/security.md.",
      "",
      "Examples:",
      "  weir key new > masters.properties",
      "  weir key new --id 2027 >> masters.properties"
    })
final class KeyNewCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "Name of the master key, 1 to 64 of a-z A-Z 0-9 _ - (today's date).")
  private String id = LocalDate.now(ZoneOffset.UTC).toString();

  @Override
  public Integer call() {
    if (!MasterKey.isId(id)) {
      throw new ParameterException(
          spec.commandLine(),
          "--id=" + id + ": expected: 1 to 64 of the characters a-z A-Z 0-9 _ -");
    }
    Results out = Results.standard();
    out.line(id + ".secret=" + MasterKey.newSecret());
    out.flush();
    return 0;
  }
}
