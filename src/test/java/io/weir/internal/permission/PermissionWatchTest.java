package io.weir.internal.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.yaml.YamlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PermissionWatchTest {
  @TempDir Path dir;
  private Path file;
  private final List<Boolean> seen = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    file = dir.resolve("gateways.yaml");
    write("one");
  }

  @Test
  void change_holdsOnceItHasStoodForTwoLooks() throws IOException {
    try (PermissionWatch watch = PermissionWatch.of(file, false, seen::add)) {
      write("two");
      watch.look();
      assertThat(watch.get().lines()).containsExactly("one: revoked");
      watch.look();
      assertThat(watch.get().lines()).containsExactly("two: revoked");
      Permissions now = watch.get();
      watch.look();
      assertThat(watch.get()).isSameAs(now);
      assertThat(seen).containsExactly(true, true);
    }
  }

  /** Written in two steps, the first of which is a file that permits nothing. */
  @Test
  void halfOfAFile_neverHolds() throws IOException {
    try (PermissionWatch watch = PermissionWatch.of(file, false, seen::add)) {
      Files.writeString(file, "gateways: []");
      watch.look();
      write("two");
      watch.look();
      assertThat(watch.get().lines()).containsExactly("one: revoked");
      watch.look();
      assertThat(watch.get().lines()).containsExactly("two: revoked");
    }
  }

  @Test
  void badVersion_keepsThePreviousOne_isReportedOnce_andEndsWithAGoodOne() throws IOException {
    try (PermissionWatch watch = PermissionWatch.of(file, false, seen::add)) {
      Files.writeString(file, "gateways: [{gateway: a}]");
      looks(watch);
      assertThat(watch.get().lines()).containsExactly("one: revoked");
      Files.delete(file);
      looks(watch);
      Files.writeString(file, "#".repeat(2 << 20));
      looks(watch);
      assertThat(watch.get().lines()).containsExactly("one: revoked");
      write("one");
      looks(watch);
      assertThat(watch.get().lines()).containsExactly("one: revoked");
      assertThat(seen).containsExactly(true, false, false, true);
    }
  }

  @Test
  void fileThatIsNotAsItHasToBe_isRefusedAtTheStart() throws IOException {
    Files.writeString(file, "gateways: [{gateway: a}]");
    assertThatThrownBy(() -> PermissionWatch.open(file, false, seen::add))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("gateway a: sensors: the field is missing");
    assertThat(seen).isEmpty();
  }

  private static void looks(PermissionWatch watch) {
    watch.look();
    watch.look();
    watch.look();
  }

  private void write(String gateway) throws IOException {
    Files.writeString(file, "gateways: [{gateway: " + gateway + ", revoked: true}]");
  }
}
