package io.weir.cli;

import io.weir.cli.output.Results;
import io.weir.internal.input.Clients;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir token new}: prints a new token and its entry of the clients' file. */
@Command(
    name = "new",
    description = "Print a new token, and the entry of the file weir.edge.clients.file for it.",
    footer = {
      "",
      "The file has the token's hash; nobody can read the token from it.",
      "",
      "Examples:",
      "  weir token new telegraf-7"
    })
final class TokenNewCommand implements Callable<Integer> {
  private static final int TOKEN_BYTES = 32;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "Name of the client.")
  private String name;

  @Override
  public Integer call() {
    if (!name.matches("[A-Za-z0-9._-]{1,64}")) {
      throw new ParameterException(
          spec.commandLine(), name + ": expected: 1 to 64 of the characters a-z A-Z 0-9 . _ -");
    }
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    String token = HexFormat.of().formatHex(random);
    Results out = Results.standard();
    out.line("token: " + token);
    out.line("");
    out.line("clients:");
    out.line("  - name: " + name);
    out.line("    token-sha256: " + Clients.hash(token));
    out.flush();
    return 0;
  }
}
