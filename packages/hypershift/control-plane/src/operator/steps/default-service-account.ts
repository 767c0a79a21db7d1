import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import type { Pass } from '../pass.ts';

const pullSecret = 'pull-secret';

/** Pods without a service account of their own pull images with the cluster's pull secret too. */
export const defaultServiceAccount: Step<Pass> = {
  name: 'default-service-account',
  kind: 'best-effort',
  async run({ client, lookup, namespace, signal }) {
    const live = lookup.get(corev1.serviceaccounts, 'default');
    if (live?.imagePullSecrets?.some(({ name }) => name === pullSecret)) return done();
    const imagePullSecrets = [...(live?.imagePullSecrets ?? []), { name: pullSecret }];
    if (live) await client.update(corev1.serviceaccounts, { ...live, imagePullSecrets }, { signal });
    else {
      const metadata = { name: 'default', namespace };
      await client.create(corev1.serviceaccounts, { metadata, imagePullSecrets }, { signal });
    }
    return done();
  },
};
