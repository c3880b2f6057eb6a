package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import javax.tools.ToolProvider;

/** Runs the simulator on the shipped code of core with one planted bug. */
final class MutatedCore {

  private static final Path SOURCES = Path.of("..", "core", "src", "main", "java");

  private final Method run;

  private MutatedCore(Method run) {
    this.run = run;
  }

  static MutatedCore with(PlantedBug bug, Path folder)
      throws IOException, ReflectiveOperationException {
    Path source = SOURCES.resolve(bug.file());
    String shipped = Files.readString(source);
    assertThat(shipped.split(java.util.regex.Pattern.quote(bug.shipped()), -1))
        .as("%s must contain once: %s", bug.file(), bug.shipped())
        .hasSize(2);
    Path changed = folder.resolve(source.getFileName());
    Files.writeString(changed, shipped.replace(bug.shipped(), bug.planted()));
    Path classes = Files.createDirectory(folder.resolve("classes"));
    int result = ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            null,
            "-proc:none",
            "-nowarn",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            classes.toString(),
            changed.toString());
    assertThat(result).as("compiling %s with %s", bug.file(), bug.planted()).isZero();
    return new MutatedCore(new OwnClasses(
            List.of(classes.toUri().toURL(), location(RateLimiter.class), location(ChaosRun.class)))
        .loadClass(ChaosRun.class.getName())
        .getMethod("of", long.class, Consumer.class));
  }

  /** The violated guarantee; null if all hold. */
  String violation(long seed) throws ReflectiveOperationException {
    Object result = run.invoke(null, seed, null);
    Method violation = result.getClass().getMethod("violation");
    return (String) violation.invoke(result);
  }

  private static URL location(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /** Loads its own copies of all Tidegate classes, and shares all others. */
  private static final class OwnClasses extends URLClassLoader {

    OwnClasses(List<URL> urls) {
      super(urls.toArray(URL[]::new), MutatedCore.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null) {
          loaded = name.startsWith("io.tidegate.") ? findClass(name) : super.loadClass(name, false);
        }
        return loaded;
      }
    }
  }
}
