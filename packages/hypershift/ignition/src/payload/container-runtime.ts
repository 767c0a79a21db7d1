import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { parseQuantity } from '@hypershift-ts/kube-apimachinery';
import type { MachineConfig } from '../machine-config/machine-config.ts';
import type { IgnitionFile } from '../spec/ignition-config.ts';
import { fileOf, generatedMachineConfig, lines } from './files.ts';
import { ConfigKindError, goText, objectAt } from './document-fields.ts';
import type { PayloadInputs } from './payload-inputs.ts';
import { policyFile, registriesFile } from './registries.ts';
import { tomlString, tomlStrings } from './toml.ts';

/** `01-worker-container-runtime`: CRI-O, its storage and where images may come from. */
export function containerRuntime(inputs: PayloadInputs): MachineConfig {
  const files = [
    fileOf('/etc/crio/crio.conf.d/00-default', crioConfig(inputs)),
    storageFile({}),
    registriesFile([], {}),
    policyFile([], {}),
  ];
  return generatedMachineConfig('01-worker-container-runtime', { files });
}

function crioConfig({ images }: PayloadInputs): string {
  const auth = '/var/lib/kubelet/config.json';
  const annotations = tomlStrings([
    'io.containers.trace-syscall',
    'io.kubernetes.cri-o.Devices',
    'io.kubernetes.cri-o.LinkLogs',
  ]);
  return lines(
    '[crio]',
    'internal_wipe = true',
    'internal_repair = true',
    '',
    '[crio.api]',
    'stream_address = "127.0.0.1"',
    'stream_port = "0"',
    '',
    '[crio.runtime]',
    'selinux = true',
    'conmon = ""',
    'conmon_cgroup = "pod"',
    'default_env = ["NSS_SDB_USE_CACHE=no"]',
    'log_level = "info"',
    'cgroup_manager = "systemd"',
    'default_sysctls = ["net.ipv4.ping_group_range=0 2147483647"]',
    'default_runtime = "crun"',
    'hooks_dir = ["/etc/containers/oci/hooks.d", "/run/containers/oci/hooks.d", "/usr/share/containers/oci/hooks.d"]',
    'manage_ns_lifecycle = true',
    'absent_mount_sources_to_reject = ["/etc/hostname"]',
    'drop_infra_ctr = true',
    '',
    '[crio.runtime.runtimes.runc]',
    'runtime_root = "/run/runc"',
    `allowed_annotations = ${annotations}`,
    '',
    '[crio.runtime.runtimes.crun]',
    'runtime_root = "/run/crun"',
    `allowed_annotations = ${annotations}`,
    'container_min_memory = "512KiB"',
    'default_annotations = {"run.oci.systemd.subgroup" = ""}',
    '',
    '[crio.image]',
    `global_auth_file = "${auth}"`,
    `pause_image = ${tomlString(images.podImage)}`,
    `pause_image_auth_file = "${auth}"`,
    'pause_command = "/usr/bin/pod"',
    'short_name_mode = "disabled"',
    '',
    '[crio.network]',
    'network_dir = "/etc/kubernetes/cni/net.d/"',
    'plugin_dirs = ["/var/lib/cni/bin"]',
    '',
    '[crio.metrics]',
    'enable_metrics = true',
    'metrics_host = "127.0.0.1"',
    'metrics_port = 9537',
  );
}

interface StorageOptions {
  readonly size?: string;
  readonly imageStores?: readonly string[];
  readonly layerStores?: readonly string[];
}

