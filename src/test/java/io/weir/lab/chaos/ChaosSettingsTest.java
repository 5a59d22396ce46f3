package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChaosSettingsTest {
  static Stream<FaultKind> ofPostgres() {
    return Arrays.stream(FaultKind.values()).filter(FaultKind::isOfPostgres);
  }

  static Stream<PlantedBug> bugsOfPostgres() {
    return Arrays.stream(PlantedBug.values()).filter(PlantedBug::isOfPostgres);
  }

  @ParameterizedTest
  @MethodSource("ofPostgres")
  void faultsOfPostgres_needOne(FaultKind kind) {
    ChaosSettings.Builder settings =
        ChaosSettings.builder(1, Duration.ofMinutes(1)).faults(Map.of(kind, 1));

    assertThatThrownBy(settings::build).hasMessageStartingWith("postgres ");
    assertThat(settings.postgres(true).build().faults()).containsKey(kind);
  }

  static Stream<FaultKind> ofImports() {
    return Arrays.stream(FaultKind.values()).filter(FaultKind::isOfImports);
  }

  @ParameterizedTest
  @MethodSource("ofImports")
  void faultsOfImports_needOne(FaultKind kind) {
    ChaosSettings.Builder settings =
        ChaosSettings.builder(1, Duration.ofMinutes(1)).faults(Map.of(kind, 1));

    assertThatThrownBy(settings::build).hasMessageStartingWith("import ");
    assertThat(settings.imports(true).build().faults()).containsKey(kind);
  }

  @ParameterizedTest
  @MethodSource("bugsOfPostgres")
  void bugsOfPostgres_needOne_andAreNotOfOthers(PlantedBug bug) {
    ChaosSettings.Builder settings = ChaosSettings.builder(1, Duration.ofMinutes(1)).bug(bug);

    assertThatThrownBy(settings::build).hasMessageStartingWith("postgres ");
    assertThat(settings.postgres(true).build().bug()).isEqualTo(bug);
    assertThat(bug.isOfApplications()).isFalse();
    assertThat(bug.isOfEvents()).isFalse();
  }
}
