import { componentImage } from '@hypershift-ts/hypershift-release';
import { corev1, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, matching } from '@hypershift-ts/kube-controller';
import { controlPlaneKey, controlPlaneOf } from '../control-plane.ts';
import { GuestWriter } from '../guest/apply.ts';
import type { GuestScope } from '../options.ts';
import { textOf } from '../resources/facts.ts';
import { additionalPullSecret, pullSecretObjects } from './objects.ts';

const dockerConfig = '.dockerconfigjson';

/** Brings a pull secret that users add inside their cluster to the kubelets of its nodes, without new machines. */
export function globalPullSecretController(scope: GuestScope): Controller {
  const { guest, management, options } = scope;
  const { namespace, hostedClient, releases } = options;
  const additionalScope = {
    namespace: additionalPullSecret.namespace,
    fieldSelector: `metadata.name=${additionalPullSecret.name}`,
  };
  const map = () => [controlPlaneKey(scope)];
  return controller<corev1.Secret, [corev1.Secret]>({
    name: 'globalps',
    for: {
      type: corev1.secrets,
      namespace,
      predicate: matching<KubeObject>(({ metadata }) => metadata.name === 'pull-secret'),
    },
    watches: [{ type: corev1.secrets, cache: guest, ...additionalScope, map }],
    async reconcile(_key, { signal }) {
      const hcp = controlPlaneOf(scope);
      const original = textOf(
        management.get(corev1.secrets, { namespace, name: 'pull-secret' }, { namespace }),
        dockerConfig,
      );
      if (!hcp || hcp.metadata.deletionTimestamp || original === undefined) return;
      const release = await releases.lookup(hcp.spec.releaseImage, { pullSecret: original, signal });
      const image = options.image ?? componentImage(release, 'hypershift');
      const additional = textOf(guest.get(corev1.secrets, additionalPullSecret, additionalScope), dockerConfig);
      const writer = new GuestWriter(hostedClient, guest, signal);
      for (const object of pullSecretObjects(original, additional, image)) await writer.apply(object);
    },
  });
}
