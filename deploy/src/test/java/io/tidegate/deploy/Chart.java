package io.tidegate.deploy;

import static org.junit.jupiter.api.Assumptions.abort;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The Helm chart, as Helm renders it. */
final class Chart {

  static final Path FOLDER = Path.of("helm", "tidegate");

  /** The oldest version of Kubernetes that the chart supports. */
  private static final String KUBERNETES = "1.30.0";

  private Chart() {}

  /** The file of an example of values. */
  static Path values(String name) {
    return FOLDER.resolve("ci").resolve(name + "-values.yaml");
  }

  /**
   * Renders the chart as a release called {@code limits}.
   *
   * @param values a file of values
   * @param more values that replace those of the file
   * @throws IllegalStateException if the chart rejects the values, with its message
   */
  static Manifests render(Path values, Map<String, Object> more) {
    return render(command -> {
      command.withValuesFile(values);
      more.forEach(command::set);
    });
  }

  /** Renders the chart with values beside the defaults. */
  static Manifests render(Map<String, Object> values) {
    return render(command -> values.forEach(command::set));
  }

  private static Manifests render(Consumer<TemplateCommand> values) {
    TemplateCommand command = withHelm(() -> new Helm(FOLDER).template());
    command.withName("limits").withNamespace("edge").withKubeVersion(KUBERNETES);
    values.accept(command);
    return Manifests.parse(command.call());
  }

  static LintResult lint() {
    return withHelm(() -> new Helm(FOLDER).lint().strict()).call();
  }

  /** Skips the test on a platform for which the library has no Helm, unless that is an error. */
  private static <T> T withHelm(Supplier<T> use) {
    try {
      return use.get();
    } catch (LinkageError e) {
      if ("required".equals(System.getProperty("tidegate.programs"))) {
        throw e;
      }
      System.err.println("SKIPPED: no Helm for this platform: " + e);
      return abort("skipped: no Helm for this platform: " + e);
    }
  }
}
