import type { ControlPlaneComponent } from '@hypershift-ts/hypershift-api';
import { isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import type { Component } from './component.ts';
import type { ControlPlaneContext } from './context.ts';
import { isEtcd } from './defaults/replicas.ts';

/** Components that must run before the API server of the hosted cluster does, or without it. */
const exemptFromKas: ReadonlySet<string> = new Set([
  'featuregate-generator',
  'control-plane-operator',
  'cluster-api',
  'capi-provider',
  'karpenter-operator',
  'karpenter',
  'router',
  'ignition-server',
  'ignition-server-proxy',
]);

/** Names a component waits for, sorted: what it declares, and the API server unless exempt. */
export function dependenciesOf(
  { name, dependsOn }: Pick<Component, 'name' | 'dependsOn'>,
  { hcp }: Pick<ControlPlaneContext, 'hcp'>,
): readonly string[] {
  const names = new Set(dependsOn);
  if (!isEtcd(name) && !exemptFromKas.has(name)) names.add('kube-apiserver');
  if (hcp.spec.etcd.managementType === 'Unmanaged') names.delete('etcd');
  else if (name === 'kube-apiserver')
    for (const shard of hcp.spec.etcd.managed?.shards ?? []) names.add(`etcd-${shard.name}`);
  names.delete(name);
  return [...names].sort();
}

/** Whether a dependency is up and at the version. */
export function isSatisfied(dependency: ControlPlaneComponent | undefined, version: string): boolean {
  const { conditions, version: reached } = dependency?.status ?? {};
  return (
    isConditionTrue(conditions, 'Available') && isConditionTrue(conditions, 'RolloutComplete') && reached === version
  );
}

/** The dependencies a component still has to wait for, sorted. */
export function unmetDependencies(
  component: Pick<Component, 'name' | 'dependsOn'>,
  context: Pick<ControlPlaneContext, 'hcp'>,
  find: (name: string) => ControlPlaneComponent | undefined,
  version: string,
): readonly string[] {
  return dependenciesOf(component, context).filter((name) => !isSatisfied(find(name), version));
}
