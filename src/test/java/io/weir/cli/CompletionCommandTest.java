package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of weir completion, as bash runs it. */
class CompletionCommandTest {
  @TempDir private Path directory;

  @Test
  void bash_completesCommandsAndTheirOptions() throws Exception {
    WeirProcess.Ended printed = WeirProcess.run("completion", "bash");
    assertThat(printed.status()).isZero();
    assertThat(printed.err()).isEmpty();
    Path script = Files.writeString(directory.resolve("completion.bash"), printed.out());

    assertThat(completed(script, "weir", "part")).containsExactly("partition");
    assertThat(completed(script, "weir", "edge", "--led")).containsExactly("--ledger");
    assertThat(completed(script, "weir", "sni")).containsExactly("sniff");
    assertThat(completed(script, "weir", "completi")).containsExactly("completion");
  }

  @Test
  void otherShells_areRefused() throws Exception {
    WeirProcess.Ended refused = CommandHost.shared().run("completion", "fish");
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).startsWith("weir completion: fish: expected: bash or zsh");
  }

  private static List<String> completed(Path script, String... words) throws Exception {
    String ask =
        "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_weir; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(script, String.join(" ", words), words.length - 1);
    Process bash =
        new ProcessBuilder("bash", "-c", ask)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return WeirProcess.ended(bash).lines().stream().map(String::strip).toList();
  }
}
