package io.tidegate.micrometer;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Samples of a scrape, by name and labels. */
final class Scrape {

  private final Map<String, Double> samples = new LinkedHashMap<>();

  private Scrape(String text) {
    text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
      int space = line.lastIndexOf(' ');
      samples.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
    });
  }

  static Scrape of(PrometheusMeterRegistry registry) {
    return new Scrape(registry.scrape());
  }

  /** The value of a sample, its labels in alphabetical order. */
  double value(String sample) {
    Double value = samples.get(sample);
    if (value == null) {
      throw new AssertionError("there is no " + sample + " in " + samples.keySet());
    }
    return value;
  }

  boolean has(String sample) {
    return samples.containsKey(sample);
  }

  /** All names without labels. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    samples.keySet().forEach(sample -> names.add(sample.replaceFirst("\\{.*", "")));
    return names;
  }
}
