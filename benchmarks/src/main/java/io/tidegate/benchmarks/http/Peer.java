package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.HttpRequests;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.PreparedRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A server that the user has started, described by options that belong together. */
final class Peer {

  private static final Pattern SYNTAX = Pattern.compile("([^=|]+)=(.+)");
  private static final Pattern HEADER = Pattern.compile("[^:\\s]+:[^\\r\\n]*");

  /** Stands for the key in URL, headers and body. */
  private static final String PLACEHOLDER = "{key}";

  private static final String JSON = "Content-Type: application/json";

  /** Enough for a server that has not answered before. */
  private static final int PROBE_MILLIS = 10_000;

  @Option(
      names = "--against",
      paramLabel = "NAME=URL",
      required = true,
      description =
          "Also send the same load to a server that is running, to an http:// URL on loopback. Can be given several"
              + " times; the next three options are about the server named last. {key} stands for the key of a"
              + " request, in URL, headers and body.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String against;

  @Option(
      names = "--body",
      paramLabel = "FILE",
      description = "Body of a POST to it. Without one, requests are GET.")
  private @Nullable Path body;

  @Option(
      names = "--header",
      paramLabel = "'NAME: VALUE'",
      description = "Further header, besides Content-Type: application/json of a POST.")
  private List<String> headers = new ArrayList<>();

  @Option(
      names = "--pid",
      paramLabel = "PID",
      split = ",",
      description = "Its processes, for their CPU time; by default those that listen on its port.")
  private List<Long> pids = new ArrayList<>();

  Peer() {}

  /**
   * Reads the options, and sends a request to the server.
   *
   * @param remote whether the server may be on another machine
   * @throws IllegalArgumentException if an option is invalid, or the server does not answer
   */
  Contender contender(boolean remote) {
    Matcher parts = SYNTAX.matcher(against);
    require(parts.matches(), "--against: not of the form NAME=URL: " + against);
    URI url = url(parts.group(2).replace(PLACEHOLDER, PreparedRequest.KEY));
    int port = url.getPort() < 0 ? 80 : url.getPort();
    InetSocketAddress address = new InetSocketAddress(url.getHost(), port);
    require(!address.isUnresolved(), "--against: unknown host: " + url.getHost());
    boolean loopback = address.getAddress().isLoopbackAddress();
    require(loopback || remote, "--against: not a loopback address (see --remote): " + url);

    Contender contender = new Contender(
        parts.group(1), parts.group(2), requests(url, address), processes(port, loopback));
    probe(contender);
    return contender;
  }

  private static URI url(String text) {
    try {
      URI url = new URI(text);
      require(
          "http".equals(url.getScheme()) && url.getHost() != null,
          "--against: not an http:// URL: " + text);
      return url;
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("--against: not an http:// URL: " + text, e);
    }
  }

  private HttpRequests requests(URI url, InetSocketAddress address) {
    List<String> all = new ArrayList<>();
    for (String header : headers) {
      require(
          HEADER.matcher(header).matches(), "--header: not of the form 'NAME: VALUE': " + header);
      all.add(header.replace(PLACEHOLDER, PreparedRequest.KEY));
    }
    String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    if (body == null) {
      return HttpRequests.get(address, url.getAuthority(), target, all);
    }
    if (headers.stream()
        .noneMatch(header -> header.toLowerCase(Locale.ROOT).startsWith("content-type:"))) {
      all.add(JSON);
    }
    return HttpRequests.post(address, url.getAuthority(), target, all, body(body));
  }

  private static String body(Path file) {
    try {
      return Files.readString(file).strip().replace(PLACEHOLDER, PreparedRequest.KEY);
    } catch (IOException e) {
      throw new IllegalArgumentException("--body: cannot read " + file + ": " + e, e);
    }
  }

  private List<ProcessHandle> processes(int port, boolean loopback) {
    if (pids.isEmpty()) {
      return loopback ? ListeningProcesses.of(port) : List.of();
    }
    return pids.stream()
        .map(pid -> ProcessHandle.of(pid)
            .orElseThrow(() -> new IllegalArgumentException("--pid: no such process: " + pid)))
        .toList();
  }

  /** Finds mistakes before the run, which takes minutes. */
  private static void probe(Contender contender) {
    RefusedAnswers refused;
    try {
      refused = contender.send(Order.atMost(1, PROBE_MILLIS), 1, 1).refused();
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException("--against: " + e.getMessage(), e);
    }
    require(
        refused.failed() == 0, "--against: " + contender.url() + " answered " + refused.first());
  }

  private static void require(boolean valid, String message) {
    if (!valid) {
      throw new IllegalArgumentException(message);
    }
  }
}
