import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, errorMessage, isConflict, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { DiscoveredResource } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller } from '@hypershift-ts/kube-controller';
import type { ServedTypes } from '../discovery/served-types.ts';
import { writeStatus } from '../workload/status.ts';
import { emptyNamespace } from './empty-namespace.ts';
import type { Findings } from './remaining-content.ts';
import { deletionConditions, nothingRemains } from './remaining-content.ts';

type Namespace = corev1.Namespace;

const finalizer = 'kubernetes';
const firstRetryMs = 25;
const maxRetryMs = 5_000;

/** Empties namespaces that are going away and then lets them go. */
export function namespaceController(served: ServedTypes): Controller {
  /** Attempts so far, to look again soon at first and seldom later. */
  const attempts = new Map<string, number>();

  async function reconcile(key: { readonly name: string }, context: ReconcileContext): Promise<ReconcileResult> {
    const namespace = context.cache.get(core.namespaces, key);
    if (!namespace?.metadata.deletionTimestamp || !namespace.spec?.finalizers?.includes(finalizer)) {
      attempts.delete(key.name);
      return undefined;
    }
    const attempt = attempts.get(key.name) ?? 0;
    // A custom resource may have become served in between.
    if (attempt > 0) served.reset();
    const findings = await tryToEmpty(namespace, context);
    try {
      const current = await tellWhatRemains(namespace, findings, context);
      if (nothingRemains(findings)) {
        await letGo(current, context);
        attempts.delete(key.name);
        return undefined;
      }
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isConflict(error)) throw error;
    }
    attempts.set(key.name, attempt + 1);
    return { requeueAfterMs: Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(attempt, 16)) };
  }

  async function tryToEmpty(namespace: Namespace, { client, signal }: ReconcileContext): Promise<Findings> {
    let types: readonly DiscoveredResource[];
    try {
      types = (await served.withVerbs('delete', 'list')).filter((type) => type.namespaced);
    } catch (error) {
      const none = new Map<string, number>();
      return { discoveryError: errorMessage(error), deletionErrors: [], remaining: none, finalizers: none };
    }
    return emptyNamespace(client, namespace.metadata.name ?? '', types, signal);
  }

  return controller({
    name: 'namespace-controller',
    for: { type: core.namespaces, predicate: { created: isTerminating, updated: (_, next) => isTerminating(next) } },
    concurrency: 10,
    reconcile,
  });
}

function isTerminating({ metadata }: Namespace): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Conditions are only worth a write when somebody may read them: not when the namespace goes at once. */
async function tellWhatRemains(namespace: Namespace, findings: Findings, { client, clock }: ReconcileContext) {
  if (nothingRemains(findings) && !namespace.status?.conditions?.length) return namespace;
  const conditions = deletionConditions(namespace.status?.conditions, findings, clock.now());
  return writeStatus(client, core.namespaces, namespace, { ...namespace.status, phase: 'Terminating', conditions });
}

async function letGo(namespace: Namespace, { client }: ReconcileContext): Promise<void> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== finalizer);
  const next = { ...namespace, spec: { ...namespace.spec, finalizers } };
  await client.update(core.namespaces, next, { subresource: 'finalize' });
}
