package io.weir;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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

  /** Who waits for another does it by {@link Await}, which ends; these are paced by a clock. */
  @ArchTest
  static final ArchRule noTest_waitsWithoutAnEnd =
      noClasses()
          .that()
          .doNotHaveSimpleName(Await.class.getSimpleName())
          .and()
          .haveSimpleNameNotContaining("TrafficFlow")
          .and()
          .haveSimpleNameNotContaining("SmallMachine")
          .and()
          .haveSimpleNameNotContaining("CollectorKillsOnKafkaTest")
          .should()
          .callMethod(LockSupport.class, "parkNanos", long.class);
}
