import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { bcrypt } from '../bcrypt/bcrypt.ts';
import { kept, removed } from '../guest/guest-object.ts';
import { base64, isOAuthEnabled, textOf } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

const key = { namespace: 'kube-system', name: 'kubeadmin' };
/** Which version of the password the hash is of; a hash cannot be compared with another one. */
const sourceMark = 'hypershift-ts.io/kubeadmin-password-version';

/** The hash by which the OAuth server knows the first administrator. The password itself never gets here. */
export const kubeadmin: ResourceGroup = {
  name: 'kubeadmin',
  objects({ hcp, secret, seen, randomBytes }) {
    const source = isOAuthEnabled(hcp) ? secret('kubeadmin-password') : undefined;
    const password = textOf(source, 'password');
    if (password === undefined) return [removed(corev1.secrets, key)];
    const version = `${source?.metadata.uid}.${source?.metadata.resourceVersion}`;
    const live = seen(corev1.secrets, key);
    const isCurrent = live?.metadata.annotations?.[sourceMark] === version && live.data?.['kubeadmin'] !== undefined;
    const hash = isCurrent ? live.data?.['kubeadmin'] : base64(bcrypt(password, randomBytes(16)));
    return [
      kept(
        corev1.secrets,
        key,
        { type: 'Opaque', data: { kubeadmin: hash } },
        { annotations: { [sourceMark]: version } },
      ),
    ];
  },
};
