package io.tidegate.deploy;

import io.tidegate.deploy.Manifests.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The volumes and the environment of a rendered pod, on this machine. Volumes are below a root
 * directory, with the layout of the kubelet: files are links into {@code ..data}, which is itself a
 * link that an update replaces.
 */
final class PodFiles {

  static final String POD = "limits-tidegate-7d4b9c5f6-x2x7q";

  /** Content of the Secrets that the chart expects to exist, by name and key. */
  private final Map<String, Map<String, String>> secrets;

  private final Path root;
  private Manifests manifests;
  private int version;

  PodFiles(Path root, Manifests manifests, Map<String, Map<String, String>> secrets)
      throws IOException {
    this.root = root;
    this.manifests = manifests;
    this.secrets = new TreeMap<>(secrets);
    for (Manifest secret : manifests.ofKind("Secret")) {
      this.secrets.put(secret.name(), texts(secret.in("stringData")));
    }
    for (Manifest mount : manifests.container().list("volumeMounts")) {
      mount(mount);
    }
  }

  /** The directory of this machine for a path in the container. */
  Path path(String inContainer) {
    return root.resolve(inContainer.substring(1));
  }

  private void mount(Manifest mount) throws IOException {
    Path directory = Files.createDirectories(path(mount.text("mountPath")));
    Map<String, String> content = content(mount.text("name"));
    publish(directory, content);
    for (String file : content.keySet()) {
      Files.createSymbolicLink(directory.resolve(file), Path.of("..data", file));
    }
  }

  /** The files of a volume; none if it is empty at first. */
  private Map<String, String> content(String volume) {
    Manifest source = manifests.podTemplate().in("spec").named("volumes", volume);
    if (source.has("configMap")) {
      String name = source.in("configMap").text("name");
      return texts(manifests.named("ConfigMap", name).in("data"));
    }
    return source.has("secret") ? secret(source.in("secret").text("secretName")) : Map.of();
  }

  /** Replaces the link to the files in one step, as the kubelet does. */
  private void publish(Path directory, Map<String, String> content) throws IOException {
    Path files = Files.createDirectory(directory.resolve("..version-" + version++));
    for (Map.Entry<String, String> file : content.entrySet()) {
      Files.writeString(files.resolve(file.getKey()), file.getValue());
    }
    Path link = Files.createSymbolicLink(directory.resolve("..data_tmp"), files.getFileName());
    Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Updates a volume of the running pod to the content that another rendering has. */
  void update(String volume, Manifests upgraded) throws IOException {
    manifests = upgraded;
    publish(
        path(manifests.container().named("volumeMounts", volume).text("mountPath")),
        content(volume));
  }

  /** The environment of the container. Paths of volumes are those of this machine. */
  Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>();
    for (Manifest variable : manifests.container().list("env")) {
      environment.put(variable.text("name"), value(variable));
    }
    return environment;
  }

  private String value(Manifest variable) {
    if (!variable.has("valueFrom")) {
      String value = variable.text("value");
      return value.startsWith("/etc/") || value.startsWith("/var/")
          ? path(value).toString()
          : value;
    }
    Manifest source = variable.in("valueFrom");
    if (source.has("fieldRef")) {
      return POD;
    }
    Manifest key = source.in("secretKeyRef");
    return Objects.requireNonNull(secret(key.text("name")).get(key.text("key")), key::toString);
  }

  private Map<String, String> secret(String name) {
    return Objects.requireNonNull(secrets.get(name), name);
  }

  private static Map<String, String> texts(Manifest map) {
    Map<String, String> texts = new TreeMap<>();
    map.fields().keySet().forEach(key -> texts.put((String) key, map.text((String) key)));
    return texts;
  }
}
