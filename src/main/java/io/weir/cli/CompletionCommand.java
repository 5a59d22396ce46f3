package io.weir.cli;

import io.weir.cli.output.Results;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir completion SHELL}: prints the script that completes commands and options. */
@Command(
    name = "completion",
    description = "Print a script that completes commands and options in a shell.",
    footer = {
      "",
      "The script is for a command named weir, also with a path before it (./weir).",
      "",
      "Examples:",
      "  source <(weir completion bash)       in ~/.bashrc",
      "  source <(weir completion zsh)        in ~/.zshrc"
    })
final class CompletionCommand implements Callable<Integer> {
  private static final Set<String> SHELLS = Set.of("bash", "zsh");

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private String shell;

  @Override
  public Integer call() {
    if (!SHELLS.contains(shell)) {
      throw new ParameterException(spec.commandLine(), shell + ": expected: bash or zsh");
    }
    Results out = Results.standard();
    // It loads bashcompinit in zsh.
    AutoComplete.bash("weir", Weir.commandLine()).lines().forEach(out::line);
    out.flush();
    return 0;
  }
}
