import type { Clock, KubeObject, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import { type Authorizer, authorizerFor, NodeGraph, nodeAuthorizer, RbacIndex } from '../authorization/index.ts';
import { storagePrefix } from '../storage/keys.ts';
import { WatchedObjects } from '../storage/watched-objects.ts';

const rbacGroup = 'rbac.authorization.k8s.io';
const rbacResources = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
/** What ties a node to secrets and config maps. */
const nodeResources: readonly (readonly [group: string, resource: string])[] = [
  ['', 'pods'],
  ['', 'persistentvolumes'],
  ['storage.k8s.io', 'volumeattachments'],
];

/** The authorizers of one server, kept up to date from its store. */
export class Policy {
  readonly authorizer: Authorizer;
  readonly rbac: RbacIndex | undefined;
  private readonly watches: WatchedObjects[] = [];

  constructor(store: Store, clock: Clock, modes: readonly string[]) {
    const rbac = modes.includes('RBAC') ? new RbacIndex() : undefined;
    const graph = modes.includes('Node') ? new NodeGraph() : undefined;
    this.rbac = rbac;
    this.authorizer = authorizerFor(modes, {
      ...(rbac ? { RBAC: rbac } : {}),
      ...(graph ? { Node: nodeAuthorizer(graph) } : {}),
    });
    const follow = (
      group: string,
      resource: string,
      index: { apply(event: { type: 'MODIFIED' | 'DELETED'; object: KubeObject }): void },
    ): void => {
      this.watches.push(
        new WatchedObjects(store, storagePrefix(group, resource), clock, {
          onSet: (object: UnstructuredObject) => index.apply({ type: 'MODIFIED', object }),
          onGone: (object: UnstructuredObject) => index.apply({ type: 'DELETED', object }),
        }),
      );
    };
    if (rbac) for (const resource of rbacResources) follow(rbacGroup, resource, rbac);
    if (graph) for (const [group, resource] of nodeResources) follow(group, resource, graph);
  }

  async start(): Promise<void> {
    for (const watch of this.watches) await watch.start();
  }

  stop(): void {
    for (const watch of this.watches) watch.stop();
  }
}
