import { type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { appsv1, corev1, hasConditionStatus, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, matching, type ReconcileContext } from '@hypershift-ts/kube-controller';
import { controlPlaneKey, controlPlaneOf, isOwnControlPlane } from '../control-plane.ts';
import type { GuestScope } from '../options.ts';
import { textOf } from '../resources/facts.ts';
import { patchControlPlaneStatus } from '../status/patch-status.ts';
import { type EncryptionConfiguration, readConfiguration, roleOf } from './configuration.ts';
import { providerName, wantedKey } from './keys.ts';
import { rewriteAll } from './rewrite.ts';
import { nextRotation, type RotationFacts } from './rotation.ts';

const configurationSecret = 'kas-secret-encryption-config';
const hashAnnotation = 'kube-apiserver.hypershift.openshift.io/encryption-config-hash';
const apiServer = 'kube-apiserver';

/** Follows changes of the key with which the hosted cluster's data is encrypted, until all of it is. */
export function reencryptionController(scope: GuestScope): Controller {
  const { namespace } = scope.options;
  const map = () => [controlPlaneKey(scope)];
  const deployments = { namespace, fieldSelector: `metadata.name=${apiServer}` };
  return controller<HostedControlPlane, [corev1.Secret, appsv1.Deployment]>({
    name: 'reencryption',
    for: {
      type: hostedControlPlanes,
      namespace,
      predicate: {
        created: isOwnControlPlane(scope),
        updated: (before, after) =>
          isOwnControlPlane(scope)(after) && before.metadata.generation !== after.metadata.generation,
      },
    },
    watches: [
      {
        type: corev1.secrets,
        namespace,
        predicate: matching<KubeObject>(({ metadata }) => metadata.name === configurationSecret),
        map,
      },
      { type: appsv1.deployments, ...deployments, map },
    ],
    async reconcile(_key, context) {
      const hcp = controlPlaneOf(scope);
      if (!hcp || hcp.metadata.deletionTimestamp) return undefined;
      const configuration = readConfiguration(textOf(secretOf(scope, configurationSecret), 'config.yaml'));
      // An API server without such a configuration encrypts nothing, and nothing must be claimed about it.
      if (!hcp.spec.secretEncryption || !configuration) return withoutEncryption(hcp, context);
      const facts = factsOf(scope, hcp, configuration, context.clock.now());
      if (!facts) return undefined;
      const step = nextRotation(facts);
      await write(hcp, step, context);
      if (!step.rewrite) return step.requeueAfterMs === undefined ? undefined : { requeueAfterMs: step.requeueAfterMs };
      const rewritten = await rewriteAll(scope.options.hostedClient, configuration.resources, context.signal);
      const after = nextRotation({ ...facts, status: step.status, rewritten, nowMs: context.clock.now() });
      await write(hcp, after, context);
      return after.requeueAfterMs === undefined ? undefined : { requeueAfterMs: after.requeueAfterMs };
    },
  });
}

const secretOf = ({ management, options: { namespace } }: GuestScope, name: string) =>
  management.get(corev1.secrets, { namespace, name }, { namespace });

/** The content of a Secret with a key. */
function contentOf(scope: GuestScope, name: string | undefined): Uint8Array | undefined {
  const data = name ? secretOf(scope, name)?.data?.['key'] : undefined;
  return data === undefined ? undefined : Buffer.from(data, 'base64');
}

function factsOf(
  scope: GuestScope,
  { spec, status }: HostedControlPlane,
  configuration: EncryptionConfiguration,
  nowMs: number,
): RotationFacts | undefined {
  const encryption = spec.secretEncryption;
  const wanted = encryption && wantedKey(encryption, contentOf(scope, encryption.aescbc?.activeKey.name));
  if (!wanted) return undefined;
  const vaultType = encryption.kms?.azure?.keyVaultType;
  const target = status?.secretEncryption?.targetKey;
  const name = target && providerName(target, contentOf(scope, target.aescbc?.secret.name), vaultType);
  return {
    status: status?.secretEncryption,
    wanted,
    vaultType,
    role: roleOf(configuration, name),
    converged: isConverged(scope, configuration.hash),
    nowMs,
  };
}

/** Every pod of the API server runs with this configuration; its counters say nothing of pods that are still ending. */
function isConverged({ management, options: { namespace } }: GuestScope, hash: string): boolean {
  const scope = { namespace, fieldSelector: `metadata.name=${apiServer}` };
  const deployment = management.get(appsv1.deployments, { namespace, name: apiServer }, scope);
  if (deployment?.spec?.template.metadata?.annotations?.[hashAnnotation] !== hash) return false;
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, terminatingReplicas = 0 } = deployment.status ?? {};
  const wanted = deployment.spec.replicas ?? 1;
  return (
    deployment.status?.observedGeneration === deployment.metadata.generation &&
    [replicas, updatedReplicas, availableReplicas].every((count) => count === wanted) &&
    terminatingReplicas === 0
  );
}

function write(
  hcp: HostedControlPlane,
  { status, condition }: ReturnType<typeof nextRotation>,
  context: ReconcileContext,
) {
  const changes = { fields: { secretEncryption: status }, ...(condition ? { conditions: [condition] } : {}) };
  return patchControlPlaneStatus(hcp, changes, context);
}

async function withoutEncryption(hcp: HostedControlPlane, context: ReconcileContext): Promise<undefined> {
  const type = 'EtcdDataEncryptionUpToDate';
  const isThere = (['True', 'False', 'Unknown'] as const).some((value) =>
    hasConditionStatus(hcp.status?.conditions, type, value),
  );
  if (isThere) await patchControlPlaneStatus(hcp, { withoutConditions: [type] }, context);
}
