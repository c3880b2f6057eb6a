package io.tidegate.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image without a base image, run as a container engine does: its layers are the root file
 * system, which is read-only except for the volume.
 */
@Timeout(180)
class ImageTest {

  /**
   * Mounts what an engine mounts and makes the rest read-only. Arguments: the root, the volume on
   * the host and in the image, options of unshare for the user, the command.
   */
  private static final String CONTAINER = """
      set -e
      root=$1 volume=$2 target=$3 user=$4
      shift 4
      mount --bind "$root" "$root"
      mount --rbind /proc "$root/proc"
      mount --rbind /dev "$root/dev"
      mount --bind /etc/resolv.conf "$root/etc/resolv.conf"
      mount --bind "$volume" "$root$target"
      mount -o remount,ro,bind "$root" "$root"
      if touch "$root/writable" 2>/dev/null; then echo "the root is writable" >&2; exit 1; fi
      exec unshare --root="$root" --wd="$target" $user "$@"
      """;

  private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

  @TempDir
  private static Path directory;

  private static Path root;
  private static JsonObject config;

  @BeforeAll
  static void applyLayers() throws IOException, InterruptedException {
    Path image = Files.createDirectory(directory.resolve("image"));
    Build.untar(Build.IMAGE, image);
    JsonObject manifest =
        new JsonArray(Files.readString(image.resolve("manifest.json"))).getJsonObject(0);
    config = new JsonObject(Files.readString(image.resolve(manifest.getString("Config"))))
        .getJsonObject("config");
    root = Files.createDirectory(directory.resolve("root"));
    for (Object layer : manifest.getJsonArray("Layers")) {
      Build.untar(image.resolve(layer.toString()), root);
    }
    // Engines create these.
    Files.createDirectory(root.resolve("proc"));
    Files.createDirectory(root.resolve("dev"));
    Files.createFile(root.resolve("etc/resolv.conf"));
  }

  @Test
  void runsWithAReadOnlyRootAndWritesToTheVolumeOnly() throws IOException, InterruptedException {
    try (Program server = start(Program.SERVE, "")) {
      assertThat(server.decide().body()).contains("\"success\":true");
      assertThat(server.decide().body()).contains("\"success\":false");
      assertThat(server.get(server.adminUrl() + "/live")).isEqualTo(200);
      assertThat(server.get(server.adminUrl() + "/ready")).isEqualTo(200);
      assertThat(server.get(server.adminUrl() + "/console/")).isEqualTo(404);
      assertThat(nativeLibraries(server))
          .contains("libnetty_transport_native_epoll", "libsqlitejdbc");
      try (Program health = start(List.of("health"), server.adminUrl())) {
        assertThat(health.exitCode()).as(health::toString).isZero();
      }
      String adminUrl = server.adminUrl();
      assertThat(server.stop()).as(server::toString).isZero();
      assertThat(server.err()).doesNotContain(" WARN ", " ERROR ", "arning");
      try (Program health = start(List.of("health"), adminUrl)) {
        assertThat(health.exitCode()).isEqualTo(1);
      }
    }
  }

  private static String nativeLibraries(Program server) throws IOException {
    return Files.readString(Path.of("/proc", Long.toString(server.pid()), "maps"));
  }

  @Test
  void hasTheOptionsOfTheLauncher() throws IOException, InterruptedException {
    Path home =
        Build.unpack(Build.TAR_WITH_RUNTIME, Files.createDirectory(directory.resolve("unpacked")));
    Path work = Files.createDirectory(directory.resolve("work"));
    try (Program server = Program.start(
        work,
        Map.of(),
        Stream.concat(Stream.of(home.resolve("tidegate").toString()), Program.SERVE.stream())
            .toList())) {
      server.decide();
      List<String> launcher = Stream.of(
              Files.readString(Path.of("/proc", Long.toString(server.pid()), "cmdline"))
                  .split("\0", -1))
          .skip(1)
          .takeWhile(argument -> !argument.equals("-jar"))
          .filter(option -> !option.startsWith("-Xm")) // the image has a share of its memory
          .map(option -> option.replace(home.toString(), "/opt/tidegate"))
          .toList();
      assertThat(Files.readAllLines(root.resolve("opt/tidegate/java.options")))
          .contains("-XX:MaxRAMPercentage=75")
          .containsAll(launcher);
    }
  }

  @Test
  void runsAsANumericUserWhoIsNotRoot() {
    assertThat(config.getString("User")).isEqualTo("65532:65532");
    assertThat(config.getJsonObject("ExposedPorts").fieldNames())
        .containsExactlyInAnyOrder("8080/tcp", "8081/tcp");
  }

  @Test
  void hasNoShellAndNothingThatTheUserCanChange() throws IOException {
    assertThat(Stream.of("bin", "usr", "sbin", "app").map(root::resolve)).noneMatch(Files::exists);
    List<Path> writable = List.of(root.resolve("var/lib/tidegate"), root.resolve("tmp"));
    try (Stream<Path> files = Files.walk(root)) {
      assertThat(files.filter(file -> !writable.contains(file) && !Files.isSymbolicLink(file)))
          .allSatisfy(
              file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                  .as(file.toString())
                  .matches("r[w-][x-]r-[x-]r-[x-]"));
    }
    assertThat(writable)
        .allSatisfy(folder -> assertThat(Files.getPosixFilePermissions(folder))
            .contains(PosixFilePermission.OTHERS_WRITE));
  }

  /** Starts the entry point of the image with other arguments. */
  private static Program start(List<String> arguments, String adminUrl) throws IOException {
    Map<String, String> environment = new HashMap<>();
    config.getJsonArray("Env").forEach(variable -> {
      String[] parts = variable.toString().split("=", 2);
      environment.put(parts[0], parts[1]);
    });
    String path = environment.remove("PATH"); // of the image; the commands below are of the host
    environment.put("TIDEGATE_ADMIN_URL", adminUrl);
    Path volume = Files.createTempDirectory(directory, "volume");
    Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxrwxrwx"));
    List<String> command = namespaces();
    command.addAll(List.of(
        "sh",
        "-c",
        CONTAINER,
        "container",
        root.toString(),
        volume.toString(),
        config.getString("WorkingDir"),
        user()));
    JsonArray entryPoint = config.getJsonArray("Entrypoint");
    command.add(path + "/" + entryPoint.getString(0));
    entryPoint.stream().skip(1).map(Object::toString).forEach(command::add);
    command.addAll(arguments);
    return Program.start(directory.resolve("image"), environment, command);
  }

  /** The beginning of a command in its own namespaces, where this user may create them. */
  private static List<String> namespaces() throws IOException {
    List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!IS_ROOT) {
      command.add("--map-root-user");
    }
    List<String> trial = new ArrayList<>(command);
    trial.add("true");
    try {
      if (new ProcessBuilder(trial).start().waitFor() != 0) {
        assertThat(System.getProperty("tidegate.programs")).isNotEqualTo("required");
        System.err.println("SKIPPED: this user may not create mount namespaces");
        abort("skipped: this user may not create mount namespaces");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return command;
  }

  /** Only root can become the user of the image. */
  private static String user() {
    String[] ids = config.getString("User").split(":", -1);
    return IS_ROOT ? "--setuid=" + ids[0] + " --setgid=" + ids[1] : "";
  }
}
