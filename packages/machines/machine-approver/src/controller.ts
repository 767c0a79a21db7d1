import type { certificatesv1, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { certificatesv1 as certificates, corev1, formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Informer, InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, getIfPresent } from '@hypershift-ts/kube-controller';
import type { Certificate } from '@hypershift-ts/kube-pki';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { cannotFlood, isFlooded } from './flood-guard.ts';
import { hostName, isDecided, type NodeRequest, nodeRequestOf } from './node-request.ts';
import { clientProblem, type Problem, servingProblem } from './rules.ts';

type Csr = certificatesv1.CertificateSigningRequest;
type Machine = capi.Machine;

/** The certificate a node serves with now, if it can be had and our signer signed it; for renewals. */
export type CurrentServing = (node: corev1.Node, signal: AbortSignal) => Promise<Certificate | undefined>;

export interface ApproverOptions {
  /** The Machines' cluster; started and stopped by the caller. */
  readonly management: InformerCache;
  readonly namespace: string;
  readonly currentServing?: CurrentServing;
}

const byNodeName = 'node-name';
const byInternalName = 'internal-dns';
const floodRetryMs = 60_000;

/** Approves the certificates of nodes that are Machines of ours. Never denies: what it does not know it leaves alone. */
export function machineApproverController({ management, namespace, currentServing }: ApproverOptions): Controller {
  const machines = management.informer(capi.machines, { namespace });
  machines.addIndex(byInternalName, ({ status }) =>
    (status?.addresses ?? []).flatMap(({ type, address }) => (type === 'InternalDNS' ? [hostName(address)] : [])),
  );
  machines.addIndex(byNodeName, ({ status }) => (status?.nodeRef?.name ? [status.nodeRef.name] : []));

  async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
    const csrs = pendingIndex(context.cache);
    const csr = csrs.get(key);
    const request = csr && !isDecided(csr) ? nodeRequestOf(csr) : undefined;
    if (!csr || !request) return undefined;
    if (await flooded(csrs, context)) {
      context.log.warn(
        { csr: key.name },
        'far more certificates are asked for than there are machines; approving none',
      );
      return { requeueAfterMs: floodRetryMs };
    }
    const problem = await problemOf(csr, request, context);
    if (problem) {
      context.log.info({ csr: key.name, node: request.nodeName, problem }, 'not approved (yet)');
      return undefined;
    }
    await approve(csr, context);
    return undefined;
  }

  async function flooded(csrs: Informer<Csr>, { client, clock }: ReconcileContext): Promise<boolean> {
    if (cannotFlood(csrs.size, machines.size)) return false;
    const pending = csrs.list().filter((csr) => !isDecided(csr) && nodeRequestOf(csr));
    if (cannotFlood(pending.length, machines.size)) return false;
    const created = pending.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''));
    const nodes = await client.list(corev1.nodes, {});
    return isFlooded(created, machines.size, nodes.items.length, clock.now());
  }

  async function problemOf(csr: Csr, request: NodeRequest, { client, signal }: ReconcileContext): Promise<Problem> {
    const { nodeName, sort } = request;
    if (sort === 'client') {
      const named = machines.byIndex(byInternalName, hostName(nodeName));
      const nodeExists = (await getIfPresent(client, corev1.nodes, { name: nodeName })) !== undefined;
      return clientProblem(csr, request, { nodeExists, machines: named });
    }
    const own = machines.byIndex(byNodeName, nodeName);
    const problem = servingProblem(csr, request, { machines: own, current: undefined });
    if (!problem || !currentServing) return problem;
    const node = await getIfPresent(client, corev1.nodes, { name: nodeName });
    const current = node && (await currentServing(node, signal).catch(() => undefined));
    return servingProblem(csr, request, { machines: own, current });
  }

  /** A Machine that got its names or its node may be what a request has been waiting for. */
  function requestsFor({ status }: Machine, cache: InformerCache): readonly ObjectKey[] {
    const names = new Set(
      (status?.addresses ?? []).flatMap(({ type, address }) => (type === 'InternalDNS' ? [hostName(address)] : [])),
    );
    if (status?.nodeRef?.name) names.add(hostName(status.nodeRef.name));
    const csrs = pendingIndex(cache);
    return [...names]
      .flatMap((name) => csrs.byIndex(byNodeName, name))
      .map(({ metadata }) => ({ name: metadata.name ?? '' }));
  }

  return controller<Csr, [Machine]>({
    name: 'machine-approver',
    for: {
      type: certificates.certificatesigningrequests,
      predicate: { created: isOurs, updated: (_before, csr) => isOurs(csr) },
    },
    watches: [
      { type: capi.machines, namespace, cache: management, predicate: { updated: namesChanged }, map: () => [] },
    ],
    sources: [
      (enqueue, { cache }) => {
        const look = (machine: Machine) => {
          for (const key of requestsFor(machine, cache)) enqueue(key);
        };
        return machines.addHandler({
          added: look,
          updated: (before, next) => {
            if (namesChanged(before, next)) look(next);
          },
        });
      },
    ],
    concurrency: 10,
    reconcile,
  });
}

const isOurs = (csr: Csr) => !isDecided(csr) && nodeRequestOf(csr) !== undefined;

function namesChanged({ status: before }: Machine, { status: next }: Machine): boolean {
  return before?.addresses !== next?.addresses || before?.nodeRef?.name !== next?.nodeRef?.name;
}

/** Requests still open, by the name of the node they are for. */
function pendingIndex(cache: InformerCache): Informer<Csr> {
  const informer = cache.informer(certificates.certificatesigningrequests);
  informer.addIndex(byNodeName, (csr) => {
    const request = isDecided(csr) ? undefined : nodeRequestOf(csr);
    return request ? [hostName(request.nodeName)] : [];
  });
  return informer;
}

async function approve(csr: Csr, { client, clock, log }: ReconcileContext): Promise<void> {
  const now = formatTime(clock.now());
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'NodeCSRApprove',
    message: 'This CSR was approved by the Node CSR Approver (cluster-machine-approver)',
    lastUpdateTime: now,
    lastTransitionTime: now,
  };
  const status = { ...csr.status, conditions: [...(csr.status?.conditions ?? []), condition] };
  await client.update(certificates.certificatesigningrequests, { ...csr, status }, { subresource: 'approval' });
  log.info({ csr: csr.metadata.name, user: csr.spec.username }, 'approved');
}