function storageFile({ size = '', imageStores = [], layerStores = [] }: StorageOptions): IgnitionFile {
  return fileOf(
    '/etc/containers/storage.conf',
    lines(
      '[storage]',
      'driver = "overlay"',
      'runroot = "/run/containers/storage"',
      'graphroot = "/var/lib/containers/storage"',
      '',
      '[storage.options]',
      `additionalimagestores = ${tomlStrings(imageStores)}`,
      ...(layerStores.length > 0 ? [`additionallayerstores = ${tomlStrings(layerStores)}`] : []),
      '',
      '[storage.options.pull_options]',
      'enable_partial_images = "false"',
      'use_hard_links = "false"',
      'ostree_repos = ""',
      '',
      '[storage.options.overlay]',
      'skip_mount_home = "true"',
      `size = ${tomlString(size)}`,
    ),
  );
}

const logLevels = ['error', 'fatal', 'panic', 'warn', 'info', 'debug', 'trace'];

/** The files that a ContainerRuntimeConfig changes. Throws ConfigKindError for values that CRI-O would refuse. */
export function containerRuntimeConfigFiles(document: JsonObject): IgnitionFile[] {
  const config = objectAt(objectAt(document, 'spec'), 'containerRuntimeConfig');
  const { pidsLimit, logLevel, logSizeMax, overlaySize, defaultRuntime } = config;
  const files: IgnitionFile[] = [];
  const dropin = (name: string, setting: string) =>
    files.push(
      fileOf(`/etc/crio/crio.conf.d/01-ctrcfg-${name}`, lines('[crio]', '  [crio.runtime]', `    ${setting}`)),
    );
  if (typeof pidsLimit === 'number' && pidsLimit !== 0) {
    if (pidsLimit < 20) throw new ConfigKindError(`invalid PidsLimit ${pidsLimit}`);
    dropin('pidsLimit', `pids_limit = ${pidsLimit}`);
  }
  if (typeof logLevel === 'string' && logLevel !== '') {
    if (!logLevels.includes(logLevel))
      throw new ConfigKindError(
        `invalid LogLevel "${logLevel}", must be one of error, fatal, panic, warn, info, debug, or trace`,
      );
    dropin('logLevel', `log_level = "${logLevel}"`);
  }
  const logSize = bytesOf(logSizeMax);
  if (logSize !== undefined && logSize !== 0n) {
    if (logSize > 0n && logSize <= 8192n)
      throw new ConfigKindError(`invalid LogSizeMax "${goText(logSizeMax)}", cannot be less than 8kB`);
    dropin('logSizeMax', `log_size_max = ${logSize}`);
  }
  if (typeof defaultRuntime === 'string' && defaultRuntime !== '') {
    if (defaultRuntime !== 'crun' && defaultRuntime !== 'runc')
      throw new ConfigKindError(`invalid DefaultRuntime "${defaultRuntime}", must be one of crun, runc`);
    dropin('defaultRuntime', `default_runtime = "${defaultRuntime}"`);
  }
  const artifactStores = storePaths(config, 'additionalArtifactStores');
  if (artifactStores.length > 0)
    dropin('additionalArtifactStores', `additional_artifact_stores = ${tomlStrings(artifactStores)}`);
  const overlay = bytesOf(overlaySize);
  if (overlay !== undefined && overlay < 0n)
    throw new ConfigKindError(`invalid overlaySize "${goText(overlaySize)}", cannot be less than 0`);
  const storage = {
    ...(overlay ? { size: goText(overlaySize) } : {}),
    imageStores: storePaths(config, 'additionalImageStores'),
    layerStores: storePaths(config, 'additionalLayerStores'),
  };
  if (storage.size || storage.imageStores.length > 0 || storage.layerStores.length > 0)
    files.push(storageFile(storage));
  return files;
}

function bytesOf(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return parseQuantity(value).value();
}

function storePaths(config: JsonObject, name: string): string[] {
  const stores = config[name];
  if (!Array.isArray(stores)) return [];
  return (stores as readonly JsonObject[]).map(({ path }) => {
    if (typeof path !== 'string' || !/^\/[a-zA-Z0-9/._@:-]*$/.test(path))
      throw new ConfigKindError(`invalid path in ${name}: expected an absolute path, found ${goText(path)}`);
    return path;
  });
}
