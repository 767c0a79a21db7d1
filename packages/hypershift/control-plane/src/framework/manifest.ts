import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { apiVersionOf, corev1, policyv1, rbacv1, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { type ControlPlaneContext, isHighlyAvailable } from './context.ts';

type Text = string | ((context: ControlPlaneContext) => string);
type Fields = Readonly<Record<string, unknown>>;

/** An object that belongs to a component beside its workload. */
export interface Manifest {
  readonly type: ResourceType<KubeObject>;
  readonly name: Text;
  /** The object without apiVersion, kind, name and namespace. Gets the live one when data must survive. */
  readonly build: (context: ControlPlaneContext, live: UnstructuredObject | undefined) => ManifestBody;
  /** False: the object must not exist. */
  readonly when?: (context: ControlPlaneContext) => boolean;
}

export interface ManifestBody {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

type Build<T> = T | ((context: ControlPlaneContext) => T);

function built<T>(source: Build<T>, context: ControlPlaneContext): T {
  return typeof source === 'function' ? (source as (context: ControlPlaneContext) => T)(context) : source;
}

export function nameOf(manifest: Manifest, context: ControlPlaneContext): string {
  return built(manifest.name, context);
}

/** The same object, only under a condition. */
export function when(condition: (context: ControlPlaneContext) => boolean, manifest: Manifest): Manifest {
  return { ...manifest, when: (context) => condition(context) && (manifest.when?.(context) ?? true) };
}

export function configMap(name: Text, data: Build<Readonly<Record<string, string>>>): Manifest {
  return { type: corev1.configmaps, name, build: (context) => ({ data: built(data, context) }) };
}

/** A Secret of texts; values are encoded here. */
export function secret(name: Text, data: Build<Readonly<Record<string, string>>>): Manifest {
  return {
    type: corev1.secrets,
    name,
    build: (context) => ({
      type: 'Opaque',
      data: Object.fromEntries(Object.entries(built(data, context)).map(([key, value]) => [key, encoded(value)])),
    }),
  };
}

/** A Secret whose keys are made once and then kept: keys that exist are never overwritten. */
export function keptSecret(
  name: Text,
  make: (context: ControlPlaneContext) => Readonly<Record<string, string>>,
): Manifest {
  return {
    type: corev1.secrets,
    name,
    build: (context, live) => {
      const existing = (live?.['data'] ?? {}) as Readonly<Record<string, string>>;
      if (Object.keys(existing).length > 0) return { type: 'Opaque', data: existing };
      const made = Object.entries(make(context)).map(([key, value]) => [key, encoded(value)] as const);
      return { type: 'Opaque', data: Object.fromEntries(made) };
    },
  };
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** A Service of type ClusterIP: port name to `[port, target]`. */
export function service(
  name: string,
  ports: Readonly<Record<string, readonly [number, number | string]>>,
  options: {
    readonly selector?: Readonly<Record<string, string>>;
    readonly headless?: boolean;
    readonly labels?: Readonly<Record<string, string>>;
  } = {},
): Manifest {
  return {
    type: corev1.services,
    name,
    build: () => ({
      metadata: { labels: options.labels ?? { app: name } },
      spec: {
        ...(options.headless ? { clusterIP: 'None', publishNotReadyAddresses: true } : {}),
        type: 'ClusterIP',
        selector: options.selector ?? { app: name },
        ports: Object.entries(ports).map(([portName, [port, targetPort]]) => ({
          name: portName,
          port,
          protocol: 'TCP',
          targetPort,
        })),
      },
    }),
  };
}

/** A service account that pulls images with the cluster's pull secret. */
export function serviceAccount(name: string): Manifest {
  return { type: corev1.serviceaccounts, name, build: () => ({ imagePullSecrets: [{ name: 'pull-secret' }] }) };
}

/** Verbs of who only looks. */
export const reading = ['get', 'list', 'watch'] as const;
/** Verbs of whom objects belong to. */
export const managing = [...reading, 'create', 'update', 'patch', 'delete'] as const;

/** `rule('apps', ['deployments'], ['get'])`: one rule of a Role. */
export function rule(
  group: string | readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
): rbacv1.PolicyRule {
  return { apiGroups: typeof group === 'string' ? [group] : group, resources, verbs };
}

/** Service account, Role and RoleBinding of one name: the usual identity of a component on the management cluster. */
export function identity(name: string, rules: Build<readonly rbacv1.PolicyRule[]>): readonly Manifest[] {
  return [serviceAccount(name), role(name, rules), roleBinding(name)];
}

export function role(name: string, rules: Build<readonly rbacv1.PolicyRule[]>): Manifest {
  return { type: rbacv1.roles, name, build: (context) => ({ rules: built(rules, context) }) };
}

export function roleBinding(
  name: string,
  options: { readonly role?: string; readonly serviceAccount?: string } = {},
): Manifest {
  return {
    type: rbacv1.rolebindings,
    name,
    build: ({ namespace }) => ({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: options.role ?? name },
      subjects: [{ kind: 'ServiceAccount', name: options.serviceAccount ?? name, namespace }],
    }),
  };
}

/** A budget by availability policy: the only replica may not be evicted, of several one at a time. */
export function podDisruptionBudget(
  name: string,
  selector: Readonly<Record<string, string>> = { app: name },
): Manifest {
  return {
    type: policyv1.poddisruptionbudgets,
    name,
    build: (context) => ({
      spec: {
        ...(isHighlyAvailable(context) ? { maxUnavailable: 1 } : { minAvailable: 1 }),
        selector: { matchLabels: selector },
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      },
    }),
  };
}

/** The object as it is sent: identity, owner and hash are added by the framework. */
export function manifestObject(
  manifest: Manifest,
  context: ControlPlaneContext,
  live: UnstructuredObject | undefined,
): UnstructuredObject {
  const { metadata, ...body } = manifest.build(context, live) as ManifestBody & Fields;
  return {
    apiVersion: apiVersionOf(manifest.type),
    kind: manifest.type.kind,
    metadata: { name: nameOf(manifest, context), namespace: context.namespace, ...metadata },
    ...body,
  };
}
