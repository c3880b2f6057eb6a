package io.tidegate.spring.testing;

import java.util.List;
import java.util.Locale;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Configures Spring Security only in applications with {@code test.security=true}, and little but a
 * WebFlux server in those with {@code test.minimal=true}, which start in a fraction of the time.
 */
public final class TestAutoConfigurations
    implements AutoConfigurationImportFilter, EnvironmentAware {

  /** Parts of the names of what is needed; the packages differ between versions of Boot. */
  private static final List<String> MINIMAL =
      List.of("tidegate", "reactivewebserver", "httphandler", "webflux", "configurationproperties");

  private boolean secure;
  private boolean minimal;

  @Override
  public void setEnvironment(Environment environment) {
    secure = environment.getProperty("test.security", Boolean.class, false);
    minimal = environment.getProperty("test.minimal", Boolean.class, false);
  }

  @Override
  public boolean[] match(String[] classes, AutoConfigurationMetadata metadata) {
    boolean[] matches = new boolean[classes.length];
    for (int i = 0; i < classes.length; i++) {
      matches[i] = classes[i] == null || isWanted(classes[i].toLowerCase(Locale.ROOT));
    }
    return matches;
  }

  private boolean isWanted(String name) {
    if (minimal) {
      return MINIMAL.stream().anyMatch(name::contains);
    }
    return secure || !name.contains(".security.");
  }
}
