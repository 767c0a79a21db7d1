import type { Random } from '@hypershift-ts/kube-apimachinery';
import type { Informer, InformerCache } from '@hypershift-ts/kube-client';
import { controllerOf } from '@hypershift-ts/kube-controller';
import type { ExternalObjects } from './external/external-objects.ts';
import * as capi from './generated/capiv1beta1.ts';
import type { HostedClusters } from './hosted/hosted-clusters.ts';
import { labels } from './keys.ts';

/** What the controllers of one namespace share. */
export interface Environment {
  readonly namespace: string;
  readonly external: ExternalObjects;
  readonly hosted: HostedClusters;
  readonly random: Random;
}

/** `Kind/name` of a reference: how a changed object of a provider finds whom it concerns. */
export const refKey = ({ kind, name }: { readonly kind?: string; readonly name?: string }) => `${kind}/${name}`;

const byCluster = 'cluster';
const byRef = 'reference';
const byProviderID = 'provider-id';
const byNode = 'node';
const byDeployment = 'deployment';
const orphans = 'orphans';

/** The Machines of the namespace, found by what they refer to. */
export class MachineStore {
  readonly informer: Informer<capi.Machine>;

  constructor(cache: InformerCache, namespace: string) {
    this.informer = cache.informer(capi.machines, { namespace });
    this.informer.addIndex(byCluster, ({ spec }) => [spec.clusterName]);
    this.informer.addIndex(byRef, ({ spec: { infrastructureRef, bootstrap } }) => [
      refKey(infrastructureRef),
      ...(bootstrap.configRef ? [refKey(bootstrap.configRef)] : []),
    ]);
    this.informer.addIndex(byProviderID, ({ spec }) =>
      spec.providerID ? [`${spec.clusterName} ${spec.providerID}`] : [],
    );
    this.informer.addIndex(byNode, ({ spec, status }) =>
      status?.nodeRef?.name ? [`${spec.clusterName} ${status.nodeRef.name}`] : [],
    );
    this.informer.addIndex(byDeployment, ({ metadata }) => {
      const name = metadata.labels?.[labels.deploymentName];
      return name ? [name] : [];
    });
    this.informer.addIndex(orphans, (machine) => (controllerOf(machine) ? [] : [machine.spec.clusterName]));
  }

  ofCluster(name: string): readonly capi.Machine[] {
    return this.informer.byIndex(byCluster, name);
  }

  /** Those without a controller, which a MachineSet may adopt. */
  orphansOf(clusterName: string): readonly capi.Machine[] {
    return this.informer.byIndex(orphans, clusterName);
  }

  ofSet(set: capi.MachineSet): readonly capi.Machine[] {
    const { uid = '' } = set.metadata;
    return this.informer.ownedBy(uid).filter((machine) => controllerOf(machine)?.uid === uid);
  }

  ofDeployment(name: string): readonly capi.Machine[] {
    return this.informer.byIndex(byDeployment, name);
  }

  referringTo(object: { readonly kind: string; readonly name: string }): readonly capi.Machine[] {
    return this.informer.byIndex(byRef, refKey(object));
  }

  /** Whose node it is, or was when it was last seen. */
  ofNode(clusterName: string, node: { readonly name: string; readonly providerID: string }): readonly capi.Machine[] {
    const found = new Set(this.informer.byIndex(byNode, `${clusterName} ${node.name}`));
    for (const machine of this.informer.byIndex(byProviderID, `${clusterName} ${node.providerID}`)) found.add(machine);
    return [...found];
  }
}

const stores = new WeakMap<InformerCache, Map<string, MachineStore>>();

/** The one store of Machines of a cache and namespace. */
export function machineStore(cache: InformerCache, namespace: string): MachineStore {
  let known = stores.get(cache);
  if (!known) stores.set(cache, (known = new Map()));
  let store = known.get(namespace);
  if (!store) known.set(namespace, (store = new MachineStore(cache, namespace)));
  return store;
}

/** MachineSets or MachineDeployments of a cluster. */
export function ofCluster<T extends { readonly spec: { readonly clusterName: string } }>(
  objects: readonly T[],
  clusterName: string,
): readonly T[] {
  return objects.filter(({ spec }) => spec.clusterName === clusterName);
}
