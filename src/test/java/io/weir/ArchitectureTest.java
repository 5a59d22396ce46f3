package io.weir;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.JavaConstructor.CONSTRUCTOR_NAME;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import io.weir.cli.output.Results;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.streams.processor.PunctuationType;

/** The rules of the house: which room may know which. */
@AnalyzeClasses(packages = "io.weir", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  /** The way of the data. Each knows those before it; the generated messages are everyone's. */
  private static final List<String> ROOMS =
      List.of(
          "internal.time",
          "internal.yaml",
          "internal.hot",
          "internal.fetch",
          "reading",
          "internal.window",
          "internal.alarm",
          "internal.event",
          "internal.group",
          "internal.wire",
          "internal.deadletter",
          "signing",
          "internal.permission",
          "internal.registry",
          "topic",
          "summary",
          "internal.json",
          "internal.text",
          "connect",
          "edge",
          "internal.input",
          "internal.redrive",
          "internal.store",
          "internal.topology",
          "internal.app",
          "internal.imports",
          "internal.postgres",
          "internal.sink",
          "internal.collect",
          "internal.ops",
          "internal.explain",
          "internal.serve",
          "keyed",
          "cli",
          "lab");

  /** Packages with classes that programs of others use. */
  private static final Set<String> API =
      Set.of(
          "io.weir.connect",
          "io.weir.edge",
          "io.weir.keyed",
          "io.weir.reading",
          "io.weir.signing",
          "io.weir.summary",
          "io.weir.topic");

  /**
   * What logback.xml names, what programs of others and weir up use, and constants that javac
   * copies.
   */
  private static final Set<String> FOUND_BY_NAME =
      Set.of(
          "KafkaNoise",
          "WindowConverter",
          "SensorStreamPartitioner",
          "PrintableLog",
          "KeyedApplication",
          "KeyedTestDriver",
          "LatestSummaryReader",
          "LatestSummaryTable",
          "LocalSite",
          "FilePlay",
          "ChangeRecord");

  @ArchTest static final ArchRule rooms_knowOnlyThoseBeforeThem = rooms();

  /** Packages within a room have an order too. */
  @ArchTest
  static final ArchRule packages_haveNoCircles =
      slices().matching("io.weir.(**)").should().beFreeOfCycles();

  /** A package whose place in the order nobody has decided. */
  @ArchTest
  static final ArchRule packages_haveAPlaceInTheOrder =
      classes()
          .that()
          .resideOutsideOfPackage("io.weir.v1..")
          .should()
          .resideInAnyPackage(
              ROOMS.stream().map(room -> "io.weir." + room + "..").toArray(String[]::new));

  @ArchTest
  static final ArchRule topology_andEdge_meetOnTheTopic =
      noClasses()
          .that()
          .resideInAPackage("io.weir.internal.topology..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.weir.edge..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule readingAndWindow_arePlainJava =
      classes()
          .that()
          .resideInAnyPackage(
              "io.weir.internal.hot..",
              "io.weir.reading..",
              "io.weir.internal.window..",
              "io.weir.internal.event..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.weir.internal.hot..",
              "io.weir.reading..",
              "io.weir.internal.window..",
              "io.weir.internal.event..");

  @ArchTest
  static final ArchRule edge_bringsFourLibrariesAndNoMore =
      classes()
          .that()
          .resideInAnyPackage(
              "io.weir.edge..",
              "io.weir.internal.wire..",
              "io.weir.signing..",
              "io.weir.topic..",
              "io.weir.v1..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.weir.internal.fetch..",
              "io.weir.internal.hot..",
              "javax.crypto..",
              "io.weir.reading..",
              "io.weir.internal.window..",
              "io.weir.internal.event..",
              "io.weir.internal.wire..",
              "io.weir.signing..",
              "io.weir.internal.registry..",
              "io.weir.topic..",
              "io.weir.edge..",
              "io.weir.v1..",
              "org.apache.kafka.clients..",
              "org.apache.kafka.common..",
              "com.google.protobuf..",
              "io.micrometer.core..",
              "org.slf4j..");

  /** A gateway that has one adds jackson-core; one that has none never loads it. */
  @ArchTest
  static final ArchRule registry_bringsJsonBesideThem =
      classes()
          .that()
          .resideInAPackage("io.weir.internal.registry..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.weir.internal.time..",
              "javax.net.ssl..",
              "javax.security.auth.login..",
              "io.weir.internal.wire..",
              "io.weir.internal.registry..",
              "org.apache.kafka.common..",
              "com.google.protobuf..",
              "com.fasterxml.jackson.core..",
              "org.slf4j..");

  @ArchTest
  static final ArchRule internalsOfStreams_areTheStoresAlone =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.weir.internal.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka.streams..internals..");

  /** What others have written must not decide how much memory a process takes. */
  @ArchTest
  static final ArchRule consumers_areBounded =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.weir.internal.fetch..", "io.weir.lab..")
          .and()
          .doNotHaveSimpleName("ReadingsConsumer") // Of the stream threads, limited in its own way,
          .and()
          .doNotHaveSimpleName("BrokerInputLog") // and this one as they are.
          .should()
          .accessTargetWhere(
              target(owner(type(KafkaConsumer.class))).and(target(name(CONSTRUCTOR_NAME))));

  /** Bytes of others are read in one way, which bounds what they become. */
  @ArchTest
  static final ArchRule messages_areReadWithinLimits =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.weir.v1..", "io.weir.lab..")
          .and()
          .doNotHaveSimpleName("Protobuf")
          .should()
          .accessTargetWhere(
              target(nameMatching("parse(Partial|Delimited|PartialDelimited)?From")));

  @ArchTest
  static final ArchRule broker_isForDevelopment =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.weir.lab..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.weir.lab..", "kafka..", "scala..");

  @ArchTest
  static final ArchRule databases_areThoseRoomsAlone =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.weir.internal.postgres..",
              "io.weir.internal.sink..",
              "io.weir.internal.collect..",
              "io.weir.lab..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.postgresql..", "java.sql..");

  @ArchTest
  static final ArchRule decisions_readNoWallClock =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.weir.reading..",
              "io.weir.internal.window..",
              "io.weir.internal.store..",
              "io.weir.internal.topology..",
              "io.weir.keyed..")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Instant.class, "now");

  /** Kafka Streams 4.3.1 punctuates for ever after a timestamp near the largest long. */
  @ArchTest
  static final ArchRule nobody_punctuatesByStreamTime =
      noClasses().should().accessField(PunctuationType.class, "STREAM_TIME");

  /** Standard output belongs to results, and results say when they can be written no more. */
  @ArchTest
  static final ArchRule nobody_writesToSystemOut =
      noClasses().should().accessField(System.class, "out");

  /** Names of senders are on screens and in logs: Results, Messages and PrintableLog print them. */
  @ArchTest
  static final ArchRule nobody_writesToSystemErr =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.weir.lab..")
          .and()
          .doNotHaveSimpleName("Weir")
          .should()
          .accessField(System.class, "err");

  @ArchTest
  static final ArchRule styledLines_areOfTwo =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.weir.lab..")
          .and()
          .doNotHaveSimpleName("Plots")
          .and()
          .doNotHaveSimpleName("HotCommand")
          .and()
          .doNotHaveSimpleName("Results")
          .should()
          .callMethod(Results.class, "styled", String.class);

  /** What tests, the demo and the bench alone use is with them, and not in the production jar. */
  @ArchTest
  static void production_hasOnlyWhatItUses(JavaClasses all) {
    List<String> unused =
        all.stream()
            .filter(type -> type.isTopLevelClass() && isProduction(type))
            .filter(type -> !type.getSimpleName().equals("package-info"))
            .filter(type -> !FOUND_BY_NAME.contains(type.getSimpleName()))
            .filter(type -> !type.isAnnotatedWith("picocli.CommandLine$Command"))
            .filter(ArchitectureTest::isUsedByNoOther)
            .map(JavaClass::getName)
            .sorted()
            .toList();
    assertThat(unused).as("classes of the production jar that nothing in it uses").isEmpty();
  }

  private static boolean isProduction(JavaClass type) {
    String name = type.getPackageName();
    return !name.startsWith("io.weir.lab") && !name.equals("io.weir.v1");
  }

  private static boolean isUsedByNoOther(JavaClass type) {
    return Stream.concat(Stream.of(type), type.getAllSubclasses().stream())
        .flatMap(any -> any.getDirectDependenciesToSelf().stream())
        .map(dependency -> dependency.getOriginClass())
        .filter(ArchitectureTest::isProduction)
        .allMatch(origin -> origin.getName().split("\\$")[0].equals(type.getName()));
  }

  /** A program that imports Weir's public classes needs none of them by its full name. */
  @ArchTest
  static void names_ofPublicClasses_areThoseOfOneClass(JavaClasses all) {
    Map<String, List<String>> byName =
        all.stream()
            .filter(type -> type.isTopLevelClass() && API.contains(type.getPackageName()))
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    TreeMap::new,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    assertThat(byName).hasSizeGreaterThan(30);
    byName.values().removeIf(classes -> classes.size() == 1);
    assertThat(byName).as("names of several classes").isEmpty();
  }

  private static ArchRule rooms() {
    CompositeArchRule rules = null;
    for (int i = 0; i < ROOMS.size() - 1; i++) {
      String[] later =
          ROOMS.subList(i + 1, ROOMS.size()).stream()
              .map(room -> "io.weir." + room + "..")
              .toArray(String[]::new);
      ArchRule rule =
          noClasses()
              .that()
              .resideInAPackage("io.weir." + ROOMS.get(i) + "..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(later)
              .allowEmptyShould(true);
      rules = rules == null ? CompositeArchRule.of(rule) : rules.and(rule);
    }
    return rules;
  }
}
