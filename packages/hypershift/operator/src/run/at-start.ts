import { supportedVersionsConfigMap } from '@hypershift-ts/hypershift-release';
import { admissionregistrationv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { createOrUpdate } from '@hypershift-ts/kube-controller';
import type { ManagementCapabilities } from '../capabilities/index.ts';
import { admissionPolicies } from './admission-policies.ts';

const { validatingadmissionpolicies, validatingadmissionpolicybindings } = admissionregistrationv1;

/** Admission policies of our kinds, where the management cluster has such policies. */
export async function ensureAdmissionPolicies(
  client: Client,
  capabilities: ManagementCapabilities,
  signal: AbortSignal,
): Promise<void> {
  if (!capabilities.serves(validatingadmissionpolicies)) return;
  for (const [policy, binding] of admissionPolicies) {
    const key = { name: policy.metadata.name ?? '' };
    await createOrUpdate(client, validatingadmissionpolicies, key, policy, { signal });
    await createOrUpdate(client, validatingadmissionpolicybindings, key, binding, { signal });
  }
}

/** Tells clients which releases this operator can run. */
export async function advertiseVersions(
  client: Client,
  namespace: string,
  version: string,
  signal: AbortSignal,
): Promise<void> {
  const wanted = supportedVersionsConfigMap(namespace, version);
  await createOrUpdate(client, corev1.configmaps, { namespace, name: wanted.metadata.name }, wanted, { signal });
}
