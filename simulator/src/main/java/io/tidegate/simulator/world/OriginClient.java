package io.tidegate.simulator.world;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A node's client of its origin, with a link to each part. */
final class OriginClient implements RegionalOrigin {

  private final OriginServer server;
  private final List<NetworkLink> links;

  OriginClient(OriginServer server, List<NetworkLink> links) {
    this.server = server;
    this.links = links;
  }

  @Override
  public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
    NetworkLink link = links.get(server.part(counts.get(0).cell().series()));
    return link.call(arrived -> counts.stream().map(server::read).toList());
  }

  private record Sent(OwnCount count, CompletableFuture<RegionalCount> answer) {}

  /** Sends one message to each part that stores some of the cells. */
  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    Map<Integer, List<Sent>> byPart = new TreeMap<>();
    List<CompletionStage<RegionalCount>> answers = new ArrayList<>(counts.size());
    for (OwnCount count : counts) {
      Sent sent = new Sent(count, new CompletableFuture<>());
      int part = server.part(count.cell().series());
      byPart.computeIfAbsent(part, none -> new ArrayList<>()).add(sent);
      answers.add(sent.answer);
    }
    byPart.forEach((part, sent) -> replay(links.get(part), sent));
    return answers;
  }

  private void replay(NetworkLink link, List<Sent> sent) {
    CompletableFuture<List<RegionalCount>> all =
        link.call(arrived -> sent.stream().map(one -> server.raise(one.count)).toList());
    var unused = all.whenComplete((before, failure) -> {
      for (int i = 0; i < sent.size(); i++) {
        if (failure == null) {
          sent.get(i).answer.complete(before.get(i));
        } else {
          sent.get(i).answer.completeExceptionally(failure);
        }
      }
    });
  }

  /** Sends one message to each part that stores some of the cells. */
  @Override
  public CompletionStage<Void> store(String region, List<Component> components) {
    Map<Integer, List<Component>> byPart = new TreeMap<>();
    for (Component component : components) {
      int part = server.part(component.cell().series());
      byPart.computeIfAbsent(part, none -> new ArrayList<>()).add(component);
    }
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    byPart.forEach((part, ofPart) -> answers.add(links.get(part).call(arrived -> {
      ofPart.forEach(component -> server.store(region, component));
      return true;
    })));
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
  }

  /** The first part stores the nodes and the reader. */
  @Override
  public CompletionStage<LiveNodes> register(Registration registration) {
    return links.get(0).call(arrived -> server.register(registration));
  }

  @Override
  public String part(String region, Series series) {
    return "part-" + server.part(series);
  }

  @Override
  public CompletionStage<OriginCell> inspect(String region, WindowCell cell) {
    NetworkLink link = links.get(server.part(cell.series()));
    return link.call(arrived -> server.inspect(region, cell));
  }

  @Override
  public void close() {}
}
