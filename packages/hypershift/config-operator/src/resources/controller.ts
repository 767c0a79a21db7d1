import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { corev1, errorMessage, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, type WatchSource } from '@hypershift-ts/kube-controller';
import { cleanUpCloudResources } from '../cleanup/clean-up.ts';
import { controlPlaneKey, controlPlaneOf, isOwnControlPlane, pauseOf } from '../control-plane.ts';
import { scopeOf } from '../guest/apply.ts';
import type { GuestScope } from '../options.ts';
import { patchControlPlaneStatus } from '../status/patch-status.ts';
import { connectionChecker } from './kas-connection-checker.ts';
import { reconcileResources } from './reconcile.ts';
import { keptKinds } from './watched.ts';

const longestMessage = 1024;

/** Keeps everything of the hosted cluster that follows from its control plane, and says on it whether that works. */
export function resourcesController(scope: GuestScope): Controller {
  const { namespace, operateOnReleaseImage } = scope.options;
  const own = isOwnControlPlane(scope);
  return controller<KubeObject, readonly KubeObject[]>({
    name: 'resources',
    for: {
      type: hostedControlPlanes,
      namespace,
      predicate: { created: own, updated: (before, after) => own(after) && isWorthALook(before, after) },
    },
    watches: [...fromManagement(scope), ...fromGuest(scope)],
    rateLimit: { baseMs: 500, maxMs: 30_000 },
    async reconcile(_key, context) {
      const hcp = controlPlaneOf(scope);
      if (!hcp) return undefined;
      if (hcp.metadata.deletionTimestamp) return cleanUpCloudResources(hcp, scope, context);
      const pause = pauseOf(hcp, context.clock.now());
      if (pause) return pause.leftMs === undefined ? undefined : { requeueAfterMs: pause.leftMs };
      // While the control plane moves on, the operator of its next release takes over.
      if (operateOnReleaseImage && operateOnReleaseImage !== wantedImage(hcp)) return undefined;
      const failure = await reconcileResources(hcp, scope, context).then(
        () => undefined,
        (error: unknown) => error,
      );
      context.signal.throwIfAborted();
      await patchControlPlaneStatus(hcp, { conditions: [verdictOf(failure)] }, context);
      if (failure !== undefined) throw failure;
      return undefined;
    },
  });
}

const wantedImage = ({
  spec,
}: {
  readonly spec: { readonly controlPlaneReleaseImage?: string; readonly releaseImage: string };
}) => spec.controlPlaneReleaseImage ?? spec.releaseImage;

/** Status of the control plane matters as far as it is an input: addresses, and what lets deletion begin. */
function isWorthALook(before: KubeObject, after: KubeObject): boolean {
  return inputsOf(before) !== inputsOf(after);
}

function inputsOf(object: KubeObject): string {
  const { metadata, status } = object as KubeObject & {
    readonly status?: {
      readonly controlPlaneEndpoint?: object;
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    };
  };
  const scaledDown = status?.conditions?.find(({ type }) => type === 'CVOScaledDown')?.status;
  const { generation, deletionTimestamp, annotations } = metadata;
  return JSON.stringify([generation, deletionTimestamp, annotations, status?.controlPlaneEndpoint, scaledDown]);
}

function verdictOf(failure: unknown) {
  const type = 'ConfigOperatorReconciliationSucceeded';
  if (failure === undefined) return { type, status: 'True' as const, reason: 'AsExpected', message: 'All is well' };
  const text = errorMessage(failure);
  const message = text.length > longestMessage ? `${text.slice(0, longestMessage - 3)}...` : text;
  return { type, status: 'False' as const, reason: 'ReconcileError', message };
}

/** Everything in the control plane's namespace that is copied or used, as one key: any change means one more pass. */
function fromManagement(scope: GuestScope): readonly WatchSource[] {
  const { namespace } = scope.options;
  const map = () => [controlPlaneKey(scope)];
  const source = (type: WatchSource['type'], isInput: (name: string, object: KubeObject) => boolean): WatchSource => {
    const test = (object: KubeObject) => isInput(object.metadata.name ?? '', object);
    return {
      type,
      namespace,
      predicate: {
        created: test,
        deleted: test,
        updated: (before, after) => test(after) && dataOf(before) !== dataOf(after),
      },
      map,
    };
  };
  const named = (name: string) => inputNames.has(name) || isReferred(scope, name);
  return [
    source(corev1.secrets, named),
    source(corev1.configmaps, (name, object) => named(name) || isPoolConfig(object)),
    source(corev1.services, (name) => servers.has(name)),
  ];
}

/** Content alone counts: metadata of copied objects is of no interest. */
function dataOf(object: KubeObject): string {
  const { data, spec } = object as { readonly data?: object; readonly spec?: object };
  return JSON.stringify([data, spec, object.metadata.labels]);
}

/** Servers that answer for APIs of the hosted cluster. */
const servers = new Set(['openshift-apiserver', 'openshift-oauth-apiserver', 'packageserver']);

const inputNames = new Set([
  'pull-secret',
  'kubeadmin-password',
  'ingress-crt',
  'konnectivity-agent',
  'konnectivity-ca-bundle',
  'kubelet-client-ca',
  'root-ca',
  'oauth-master-ca-bundle',
  'azure-cloud-config',
  'openstack-cloud-config',
]);

/** Whether the control plane's configuration names the object, for example as a trust bundle. */
function isReferred(scope: GuestScope, name: string): boolean {
  const hcp = controlPlaneOf(scope);
  if (!hcp) return false;
  const { additionalTrustBundle, configuration, platform } = hcp.spec;
  return name !== '' && JSON.stringify([additionalTrustBundle, configuration, platform]).includes(`"${name}"`);
}

const isPoolConfig = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.['hypershift.openshift.io/kubeletconfig-config'] === 'true';

function fromGuest(scope: GuestScope): readonly WatchSource[] {
  return keptKinds.map((type) => ({
    type,
    cache: scope.guest,
    ...scopeOf(type),
    predicate: {
      // What is there at the start is read by the first pass; only the registry's operator makes something to add to.
      created: ({ kind }) => kind === 'Config',
      updated: (before, after) => !isHeartbeat(after) && contentOf(before) !== contentOf(after),
      deleted: (object) => !isHeartbeat(object),
    },
    map: () => [controlPlaneKey(scope)],
  }));
}

/** The connection checker writes the time into its ConfigMap every minute. */
const isHeartbeat = ({ metadata }: KubeObject): boolean => metadata.name === connectionChecker.configMap;

/** What the operator states about objects: not their status, except where that is what it keeps. */
function contentOf(object: KubeObject): string {
  const { metadata, status, ...content } = object as KubeObject & { readonly status?: unknown };
  return JSON.stringify([metadata.labels, metadata.annotations, content, statusOfInterest(object.kind, status)]);
}

function statusOfInterest(kind: string, status: unknown): unknown {
  if (kind === 'ClusterVersion') return (status as { readonly capabilities?: object } | undefined)?.capabilities;
  return kind === 'ClusterOperator' || kind === 'Infrastructure' || kind === 'Network' ? status : undefined;
}
