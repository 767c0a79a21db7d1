import { hostedClusters } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, type StepOutcome, waiting } from '@hypershift-ts/kube-controller';
import { unknown, type Verdict } from '../../conditions/verdict.ts';
import { NoPlaceForDocuments, oidcDocumentsOf, oidcFinalizerOf, validOidc } from '../../oidc/index.ts';
import { find } from '../live.ts';
import type { HostedClusterScope } from '../scope.ts';
import type { ClusterStep } from './step.ts';

/** Publishes the documents by which the cloud trusts the cluster, once. */
export const oidcStep: ClusterStep = {
  name: 'PlatformOIDCAndCSI',
  kind: 'best-effort',
  async run({ cluster, namespace, platform, options }, context) {
    if (!platform.traits.publishesOidcDocuments || cluster.spec.serviceAccountSigningKey) return done();
    const finalizer = oidcFinalizerOf(cluster);
    const held = cluster.metadata.finalizers ?? [];
    if (held.includes(finalizer)) return done();
    if (!options.oidcDocuments) throw new NoPlaceForDocuments(cluster);
    const secret = await find(context, corev1.secrets, { namespace, name: 'sa-signing-key' });
    const keys = secret?.data?.['service-account.pub'];
    if (!keys) return waiting('NotFound', `Secret ${namespace}/sa-signing-key does not exist yet`);
    const documents = oidcDocumentsOf(cluster, Buffer.from(keys, 'base64').toString('utf8'));
    await options.oidcDocuments.publish(cluster.spec.infraID ?? '', documents);
    const key = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name ?? '' };
    const metadata = { finalizers: [...held, finalizer], resourceVersion: cluster.metadata.resourceVersion };
    await context.client.patch(hostedClusters, key, { type: 'merge', body: { metadata } }, { signal: context.signal });
    return done();
  },
};

/** ValidOIDCConfiguration from how the step went; nothing on platforms without documents. */
export function oidcVerdicts({ platform }: HostedClusterScope, outcome: StepOutcome | undefined): readonly Verdict[] {
  if (!platform.traits.publishesOidcDocuments || !outcome || outcome.state === 'blocked') return [];
  if (outcome.state === 'waiting') return [unknown('ValidOIDCConfiguration', outcome.message)];
  if (outcome.state === 'done') return [validOidc(undefined)];
  const { error } = outcome;
  return [validOidc(error instanceof Error ? error : new Error(String(error)))];
}
