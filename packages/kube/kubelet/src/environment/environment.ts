import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { expand } from './expansion.ts';
import { fieldValue, type PodFacts, resourceValue } from './field-values.ts';

/** Reads objects of the pod's namespace that environment and volumes refer to. */
export interface PodObjects {
  configMap(name: string): Promise<corev1.ConfigMap | undefined>;
  secret(name: string): Promise<corev1.Secret | undefined>;
}

/** A container's configuration names something that is not there; it stays waiting until it is. */
export class ContainerConfigError extends Error {}

const variableName = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** A container's environment: Service variables, then envFrom, then env, later ones winning. */
export async function containerEnvironment(
  container: corev1.Container,
  facts: PodFacts,
  objects: PodObjects,
  services: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const result: Record<string, string> = { ...services };
  for (const source of container.envFrom ?? []) {
    for (const [key, value] of Object.entries(await allOf(source, objects))) {
      const name = `${source.prefix ?? ''}${key}`;
      if (variableName.test(name)) result[name] = value;
    }
  }
  // `$(NAME)` sees variables declared before it, and Service variables only when nothing declared the name.
  for (const variable of container.env ?? []) {
    const value = variable.valueFrom
      ? await valueFrom(variable.valueFrom, container, facts, objects)
      : expand(variable.value ?? '', (name) => result[name]);
    if (value !== undefined) result[variable.name] = value;
  }
  return result;
}

/** The container's command and arguments with `$(NAME)` replaced. */
export function expandedCommand(
  container: corev1.Container,
  env: Readonly<Record<string, string>>,
): { readonly command: readonly string[] | undefined; readonly args: readonly string[] } {
  const words = (list: readonly string[] | undefined) => list?.map((word) => expand(word, (name) => env[name]));
  return {
    command: container.command?.length ? words(container.command) : undefined,
    args: words(container.args) ?? [],
  };
}

async function allOf(source: corev1.EnvFromSource, objects: PodObjects): Promise<Record<string, string>> {
  const { configMapRef, secretRef } = source;
  if (configMapRef) {
    const found = await objects.configMap(configMapRef.name ?? '');
    if (!found && !configMapRef.optional) throw missing('configmap', configMapRef.name);
    return { ...found?.data };
  }
  if (secretRef) {
    const found = await objects.secret(secretRef.name ?? '');
    if (!found && !secretRef.optional) throw missing('secret', secretRef.name);
    return Object.fromEntries(Object.entries(found?.data ?? {}).map(([key, value]) => [key, decoded(value)]));
  }
  return {};
}

async function valueFrom(
  source: corev1.EnvVarSource,
  container: corev1.Container,
  facts: PodFacts,
  objects: PodObjects,
): Promise<string | undefined> {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef) return fieldValue(fieldRef.fieldPath, facts);
  if (resourceFieldRef) {
    const named = resourceFieldRef.containerName;
    const other = named ? containerNamed(facts.pod, named) : undefined;
    return resourceValue(resourceFieldRef, other ?? container, facts);
  }
  const namespace = facts.pod.metadata.namespace ?? '';
  if (configMapKeyRef) {
    const found = await objects.configMap(configMapKeyRef.name ?? '');
    if (!found && !configMapKeyRef.optional) throw missing('configmap', configMapKeyRef.name);
    const value = found?.data?.[configMapKeyRef.key];
    if (value === undefined && !configMapKeyRef.optional)
      throw new ContainerConfigError(
        `couldn't find key ${configMapKeyRef.key} in ConfigMap ${namespace}/${configMapKeyRef.name}`,
      );
    return value;
  }
  if (secretKeyRef) {
    const found = await objects.secret(secretKeyRef.name ?? '');
    if (!found && !secretKeyRef.optional) throw missing('secret', secretKeyRef.name);
    const value = found?.data?.[secretKeyRef.key];
    if (value === undefined && !secretKeyRef.optional)
      throw new ContainerConfigError(
        `couldn't find key ${secretKeyRef.key} in Secret ${namespace}/${secretKeyRef.name}`,
      );
    return value === undefined ? undefined : decoded(value);
  }
  return undefined;
}

function containerNamed(pod: corev1.Pod, name: string): corev1.Container | undefined {
  return [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])].find((other) => other.name === name);
}

function missing(kind: string, name: string | undefined): ContainerConfigError {
  return new ContainerConfigError(`${kind} "${name}" not found`);
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
