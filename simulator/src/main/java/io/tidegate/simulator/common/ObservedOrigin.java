package io.tidegate.simulator.common;

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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** An origin with a listener for each answer about a cell, before the node receives it. */
public record ObservedOrigin(RegionalOrigin origin, BiConsumer<WindowCell, RegionalCount> answered)
    implements RegionalOrigin {

  @Override
  public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
    return origin.read(counts).thenApply(answers -> {
      for (int i = 0; i < answers.size(); i++) {
        answered.accept(counts.get(i).cell(), answers.get(i));
      }
      return answers;
    });
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    List<CompletionStage<RegionalCount>> answers = origin.replay(counts);
    List<CompletionStage<RegionalCount>> observed = new ArrayList<>(answers.size());
    for (int i = 0; i < answers.size(); i++) {
      WindowCell cell = counts.get(i).cell();
      observed.add(answers.get(i).thenApply(answer -> {
        answered.accept(cell, answer);
        return answer;
      }));
    }
    return observed;
  }

  @Override
  public CompletionStage<Void> store(String region, List<Component> components) {
    return origin.store(region, components);
  }

  @Override
  public CompletionStage<LiveNodes> register(Registration registration) {
    return origin.register(registration);
  }

  @Override
  public String part(String region, Series series) {
    return origin.part(region, series);
  }

  @Override
  public CompletionStage<Optional<String>> identify(String region, String candidate) {
    return origin.identify(region, candidate);
  }

  @Override
  public CompletionStage<OriginCell> inspect(String region, WindowCell cell) {
    return origin.inspect(region, cell);
  }

  @Override
  public void close() {
    origin.close();
  }
}
