import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { corev1, errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { GuestWriter } from '../guest/apply.ts';
import { type GuestObject, kept } from '../guest/guest-object.ts';
import type { GuestScope } from '../options.ts';
import { resourceGroups } from './groups.ts';
import type { GuestInputs, ResourceGroup } from './inputs.ts';
import { loadInputs } from './load.ts';

/** Several parts of a hosted cluster could not be brought in; each is named with its cause. */
class GuestResourcesFailed extends AggregateError {
  override readonly name = 'GuestResourcesFailed';

  constructor(failures: readonly { readonly group: string; readonly error: unknown }[]) {
    super(
      failures.map(({ error }) => error),
      failures.map(({ group, error }) => `${group}: ${errorMessage(error)}`).join('; '),
    );
  }
}

/** Makes the hosted cluster what its control plane says. One part's failure does not keep the others waiting. */
export async function reconcileResources(
  hcp: HostedControlPlane,
  scope: GuestScope,
  { clock, signal }: ReconcileContext,
): Promise<void> {
  const writer = new GuestWriter(scope.options.hostedClient, scope.guest, signal);
  const inputs = await loadInputs(hcp, scope, writer, signal);
  const failures: { group: string; error: unknown }[] = [];
  const ready = new Set<string>();
  for (const group of resourceGroups(() => clock.now())) {
    try {
      const wanted = group.objects(inputs);
      await ensureNamespaces(wanted, inputs, writer, ready);
      failures.push(...(await applyAll(group, wanted, writer)));
    } catch (error) {
      failures.push({ group: group.name, error });
    }
    signal.throwIfAborted();
  }
  if (failures.length > 0) throw new GuestResourcesFailed(failures);
}

async function applyAll(group: ResourceGroup, wanted: readonly GuestObject[], writer: GuestWriter) {
  const results = await Promise.allSettled(wanted.map((object) => writer.apply(object)));
  return results.flatMap((result) =>
    result.status === 'rejected' ? [{ group: group.name, error: result.reason as unknown }] : [],
  );
}

/** Namespaces come with the release; whoever is faster makes them, and nobody waits for the other. */
async function ensureNamespaces(
  wanted: readonly GuestObject[],
  { seen }: GuestInputs,
  writer: GuestWriter,
  ready: Set<string>,
): Promise<void> {
  for (const { manifest, keeping } of wanted) {
    const name = manifest.metadata.namespace;
    if (name === undefined || keeping === 'remove' || ready.has(name)) continue;
    ready.add(name);
    if (!seen(corev1.namespaces, { name }))
      await writer.apply(kept(corev1.namespaces, { name }, {}, { keeping: 'create' }));
  }
}
