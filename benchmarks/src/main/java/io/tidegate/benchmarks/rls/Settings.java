package io.tidegate.benchmarks.rls;

import io.tidegate.benchmarks.load.Identifiers;
import io.tidegate.benchmarks.load.Processors;
import java.util.List;
import java.util.stream.Stream;

/**
 * Extent of a run.
 *
 * @param pinned whether server and load have a processor each; otherwise they share all of them
 * @param connections to measure with
 * @param keys the greater of the two numbers of keys to measure with; the other is 1
 * @param startMillis length of the load on a new server before any measurement, for the compiler
 */
record Settings(
    boolean quick,
    boolean pinned,
    int rounds,
    List<Connections> connections,
    int keys,
    int startMillis,
    int warmupMillis,
    int loadMillis) {

  /** Connections, and streams in use on each: the maximum number of requests in flight. */
  record Connections(int count, int streams) {

    String label() {
      return counted(count, "connection") + " x " + counted(streams, "stream");
    }
  }

  /** Few connections with many streams, as Envoy has one for each of its threads. */
  static final Connections MULTIPLEXED = new Connections(8, 32);

  /** As many connections as in figures published for other servers, with a stream each. */
  static final Connections PARALLEL = new Connections(64, 1);

  /** Request rates of the open loop, in percent of Tidegate's highest throughput. */
  static final List<Integer> PERCENTS = List.of(25, 50, 75);

  /**
   * The descriptor of a request, and whether its limit is exceeded.
   *
   * @param entries 1 or 3
   */
  record Message(int entries, boolean over) {

    static final Message SIMPLE = new Message(1, false);
    static final List<Message> ALL =
        List.of(SIMPLE, new Message(1, true), new Message(3, false), new Message(3, true));

    String label() {
      return (entries == 1 ? "1 entry" : entries + " entries") + (over ? ", OVER_LIMIT" : ", OK");
    }
  }

  /**
   * Requests to send.
   *
   * @param percent request rate in percent of Tidegate's highest throughput; 0 in a closed loop,
   *     where each stream has its next request as soon as it has an answer
   */
  record Scenario(Connections connections, Message message, int keys, int percent) {

    static Scenario closed(Connections connections, Message message, int keys) {
      return new Scenario(connections, message, keys, 0);
    }

    String label() {
      return connections.label() + ", " + messageLabel();
    }

    String messageLabel() {
      return Identifiers.label(keys) + ", " + message.label();
    }
  }

  static Settings of(boolean quick, int rounds, boolean pinned) {
    Connections alone = new Connections(1, 1);
    Connections oneThread = new Connections(1, 32);
    return quick
        ? new Settings(
            true, pinned, rounds, List.of(alone, PARALLEL, MULTIPLEXED), 100_000, 5_000, 150, 700)
        : new Settings(
            false,
            pinned,
            rounds,
            List.of(alone, oneThread, PARALLEL, MULTIPLEXED),
            100_000,
            12_000,
            500,
            3_000);
  }

  /** One hot key, and many. */
  List<Integer> numbersOfKeys() {
    return List.of(1, keys);
  }

  /** The simplest message over all connections, then all messages, multiplexed. */
  List<Scenario> closedLoops() {
    Stream<Scenario> simple = connections.stream()
        .flatMap(each ->
            numbersOfKeys().stream().map(count -> Scenario.closed(each, Message.SIMPLE, count)));
    return Stream.concat(simple, messages().stream()).distinct().toList();
  }

  List<Scenario> messages() {
    return Message.ALL.stream()
        .flatMap(message ->
            numbersOfKeys().stream().map(count -> Scenario.closed(MULTIPLEXED, message, count)))
        .toList();
  }

  /** The scenario whose throughput sets the rates of the open loop. */
  Scenario heaviest() {
    return Scenario.closed(MULTIPLEXED, Message.SIMPLE, keys);
  }

  List<Scenario> openLoops() {
    return PERCENTS.stream()
        .map(percent -> new Scenario(MULTIPLEXED, Message.SIMPLE, keys, percent))
        .toList();
  }

  int eventLoops() {
    return Processors.ofServer(pinned);
  }

  private static String counted(int count, String noun) {
    return count == 1 ? "1 " + noun : count + " " + noun + "s";
  }
}
