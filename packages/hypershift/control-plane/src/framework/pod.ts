import type { corev1 } from '@hypershift-ts/kube-apimachinery';

/** A container as a component states it; the framework adds what every container gets. */
export interface ContainerDeclaration {
  readonly name: string;
  /** Payload tag, or an image reference when it contains a slash. */
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, EnvValue>>;
  readonly ports?: Readonly<Record<string, number>>;
  /** Absent: the container asks for nothing, as init containers that end at once. */
  readonly cpu?: string;
  readonly memory?: string;
  /** Volume name to path; `path#key` mounts a single key. */
  readonly mounts?: Readonly<Record<string, string>>;
  readonly liveness?: corev1.Probe;
  readonly readiness?: corev1.Probe;
  readonly startup?: corev1.Probe;
  readonly preStop?: readonly string[];
  readonly workingDir?: string;
  readonly restartPolicy?: 'Always';
}

export type EnvValue = string | { readonly field: string } | { readonly secret: string; readonly key: string };

export type VolumeDeclaration =
  | { readonly secret: string; readonly optional?: true; readonly items?: Readonly<Record<string, string>> }
  | { readonly configMap: string; readonly optional?: true; readonly items?: Readonly<Record<string, string>> }
  | { readonly emptyDir: 'disk' | 'memory' }
  /** Anything else, such as a CSI volume, in the words of the API. */
  | { readonly source: Omit<corev1.Volume, 'name'> };

/** The pods of a component before the defaults. */
export interface PodDeclaration {
  readonly containers: readonly ContainerDeclaration[];
  readonly initContainers?: readonly ContainerDeclaration[];
  readonly volumes?: Readonly<Record<string, VolumeDeclaration>>;
  readonly serviceAccount?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

export const secretVolume = (secret: string): VolumeDeclaration => ({ secret });
export const configMapVolume = (configMap: string): VolumeDeclaration => ({ configMap });
export const scratch: VolumeDeclaration = { emptyDir: 'disk' };
export const memoryScratch: VolumeDeclaration = { emptyDir: 'memory' };

/** The bundle of CAs that the cluster's users added, mounted where TLS libraries look for it. */
export const trustedBundle = {
  volume: {
    configMap: 'openshift-config-managed-trusted-ca-bundle',
    optional: true,
    items: { 'ca-bundle.crt': 'tls-ca-bundle.pem' },
  } satisfies VolumeDeclaration,
  name: 'openshift-config-managed-trusted-ca-bundle',
  path: '/etc/pki/ca-trust/extracted/pem',
} as const;

/** The field of the pod that an environment variable shows. */
export const podName: EnvValue = { field: 'metadata.name' };
export const podNamespace: EnvValue = { field: 'metadata.namespace' };
export const podIP: EnvValue = { field: 'status.podIP' };

export interface ProbeTimes {
  readonly delay?: number;
  readonly period?: number;
  readonly timeout?: number;
  readonly failures?: number;
}

/** An HTTPS probe; times left out are Kubernetes' defaults. */
export function https(path: string, port: number | string, times: ProbeTimes = {}): corev1.Probe {
  return { httpGet: { path, port, scheme: 'HTTPS' }, ...probeTimes(times) };
}

export function http(path: string, port: number | string, times: ProbeTimes = {}): corev1.Probe {
  return { httpGet: { path, port, scheme: 'HTTP' }, ...probeTimes(times) };
}

export function exec(command: readonly string[], times: ProbeTimes = {}): corev1.Probe {
  return { exec: { command }, ...probeTimes(times) };
}

function probeTimes({ delay, period, timeout, failures }: ProbeTimes): corev1.Probe {
  return {
    ...(delay === undefined ? {} : { initialDelaySeconds: delay }),
    ...(period === undefined ? {} : { periodSeconds: period }),
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
    ...(failures === undefined ? {} : { failureThreshold: failures }),
  };
}
