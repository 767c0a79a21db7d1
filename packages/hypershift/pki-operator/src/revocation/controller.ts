import type { CertificateRevocationRequest } from '@hypershift-ts/hypershift-api';
import { certificateRevocationRequests } from '@hypershift-ts/hypershift-api';
import { totalClientCa } from '@hypershift-ts/hypershift-control-plane-pki';
import { corev1, isAlreadyExists } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, ReconcileContext } from '@hypershift-ts/kube-controller';
import { controller, matching, ownerReference, patchStatus } from '@hypershift-ts/kube-controller';
import { certificatePem, issue } from '@hypershift-ts/kube-pki';
import { authorityOf, bundleKey } from '../pem-objects.ts';
import type { KasProber } from '../prober.ts';
import { forceRegeneration, rotationAnnotation } from '../rotation/verdict.ts';
import type { SignerClass } from '../signer-class.ts';
import { commonNamePrefix, isSignerClass, isSignerObject, signerObjects } from '../signer-class.ts';
import type { RevocationStep, RevocationView } from './step.ts';
import { nextRevocationStep } from './step.ts';
import { previousSignerName, revocationView } from './view.ts';

export interface RevocationOptions {
  readonly namespace: string;
  readonly prober: KasProber;
  /** How long to wait before looking again at what no watch tells; 10 s when absent. */
  readonly pollMs?: number;
}

/** Works through CertificateRevocationRequests, one step at a time; every step is safe to repeat. */
export function revocationController(options: RevocationOptions): Controller {
  const { namespace, pollMs = 10_000 } = options;
  const scope = { namespace };
  const all = (cache: InformerCache) =>
    cache
      .list(certificateRevocationRequests, namespace, scope)
      .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
  return controller<CertificateRevocationRequest, [corev1.Secret, corev1.ConfigMap]>({
    name: 'break-glass-revocation',
    for: { type: certificateRevocationRequests, namespace },
    watches: [
      {
        type: corev1.secrets,
        namespace,
        predicate: matching(
          ({ metadata }) =>
            isSignerObject(metadata.name) ||
            (metadata.ownerReferences?.some(({ kind }) => kind === 'CertificateRevocationRequest') ?? false),
        ),
        map: (_secret, { cache }) => all(cache),
      },
      {
        type: corev1.configmaps,
        namespace,
        predicate: matching(({ metadata: { name } }) => name === totalClientCa.configMap || isSignerObject(name)),
        map: (_configMap, { cache }) => all(cache),
      },
    ],
    async reconcile(key, context) {
      const request = context.cache.get(certificateRevocationRequests, key, scope);
      if (!request || request.metadata.deletionTimestamp) return undefined;
      const view = revocationView(request, context.cache, context.clock.now());
      let step = nextRevocationStep(view);
      if (step.do === 'probe') {
        step = nextRevocationStep({ ...view, answers: await ask(view, options.prober, context) });
      }
      if (step.do === 'nothing') return undefined;
      await take(step, view, context);
      // A watch brings back what this step changed; the poll is for what happens inside API servers.
      return { requeueAfterMs: pollMs };
    },
  });
}

/** Shows every API server a fresh client certificate of the new signer and one of the previous. */
async function ask(
  view: RevocationView,
  prober: KasProber,
  { cache, clock, signal }: ReconcileContext,
): Promise<NonNullable<RevocationView['answers']>> {
  const { namespace, request, previous } = view;
  const signerClass = request.spec.signerClass as SignerClass;
  const by = async (name: string) => {
    const authority = authorityOf(cache.get(corev1.secrets, { namespace, name }, { namespace }));
    if (!authority) return [];
    // The user has no groups: the certificate proves trust and gives no rights.
    const subject = { commonName: `${commonNamePrefix(signerClass)}revocation-probe` };
    const credentials = await issue(authority, { role: 'client', subject, now: clock.now(), validFor: 5 * 60_000 });
    return prober(credentials, signal);
  };
  const [current, old] = await Promise.all([by(signerObjects(signerClass).signer), by(previous.name)]);
  return { current, previous: old };
}

async function take(step: RevocationStep, view: RevocationView, context: ReconcileContext): Promise<void> {
  const { namespace, request } = view;
  const { client, clock, events, signal, cache } = context;
  // Only reports are made about a class nobody knows.
  const { signer = '', bundle = '' } = isSignerClass(request.spec.signerClass)
    ? signerObjects(request.spec.signerClass)
    : {};
  switch (step.do) {
    case 'copy-signer':
      await copySigner(signer, view, context);
      return;
    case 'regenerate': {
      const live = cache.get(corev1.secrets, { namespace, name: step.secret }, { namespace });
      if (live?.metadata.annotations?.[rotationAnnotation.notAfter] === forceRegeneration) return;
      const body = { metadata: { annotations: { [rotationAnnotation.notAfter]: forceRegeneration } } };
      await client.patch(corev1.secrets, { namespace, name: step.secret }, { type: 'merge', body }, { signal });
      events.normal(
        request,
        'CertificateRevocationProgressing',
        `Marking ${namespace}/${step.secret} for regeneration.`,
      );
      return;
    }
    case 'prune': {
      const live = cache.get(corev1.configmaps, { namespace, name: bundle }, { namespace });
      if (!live) return;
      const data = { ...live.data, [bundleKey]: step.keep.map(certificatePem).join('') };
      await client.update(corev1.configmaps, { ...live, data }, { signal });
      return;
    }
    case 'report':
      await patchStatus(
        client,
        certificateRevocationRequests,
        request,
        { ...(step.status ? { status: step.status } : {}), conditions: step.conditions },
        { clock, signal },
      );
      events.normal(request, 'CertificateRevocationProgressing', step.event);
      return;
    case 'probe':
    case 'wait':
    case 'nothing':
      return;
    default:
      step satisfies never;
  }
}

async function copySigner(
  signer: string,
  view: RevocationView,
  { client, cache, signal }: ReconcileContext,
): Promise<void> {
  const { namespace, request } = view;
  const live = cache.get(corev1.secrets, { namespace, name: signer }, { namespace });
  if (!live?.data) return;
  const copy = {
    metadata: {
      namespace,
      name: previousSignerName(request.metadata.name ?? ''),
      ownerReferences: [ownerReference(certificateRevocationRequests, request)],
    },
    type: 'kubernetes.io/tls',
    data: live.data,
  };
  try {
    await client.create(corev1.secrets, copy, { signal });
  } catch (error) {
    // The copy that is there was made first and holds the signer that was current then.
    if (!isAlreadyExists(error)) throw error;
  }
}
