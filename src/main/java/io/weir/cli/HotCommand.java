package io.weir.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.cli.hot.HotReport;
import io.weir.cli.hot.HotText;
import io.weir.cli.output.Results;
import io.weir.cli.pages.Processes;
import io.weir.cli.screen.Terminal;
import io.weir.internal.ops.HotPage;
import io.weir.internal.text.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir hot}: shows the sensors and gateways with the most readings. */
@Command(
    name = "hot",
    description = "Show which sensors and gateways sent the most readings in the last minute.",
    footer = {
      "",
      "Queries the HTTP ports of weir run. A host name with several addresses, such as that of",
      "a headless service in Kubernetes, means all of them. Counts are exact and cover the last",
      "whole minute of log time; a process has its first counts within two minutes of its",
      "start. Counts of sensors include aggregated and late readings, counts of gateways all",
      "decoded readings. A gateway's count is marked >= if some partition lists 20 other",
      "gateways.",
      "",
      "Examples:",
      "  weir hot",
      "  weir hot --url http://weir:8080 --watch",
      "  weir hot --url http://10.0.0.1:8080,http://10.0.0.2:8080 --json"
    })
final class HotCommand implements Callable<Integer> {
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

  @Spec private CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      split = ",",
      description = "HTTP addresses of weir run (http://localhost:8080).")
  private List<String> urls = List.of("http://localhost:8080");

  @Option(
      names = {"-n", "--top"},
      paramLabel = "N",
      description = "Number of sensors and gateways (10).")
  private int top = 10;

  @Option(names = "--watch", description = "Repeat until stopped.")
  private boolean watch;

  @Option(names = "--every", paramLabel = "DURATION", description = "Interval of --watch (10s).")
  private Duration every = Duration.ofSeconds(10);

  @Option(names = "--json", description = "One line of JSON for each sample.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (top < 1) {
      throw new ParameterException(spec.commandLine(), "--top " + top + ": expected: 1 or more");
    }
    Processes processes = new Processes(urls);
    Results out = Results.standard();
    boolean clear =
        watch
            && !json
            && !Terminal.isPlainWanted(System.getenv())
            && Terminal.sizeOfStandardOutput().isPresent();
    StopSignal stop = StopSignal.install(() -> {});
    do {
      HotReport report = look(processes, top);
      if (json) {
        out.line(HotText.json(report));
      } else {
        List<String> lines = HotText.lines(report);
        if (clear) {
          out.styled(CLEAR_SCREEN + Printable.line(lines.remove(0)));
        }
        lines.forEach(out::line);
        if (watch && !clear) {
          out.line("");
        }
      }
      out.flush();
    } while (watch && !stop.await(every));
    return 0;
  }

  static HotReport look(Processes processes, int top) throws IOException {
    List<JsonNode> pages = new ArrayList<>();
    for (Processes.Fetched page : processes.get(HotPage.PATH)) {
      pages.add(parse(page));
    }
    return HotReport.of(pages, top);
  }

  private static JsonNode parse(Processes.Fetched page) throws IOException {
    try {
      JsonNode tree = new ObjectMapper().readTree(page.text());
      if (tree.has("partitions")) {
        return tree;
      }
    } catch (IOException e) {
      throw new IOException(page.process() + HotPage.PATH + " is not a page of weir run", e);
    }
    throw new IOException(page.process() + HotPage.PATH + " is not a page of weir run");
  }
}
