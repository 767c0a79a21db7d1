import type { UserInfo } from '../../request/context.ts';
import type { Attributes, Decision, SyncAuthorizer } from '../attributes.ts';
import { allowed, noOpinion } from '../attributes.ts';
import { componentRoles } from '../default-policy/component-roles.ts';
import { rulesAllow } from '../rbac/compiled-rules.ts';
import type { NodeGraph } from './node-graph.ts';

/** The node a user is, `''` for a member of system:nodes without a node's name, undefined for everybody else. */
export function nodeIdentity(user: UserInfo): string | undefined {
  if (!user.groups.includes('system:nodes')) return undefined;
  return user.name.startsWith('system:node:') ? user.name.slice('system:node:'.length) : undefined;
}

const nodeRules = componentRoles.find((role) => role.name === 'system:node')?.rules ?? [];

const no = (reason: string): Decision => ({ decision: 'no-opinion', reason });

/**
 * The Node authorization mode: a kubelet reads what its own pods use and writes what is its own. Creations are allowed
 * by kind here; the NodeRestriction admission checks whose object it is, because authorization does not see bodies.
 */
export function nodeAuthorizer(graph: NodeGraph): SyncAuthorizer {
  const related = (node: string, attributes: Attributes): Decision => {
    if (attributes.name === '') return no('No Object name found');
    return graph.uses(node, attributes.resource, attributes.namespace, attributes.name)
      ? allowed
      : no(`no relationship found between node '${node}' and this object`);
  };

  const readOne = (node: string, attributes: Attributes): Decision => {
    if (attributes.verb !== 'get') return no('can only get individual resources of this type');
    if (attributes.subresource !== '') return no('cannot get subresource');
    return related(node, attributes);
  };

  const readNamed = (node: string, attributes: Attributes): Decision => {
    if (!['get', 'list', 'watch'].includes(attributes.verb)) return no('can only read resources of this type');
    if (attributes.subresource !== '') return no('cannot read subresource');
    if (attributes.namespace === '') return no('can only read namespaced object of this type');
    return related(node, attributes);
  };

  const claim = (node: string, attributes: Attributes): Decision =>
    attributes.subresource !== 'status'
      ? readOne(node, attributes)
      : ['update', 'patch'].includes(attributes.verb)
        ? related(node, attributes)
        : no('can only get/update/patch this type');

  const serviceAccount = (node: string, attributes: Attributes): Decision => {
    if (attributes.verb === 'get' && attributes.subresource === '') return readNamed(node, attributes);
    if (attributes.verb !== 'create' || attributes.name === '') {
      return no('can only create tokens for individual service accounts');
    }
    if (attributes.subresource !== 'token') return no('can only create token subresource of serviceaccount');
    return related(node, attributes);
  };

  const pod = (node: string, attributes: Attributes): Decision => {
    const { verb } = attributes;
    switch (attributes.subresource) {
      case '':
        if (verb === 'get') return related(node, attributes);
        if (verb === 'create' || verb === 'delete') return allowed;
        if (verb !== 'list' && verb !== 'watch') return noOpinion;
        if (selectsNode(attributes, 'spec.nodeName', node)) return allowed;
        return attributes.name === ''
          ? no('can only list/watch pods with spec.nodeName field selector')
          : related(node, attributes);
      case 'status':
        return verb === 'update' || verb === 'patch' ? allowed : noOpinion;
      case 'eviction':
        return verb === 'create' ? allowed : noOpinion;
      default:
        return noOpinion;
    }
  };

  const byResource: Record<string, (node: string, attributes: Attributes) => Decision> = {
    '/secrets': readNamed,
    '/configmaps': readNamed,
    '/persistentvolumeclaims': claim,
    '/persistentvolumes': readOne,
    '/serviceaccounts': serviceAccount,
    '/nodes': ownNode,
    '/pods': pod,
    'storage.k8s.io/volumeattachments': readOne,
    'storage.k8s.io/csinodes': ownCsiNode,
    'coordination.k8s.io/leases': ownLease,
    'resource.k8s.io/resourceslices': ownSlices,
  };

  return {
    authorize(attributes) {
      const node = nodeIdentity(attributes.user);
      if (node === undefined) return noOpinion;
      if (node === '') return no(`unknown node for user ${JSON.stringify(attributes.user.name)}`);
      if (attributes.isResource) {
        const key = `${attributes.group}/${attributes.resource}`;
        const decide = Object.hasOwn(byResource, key) ? byResource[key] : undefined;
        if (decide) return decide(node, attributes);
      }
      return rulesAllow(nodeRules, attributes) ? allowed : noOpinion;
    },
  };
}

function selectsNode(attributes: Attributes, field: string, node: string): boolean {
  return (attributes.fieldSelector ?? []).some(
    (term) => term.key === field && term.operator === '=' && term.value === node,
  );
}

const ownVerbs = ['get', 'create', 'update', 'patch', 'delete'];

function ownNode(node: string, { verb, subresource, name }: Attributes): Decision {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allowed : noOpinion;
  if (subresource !== '') return noOpinion;
  if (verb === 'create' || verb === 'update' || verb === 'patch') return allowed;
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return noOpinion;
  if (name === node) return allowed;
  return name === ''
    ? no(`node '${node}' cannot read all nodes, only its own Node object`)
    : no(`node '${node}' cannot read '${name}', only its own Node object`);
}

function ownLease(node: string, { verb, namespace, name }: Attributes): Decision {
  if (!ownVerbs.includes(verb)) return no('can only get, create, update, patch, or delete a node lease');
  if (namespace !== 'kube-node-lease') return no('can only access leases in the "kube-node-lease" system namespace');
  // The name of an object being created is in its body; admission compares it.
  if (verb === 'create' || name === node) return allowed;
  return no('can only access node lease with the same name as the requesting node');
}

function ownCsiNode(node: string, { verb, subresource, name }: Attributes): Decision {
  if (subresource !== '') return no('cannot authorize CSINode subresources');
  if (!ownVerbs.includes(verb)) return no('can only get, create, update, patch, or delete a CSINode');
  if (verb === 'create' || name === node) return allowed;
  return no('can only access CSINode with the same name as the requesting node');
}

function ownSlices(node: string, attributes: Attributes): Decision {
  const { verb } = attributes;
  if (attributes.subresource !== '') return no('cannot authorize ResourceSlice subresources');
  if (verb === 'create') return allowed;
  if (verb === 'list' || verb === 'watch' || verb === 'deletecollection') {
    return selectsNode(attributes, 'spec.nodeName', node)
      ? allowed
      : no('can only list/watch/deletecollection resourceslices with nodeName field selector');
  }
  return noOpinion;
}
