import { randomInt } from 'node:crypto';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import { isOAuthEnabled } from '../../framework/cluster-facts.ts';
import type { Pass } from '../pass.ts';
import { ensureGone, ensureOwned } from './ensure.ts';
import { unlessSettled } from './settled-step.ts';

export const kubeadminPasswordSecret = 'kubeadmin-password';

/** Without characters that are taken for one another. */
const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ23456789';

/** Whether users log in as the owner configured; then nobody needs the first administrator's password. */
export function hasOwnOAuth({ hcp }: Pick<Pass, 'hcp'>): boolean {
  return hcp.spec.configuration?.oauth !== undefined;
}

/** The first administrator's password; made once, removed when the owner brings identity providers. */
export const kubeadminPassword: Step<Pass> = {
  name: 'kubeadmin-password',
  kind: 'best-effort',
  async run(pass) {
    if (!isOAuthEnabled(pass)) return done();
    if (hasOwnOAuth(pass)) {
      await ensureGone(pass, corev1.secrets, kubeadminPasswordSecret);
      return done();
    }
    await unlessSettled(pass, 'kubeadmin-password', async (seen) => ({ result: await write(seen) }));
    return done();
  },
};

async function write(pass: Pass): Promise<void> {
  const known = pass.lookup.get(corev1.secrets, kubeadminPasswordSecret)?.data?.['password'];
  const password = known || Buffer.from(newPassword()).toString('base64');
  await ensureOwned(pass, corev1.secrets, {
    name: kubeadminPasswordSecret,
    body: { type: 'Opaque', data: { password } },
  });
}

/** Four groups of five characters. */
export function newPassword(pick: (below: number) => number = randomInt): string {
  const group = () => Array.from({ length: 5 }, () => alphabet[pick(alphabet.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}
