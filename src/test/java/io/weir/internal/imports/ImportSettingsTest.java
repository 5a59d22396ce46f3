package io.weir.internal.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.app.ConfigException;
import io.weir.internal.app.WeirConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Which process of an import is which gateway. */
class ImportSettingsTest {
  private static ImportSettings settings(String instance) {
    Map<String, String> options = Map.of("import.name", "plant", "import.instance", instance);
    WeirConfig config = WeirConfig.of(new Properties(), Map.of(), options);
    return ImportSettings.of(config, List.of("plant.raw"), Optional.empty());
  }

  /** Four newer boots of a gateway would fence the process that runs. */
  @Test
  void again_isAGatewayOfItsOwn_ofTheSameImport() {
    ImportSettings running = settings("0");
    ImportSettings again = running.again();
    assertThat(running.signingGatewayId()).isEqualTo("import/plant/0");
    assertThat(again.signingGatewayId()).isEqualTo("import/plant/again");
    assertThat(again.transactionalId()).isEqualTo("weir-import-plant-again");
    assertThat(again.gatewayId()).isEqualTo(running.gatewayId());
    assertThat(again.name()).isEqualTo(running.name());
  }

  @Test
  void noOtherProcess_hasTheNameOfAgain() {
    assertThatThrownBy(() -> settings("again"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("weir.import.instance = again: expected: another name, --again has it");
  }
}
