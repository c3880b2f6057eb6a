package io.tidegate.docs;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Classes that were compiled from examples, with the imports that the pages leave out. */
final class Compiled implements AutoCloseable {

  private static final String PACKAGE = "example";

  private final URLClassLoader loader;

  private Compiled(URLClassLoader loader) {
    this.loader = loader;
  }

  /**
   * Compiles classes; a compiler error or warning fails with the messages.
   *
   * @param imports packages and static members, such as {@code java.util.*}
   * @param folder an empty folder
   */
  static Compiled of(List<String> imports, String classes, Path folder) throws IOException {
    Matcher publicClass = Pattern.compile("public class (\\w+)").matcher(classes);
    String name = publicClass.find() ? publicClass.group(1) : "Example";
    Path source = Files.createDirectories(folder.resolve("source")).resolve(name + ".java");
    StringBuilder text = new StringBuilder("package " + PACKAGE + ";\n");
    imports.forEach(each -> text.append("import ").append(each).append(";\n"));
    Files.writeString(source, text.append(classes));
    Path target = Files.createDirectories(folder.resolve("classes"));
    StringWriter messages = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of(
          "-parameters", // as in builds with Spring Boot's parent
          "-proc:none",
          "-d",
          target.toString(),
          "-classpath",
          System.getProperty("java.class.path"));
      compiler
          .getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
          .call();
    }
    if (!messages.toString().isEmpty()) {
      throw new IllegalStateException(messages + "\n" + Files.readString(source));
    }
    return new Compiled(new URLClassLoader(new URL[] {target.toUri().toURL()}));
  }

  Class<?> type(String name) throws ClassNotFoundException {
    return loader.loadClass(PACKAGE + "." + name);
  }

  ClassLoader loader() {
    return loader;
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
