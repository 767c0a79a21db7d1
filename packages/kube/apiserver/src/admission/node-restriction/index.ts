import { jsonEqual, statusErrors } from '@hypershift-ts/kube-apimachinery';
import { parseRequest } from '@hypershift-ts/kube-pki';
import { nodeIdentity } from '../../authorization/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { nameForErrors } from '../error-name.ts';
import type { Lookup } from '../lookup.ts';
import { forbiddenLabels } from './labels.ts';
import { podObjection } from './pods.ts';

type Objection = string | undefined;

const leaseNamespace = 'kube-node-lease';
const nodeSigners = ['kubernetes.io/kubelet-serving', 'kubernetes.io/kube-apiserver-client-kubelet'];

const guarded = new Set([
  '/pods',
  '/nodes',
  '/persistentvolumeclaims',
  'coordination.k8s.io/leases',
  'storage.k8s.io/csinodes',
  'certificates.k8s.io/certificatesigningrequests',
]);

/** A kubelet writes its own node, its lease, the status of its pods, and nothing of anybody else's. */
export function nodeRestriction(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    handles: ({ resource }) => guarded.has(`${resource.group}/${resource.resource}`),
    // Not a mutation: it belongs before everything that could tell a node about objects it has no business with.
    async mutate(request, { user }) {
      const node = nodeIdentity(user);
      if (node === undefined) return;
      const why =
        node === ''
          ? `could not determine node from user ${JSON.stringify(user.name)}`
          : await objection(request, node, user.name, lookup);
      if (why) throw statusErrors.forbidden(request.resource, nameForErrors(request), why);
    },
  };
}

async function objection(request: AdmissionRequest, node: string, user: string, lookup: Lookup): Promise<Objection> {
  switch (request.resource.resource) {
    case 'pods':
      return podObjection(request, node, lookup);
    case 'nodes':
      return nodeObjection(request, node);
    case 'persistentvolumeclaims':
      return claimObjection(request, node);
    case 'leases':
      if (request.namespace !== leaseNamespace)
        return `can only access leases in the "${leaseNamespace}" system namespace`;
      return requestedName(request) === node
        ? undefined
        : 'can only access node lease with the same name as the requesting node';
    case 'csinodes':
      return requestedName(request) === node
        ? undefined
        : 'can only access CSINode with the same name as the requesting node';
    default:
      return requestObjection(request, user);
  }
}

function requestedName({ name, object }: AdmissionRequest): string {
  return name || (object?.['metadata'].name ?? '');
}

function nodeObjection(request: AdmissionRequest, node: string): Objection {
  const { operation, object, oldObject, subresource } = request;
  const name = requestedName(request);
  if (operation === 'CREATE' && subresource === '') {
    const labels = forbiddenLabels(object!['metadata'].labels, undefined);
    if (labels.length > 0) return `node "${node}" is not allowed to set the following labels: ${labels.join(', ')}`;
  }
  if (name !== node) return `node "${node}" is not allowed to modify node "${name}"`;
  if (operation !== 'UPDATE') return undefined;
  const taintsOf = (owner: { spec?: { taints?: unknown } } | undefined): unknown => owner?.spec?.taints ?? [];
  // Without its taints a node could draw workloads to itself.
  if (!jsonEqual(taintsOf(object), taintsOf(oldObject as never)))
    return `node "${node}" is not allowed to modify taints`;
  const labels = forbiddenLabels(object!['metadata'].labels, oldObject!.metadata.labels);
  if (labels.length > 0) return `node "${node}" is not allowed to modify labels: ${labels.join(', ')}`;
  if (!jsonEqual(object!['metadata'].ownerReferences ?? [], oldObject!.metadata.ownerReferences ?? []))
    return `node "${node}" is not allowed to modify ownerReferences`;
  return undefined;
}

/** The status of a claim, as far as resizing on the node goes. */
function claimObjection({ operation, subresource, object, oldObject }: AdmissionRequest, node: string): Objection {
  if (subresource !== 'status') return 'may only update PVC status';
  if (operation !== 'UPDATE') return `unexpected operation "${operation}"`;
  const rest = (claim: { status?: Record<string, unknown> }): unknown => {
    const {
      capacity: _,
      conditions: __,
      allocatedResources: ___,
      allocatedResourceStatuses: ____,
      ...other
    } = claim.status ?? {};
    return other;
  };
  return jsonEqual(rest(object!), rest(oldObject as never))
    ? undefined
    : `node "${node}" is not allowed to update fields other than status.capacity and status.conditions`;
}

/** A node asks for certificates in its own name only. */
function requestObjection({ operation, subresource, object }: AdmissionRequest, user: string): Objection {
  if (operation !== 'CREATE' || subresource !== '' || !nodeSigners.includes(object!['spec']?.signerName))
    return undefined;
  try {
    const { subject } = parseRequest(Buffer.from(String(object!['spec'].request), 'base64').toString());
    return subject.commonName === user ? undefined : `can only create a node CSR with CN=${user}`;
  } catch (error) {
    return `unable to parse csr: ${(error as Error).message}`;
  }
}
