package io.weir;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.TimeUnit;

/** A test waits for what it needs to see, or moves a clock of its own. */
@AnalyzeClasses(packages = "io.weir", importOptions = ImportOption.OnlyIncludeTests.class)
final class TestsDoNotSleepTest {
  @ArchTest
  static final ArchRule noTest_sleeps =
      noClasses()
          .should()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(Thread.class, "sleep", long.class, int.class)
          .orShould()
          .callMethod(TimeUnit.class, "sleep", long.class);
}
