package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart's options for java, and that java accepts them. */
class JavaOptionsTest {
  private static final List<String> JAVA =
      List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version");

  static List<Path> ciFiles() {
    return HelmChart.ciFiles();
  }

  @ParameterizedTest
  @MethodSource("ciFiles")
  void collectorAndProcessors_arePinned_inEveryContainer(Path values) throws Exception {
    PodEnvironment.Pods pods = PodEnvironment.of(HelmChart.render(values));

    for (String component : pods.names()) {
      String options = pods.container(component).variables().get("JAVA_TOOL_OPTIONS");
      assertThat(JavaFlags.of(JAVA, options))
          .as(component)
          .contains("Use" + collector(options) + "GC=true")
          .anyMatch(flag -> flag.matches("ActiveProcessorCount=[1-9]\\d*"));
    }
  }

  private static String collector(String options) {
    return options.replaceAll("-XX:\\+Use(\\w+)GC .*", "$1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 3",
        "config: {weir.threads: 6} | 7",
        "resources: {requests: {cpu: 3500m}} | 4",
        "resources: {requests: {cpu: null}} | 3",
        "resources: {limits: {cpu: 500m}} | 1",
        "resources: {limits: {cpu: 2}} | 2",
        "resources: {limits: {cpu: '1.5'}} | 2",
        "{resources: {limits: {cpu: 8}}, jvm: {processors: 5}} | 5",
      })
  void processors_areThoseOfTheLimit(String values, int processors) throws Exception {
    String options = options(values, "aggregator");

    assertThat(JavaFlags.of(JAVA, options)).contains("ActiveProcessorCount=" + processors);
  }

  @Test
  void runAndEdge_haveOptionsOfTheirOwn() {
    String edge = "edge: {enabled: true, feeder: {image: x}, jvm: {options: [-Xss512k]}}";
    String values = "{jvm: {collector: Z, options: [-Xmx1g, -Xlog:gc]}, " + edge + "}";

    assertThat(options(values, "aggregator"))
        .startsWith("-XX:+UseZGC ")
        .endsWith("/dumps/heap.hprof -Xmx1g -Xlog:gc");
    assertThat(options(values, "edge")).startsWith("-XX:+UseSerialGC ").endsWith(" -Xss512k");
  }

  @Test
  void heapDump_goesToAVolumeThatItFitsInto_unlessNoneIsWanted() {
    Manifest pods = Manifest.only(Manifest.all(HelmChart.render()), "StatefulSet");
    Object volumes = pods.at("spec", "template", "spec", "volumes");
    Object mounts = pods.at("spec", "template", "spec", "containers", 0, "volumeMounts");

    assertThat(options("{}", "aggregator"))
        .contains("-XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=/dumps/");
    assertThat(YamlTree.list(mounts)).contains(Map.of("name", "dumps", "mountPath", "/dumps"));
    assertThat(YamlTree.list(volumes))
        .contains(Map.of("name", "dumps", "emptyDir", Map.of("sizeLimit", "2Gi")));

    String none = HelmChart.renderWith("jvm: {heapDump: {enabled: false}}");
    assertThat(none).doesNotContain("dumps", "HeapDump");
  }

  @Test
  void collectorAmongTheOptions_isRefused_asJavaWouldRefuseTwo() {
    assertThatThrownBy(() -> HelmChart.renderWith("jvm: {options: [-XX:+UseZGC]}"))
        .hasMessageContaining("jvm.options: -XX:+UseZGC; expected: jvm.collector");
    assertThatThrownBy(() -> HelmChart.renderWith("jvm: {collector: CMS}"))
        .hasMessageContaining("/jvm/collector");
  }

  /** What the image sets, and what the manual says of it, are the same. */
  @Test
  void imagesFlags_giveWayToOptions() throws Exception {
    List<String> java = List.of(JAVA.get(0), "-XX:Flags=src/main/jib/app/jvm.flags", JAVA.get(1));

    assertThat(JavaFlags.of(java, ""))
        .containsAll(
            Set.of(
                "MaxRAMPercentage=70.000000", "ExitOnOutOfMemoryError=true", "UsePerfData=false"));
    assertThat(JavaFlags.of(java, "-XX:MaxRAMPercentage=50 -XX:-ExitOnOutOfMemoryError"))
        .contains("MaxRAMPercentage=50.000000", "ExitOnOutOfMemoryError=false");
  }

  private static String options(String values, String component) {
    return PodEnvironment.of(HelmChart.renderWith(values))
        .container(component)
        .variables()
        .get("JAVA_TOOL_OPTIONS");
  }
}
