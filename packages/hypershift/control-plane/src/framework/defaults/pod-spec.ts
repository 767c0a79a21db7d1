import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ControlPlaneContext } from '../context.ts';
import type { ContainerDeclaration, EnvValue, PodDeclaration, VolumeDeclaration } from '../pod.ts';
import { resourcesOf } from './resources.ts';

/** Every container may write to /tmp and, unless a volume says so, nowhere else. */
const tmp = 'tmp-dir';

/** Containers and volumes in the form of the API, with the defaults of every pod. */
export function podSpecOf(
  workload: string,
  pod: PodDeclaration,
  context: ControlPlaneContext,
  live: corev1.PodSpec | undefined,
): corev1.PodSpec & { readonly volumes: readonly corev1.Volume[] } {
  const running = new Map([...(live?.containers ?? []), ...(live?.initContainers ?? [])].map((one) => [one.name, one]));
  const make = (one: ContainerDeclaration): corev1.Container =>
    containerOf(one, workload, context, running.get(one.name)?.resources);
  const volumes = Object.entries({ ...pod.volumes, [tmp]: { emptyDir: 'disk' } as const }).map(volumeOf);
  return {
    ...(pod.initContainers?.length ? { initContainers: pod.initContainers.map(make) } : {}),
    containers: pod.containers.map(make),
    volumes,
    ...(pod.serviceAccount ? { serviceAccountName: pod.serviceAccount } : {}),
    ...(pod.terminationGracePeriodSeconds === undefined
      ? {}
      : { terminationGracePeriodSeconds: pod.terminationGracePeriodSeconds }),
    ...(pod.restartPolicy ? { restartPolicy: pod.restartPolicy } : {}),
  };
}

function containerOf(
  one: ContainerDeclaration,
  workload: string,
  context: ControlPlaneContext,
  live: corev1.ResourceRequirements | undefined,
): corev1.Container {
  const image = one.image.includes('/') ? one.image : context.images.get(one.image);
  return {
    name: one.name,
    image,
    imagePullPolicy: image.endsWith(':latest') ? 'Always' : 'IfNotPresent',
    ...(one.command ? { command: one.command } : {}),
    ...(one.args ? { args: one.args } : {}),
    ...(one.env ? { env: Object.entries(one.env).map(envVar) } : {}),
    ...(one.ports
      ? { ports: Object.entries(one.ports).map(([name, containerPort]) => ({ name, containerPort, protocol: 'TCP' })) }
      : {}),
    resources: resourcesOf(one, workload, context.hcp.metadata.annotations, live),
    volumeMounts: Object.entries({ ...one.mounts, [tmp]: '/tmp' }).map(([name, path]) => mountOf(name, path)),
    ...(one.liveness ? { livenessProbe: one.liveness } : {}),
    ...(one.readiness ? { readinessProbe: one.readiness } : {}),
    ...(one.startup ? { startupProbe: one.startup } : {}),
    ...(one.preStop ? { lifecycle: { preStop: { exec: { command: one.preStop } } } } : {}),
    ...(one.workingDir ? { workingDir: one.workingDir } : {}),
    ...(one.restartPolicy ? { restartPolicy: one.restartPolicy } : {}),
    securityContext: securityOf(context),
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

/**
 * OpenShift adds what a restricted namespace asks of its pods by itself; any other cluster, and GKE beside GCP, refuses
 * pods that do not say it.
 */
function securityOf({ hcp, management }: ControlPlaneContext): corev1.SecurityContext {
  if (management.assignsUserIds && hcp.spec.platform.type !== 'GCP') return { readOnlyRootFilesystem: true };
  return {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  };
}

function mountOf(name: string, path: string): corev1.VolumeMount {
  const [mountPath = '', subPath] = path.split('#');
  return { name, mountPath, ...(subPath ? { subPath } : {}) };
}

function envVar([name, value]: [string, EnvValue]): corev1.EnvVar {
  if (typeof value === 'string') return { name, value };
  if ('field' in value) return { name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: value.field } } };
  return { name, valueFrom: { secretKeyRef: { name: value.secret, key: value.key } } };
}

function volumeOf([name, source]: [string, VolumeDeclaration]): corev1.Volume {
  if ('source' in source) return { name, ...source.source };
  if ('emptyDir' in source) return { name, emptyDir: source.emptyDir === 'memory' ? { medium: 'Memory' } : {} };
  const items = source.items ? { items: Object.entries(source.items).map(([key, path]) => ({ key, path })) } : {};
  const optional = source.optional ? { optional: true } : {};
  if ('secret' in source)
    return { name, secret: { secretName: source.secret, defaultMode: 0o640, ...items, ...optional } };
  return { name, configMap: { name: source.configMap, defaultMode: 0o644, ...items, ...optional } };
}
