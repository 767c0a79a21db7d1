import { type corev1, decodeYaml, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import { type ClusterConfig, clusterConfigFrom, parseKubeconfig } from '@hypershift-ts/kube-client';
import { BootError } from './machine-error.ts';
import type { MachineRoot } from './machine-root.ts';

/** What the files on a machine's disk tell its kubelet. */
export interface KubeletSettings {
  /** The cluster, and with whose rights the first certificate is asked for. */
  readonly bootstrap: ClusterConfig;
  readonly clientCa: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly corev1.Taint[];
  readonly maxPods: number;
  readonly reserved: Readonly<Record<string, string>>;
  /** `osImageURL` of the machine's configuration; empty when it names none. */
  readonly osImage: string;
}

const unitPath = '/etc/systemd/system/kubelet.service';
const environmentFiles = ['/etc/kubernetes/kubelet-workaround', '/etc/kubernetes/kubelet-env'];
const encapsulatedPath = '/etc/ignition-machine-config-encapsulated.json';

/** Machines with the same configuration have the same settings; read once. */
export class SettingsByLayer {
  private readonly known = new Map<string, Promise<KubeletSettings>>();

  /** `layer` stands for all of the configuration. */
  of(layer: string, root: MachineRoot): Promise<KubeletSettings> {
    const known = this.known.get(layer) ?? kubeletSettings(root);
    this.known.set(layer, known);
    known.catch(() => this.known.delete(layer));
    return known;
  }

  forget(layer: string): void {
    this.known.delete(layer);
  }
}

/** Reads the kubelet's unit, its flags and its config file, as systemd and the kubelet would. */
export async function kubeletSettings(root: MachineRoot): Promise<KubeletSettings> {
  const unit = await root.read(unitPath);
  if (unit === undefined)
    throw new BootError(`${unitPath} is not on the disk: the configuration of this machine starts no kubelet`);
  const variables: Record<string, string> = { ID: 'rhcos' };
  for (const path of environmentFiles) Object.assign(variables, environmentIn((await root.read(path)) ?? ''));
  const flags = kubeletFlags(unit, variables);
  const configPath = flags.get('config') ?? '/etc/kubernetes/kubelet.conf';
  const config = yamlObject((await root.read(configPath)) ?? '', configPath);
  const caPath = textAt(config, 'authentication', 'x509', 'clientCAFile') ?? '/etc/kubernetes/kubelet-ca.crt';
  const { maxPods, systemReserved } = config as { readonly maxPods?: unknown; readonly systemReserved?: unknown };
  return {
    bootstrap: await bootstrapConfig(root, flags.get('bootstrap-kubeconfig') ?? '/etc/kubernetes/kubeconfig'),
    clientCa: (await root.read(caPath)) ?? '',
    labels: labelsIn(flags.get('node-labels') ?? ''),
    taints: [...taintsIn(flags.get('register-with-taints') ?? ''), ...configuredTaints(config)],
    maxPods: typeof maxPods === 'number' ? maxPods : 250,
    reserved: stringsOf(systemReserved),
    osImage: osImageIn(await root.read(encapsulatedPath)),
  };
}

async function bootstrapConfig(root: MachineRoot, path: string): Promise<ClusterConfig> {
  const text = await root.read(path);
  if (text === undefined) throw new BootError(`${path} is not on the disk: the machine cannot find its cluster`);
  try {
    return Object.freeze(clusterConfigFrom(parseKubeconfig(text, path, '/')));
  } catch (error) {
    throw new BootError((error as Error).message, { cause: error });
  }
}

/** The flags of ExecStart, with variables filled in; unknown variables are empty, as in systemd. */
export function kubeletFlags(unit: string, variables: Readonly<Record<string, string>>): Map<string, string> {
  const command = /^ExecStart=(.*)$/m.exec(unit.replaceAll('\\\n', ' '))?.[1] ?? '';
  const filled = command.replace(/\$\{([A-Z_]+)\}/g, (_all, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? '') : '',
  );
  return new Map(
    filled
      .split(/\s+/)
      .flatMap((word) => (word.startsWith('--') ? [word.slice(2).split(/=(.*)/s, 2) as [string, string?]] : []))
      .map(([name, value]) => [name, value ?? 'true']),
  );
}

function environmentIn(text: string): Record<string, string> {
  const found = text.matchAll(/^([A-Z_][A-Z0-9_]*)=(.*)$/gm);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value.replace(/^"(.*)"$/, '$1')]));
}

function labelsIn(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(pairs.map((pair) => pair.trim().split(/=(.*)/s, 2)).map(([k = '', v = '']) => [k, v]));
}

function taintsIn(text: string): corev1.Taint[] {
  return text.split(',').flatMap((taint) => {
    const [, key, value, effect] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(taint.trim()) ?? [];
    return key && effect ? [{ key, effect, ...(value ? { value } : {}) }] : [];
  });
}

function configuredTaints(config: JsonObject): corev1.Taint[] {
  const taints = config['registerWithTaints'];
  return Array.isArray(taints) ? (taints as unknown as corev1.Taint[]) : [];
}

function yamlObject(text: string, path: string): JsonObject {
  try {
    const { value } = decodeYaml(text === '' ? '{}' : text);
    return (value ?? {}) as JsonObject;
  } catch (error) {
    throw new BootError(`${path} is not YAML: ${(error as Error).message}`, { cause: error });
  }
}

function textAt(object: JsonObject, ...path: readonly string[]): string | undefined {
  let value: unknown = object;
  for (const field of path) value = (value as Record<string, unknown> | undefined)?.[field];
  return typeof value === 'string' ? value : undefined;
}

function stringsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, String(inner)]));
}

function osImageIn(encapsulated: string | undefined): string {
  if (encapsulated === undefined) return '';
  try {
    const { spec } = JSON.parse(encapsulated) as { readonly spec?: { readonly osImageURL?: unknown } };
    return typeof spec?.osImageURL === 'string' ? spec.osImageURL : '';
  } catch {
    return '';
  }
}
