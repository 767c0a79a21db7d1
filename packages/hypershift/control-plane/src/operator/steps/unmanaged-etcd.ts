import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, type Step } from '@hypershift-ts/kube-controller';
import type { Pass } from '../pass.ts';
import { ensureOwned } from './ensure.ts';

const parts = ['etcd-client.crt', 'etcd-client.key', 'etcd-client-ca.crt'] as const;

/** Where etcd is brought along, its client certificate goes where components look for one. */
export const unmanagedEtcd: Step<Pass> = {
  name: 'unmanaged-etcd',
  kind: 'critical',
  async run(pass) {
    const { etcd } = pass.hcp.spec;
    if (etcd.managementType !== 'Unmanaged') return done();
    const name = etcd.unmanaged?.tls?.clientSecret?.name ?? '';
    const source = pass.lookup.get(corev1.secrets, name);
    const missing = parts.filter((key) => !source?.data?.[key]);
    if (!source) throw new Error(`Secret ${name} of spec.etcd.unmanaged.tls.clientSecret does not exist`);
    if (missing.length > 0) {
      throw new Error(`Secret ${name} of spec.etcd.unmanaged.tls.clientSecret lacks ${missing.join(', ')}`);
    }
    const [certificate, key, authority] = parts.map((part) => source.data?.[part] ?? '');
    await ensureOwned(pass, corev1.secrets, {
      name: 'etcd-client-tls',
      body: { type: 'Opaque', data: { 'etcd-client.crt': certificate, 'etcd-client.key': key } },
    });
    const bundle = Buffer.from(authority ?? '', 'base64').toString('utf8');
    await ensureOwned(pass, corev1.configmaps, { name: 'etcd-ca', body: { data: { 'ca.crt': bundle } } });
    return done();
  },
};
