package io.tidegate.benchmarks.application;

import java.io.IOException;
import java.io.PrintStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application in a process of the benchmark: prints its port when it has started, and ends with
 * its input. Other modules add a rate limiter and its configuration, limiter.yaml.
 */
@SpringBootApplication
public class Application {

  /** Arguments: properties of the application. */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err); // log lines must not mix with the answer
    ConfigurableApplicationContext context = SpringApplication.run(Application.class, arguments);
    answers.println(context.getEnvironment().getProperty("local.server.port"));
    System.in.transferTo(System.err);
    System.exit(SpringApplication.exit(context));
  }
}
