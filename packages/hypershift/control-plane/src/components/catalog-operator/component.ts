import { olmApis, olmOperator } from '../olm-operator/olm.ts';

/** Resolves what users subscribed to and installs it. */
export const catalogOperator = olmOperator('catalog-operator', {
  memory: '80Mi',
  clientVolume: 'profile-collector',
  requiredApis: olmApis.slice(0, 1),
  command: '/bin/catalog',
  args: ({ images }) => [
    '--namespace',
    'openshift-marketplace',
    `--configmapServerImage=${images.get('operator-registry')}`,
    `--opmImage=${images.get('operator-registry')}`,
    '--util-image',
    images.get('operator-lifecycle-manager'),
    '--writeStatusName',
    'operator-lifecycle-manager-catalog',
    '--kubeconfig',
    '/etc/openshift/kubeconfig/kubeconfig',
  ],
});
