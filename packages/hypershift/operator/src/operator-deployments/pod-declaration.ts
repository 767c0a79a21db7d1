import type {
  ContainerDeclaration,
  EnvValue,
  PodDeclaration,
  VolumeDeclaration,
} from '@hypershift-ts/hypershift-control-plane';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';

const byName = <T extends { readonly name?: string | undefined }, V>(
  items: readonly T[] | undefined,
  valueOf: (item: T) => V,
): Readonly<Record<string, V>> => Object.fromEntries((items ?? []).map((item) => [item.name ?? '', valueOf(item)]));

function envOf({ value, valueFrom }: corev1.EnvVar): EnvValue {
  const { fieldRef, secretKeyRef } = valueFrom ?? {};
  if (fieldRef) return { field: fieldRef.fieldPath };
  if (secretKeyRef) return { secret: secretKeyRef.name ?? '', key: secretKeyRef.key };
  return value ?? '';
}

function volumeOf({ name: _name, ...source }: corev1.Volume): VolumeDeclaration {
  const { secret, configMap, emptyDir } = source;
  const items = (list: readonly corev1.KeyToPath[] | undefined) =>
    list ? { items: Object.fromEntries(list.map(({ key, path }) => [key, path])) } : {};
  if (secret)
    return { secret: secret.secretName ?? '', ...(secret.optional ? { optional: true } : {}), ...items(secret.items) };
  if (configMap)
    return {
      configMap: configMap.name ?? '',
      ...(configMap.optional ? { optional: true } : {}),
      ...items(configMap.items),
    };
  if (emptyDir) return { emptyDir: emptyDir.medium === 'Memory' ? 'memory' : 'disk' };
  return { source };
}

function containerOf(one: corev1.Container): ContainerDeclaration {
  const { cpu, memory } = one.resources?.requests ?? {};
  return {
    name: one.name,
    image: one.image ?? '',
    ...(one.command ? { command: one.command } : {}),
    ...(one.args ? { args: one.args } : {}),
    ...(one.env ? { env: byName(one.env, envOf) } : {}),
    ...(one.ports ? { ports: byName(one.ports, ({ containerPort }) => containerPort) } : {}),
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
    ...(one.volumeMounts
      ? {
          mounts: byName(one.volumeMounts, ({ mountPath, subPath }) =>
            subPath ? `${mountPath}#${subPath}` : mountPath,
          ),
        }
      : {}),
    ...(one.livenessProbe ? { liveness: one.livenessProbe } : {}),
    ...(one.readinessProbe ? { readiness: one.readinessProbe } : {}),
  };
}

/**
 * The pod a platform wants for its provider in the form of the component framework, which adds what every pod of a
 * control plane has: scheduling, security, scratch space, priority.
 */
export function podDeclarationOf(spec: corev1.PodSpec): PodDeclaration {
  return {
    containers: spec.containers.map(containerOf),
    ...(spec.volumes ? { volumes: byName(spec.volumes, volumeOf) } : {}),
    ...(spec.serviceAccountName ? { serviceAccount: spec.serviceAccountName } : {}),
    ...(spec.terminationGracePeriodSeconds === undefined
      ? {}
      : { terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds }),
  };
}
