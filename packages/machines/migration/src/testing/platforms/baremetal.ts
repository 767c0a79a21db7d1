import type { Random } from '../random.ts';
import { factsWith, never, type PlatformCase } from './platform-case.ts';

const selector = (random: Random) => ({
  matchLabels: random.map(),
  matchExpressions: random.some(() => ({ key: random.word(), operator: 'in', values: [random.word()] })),
});
const image = (random: Random) => ({ url: `https://${random.word()}`, checksum: random.word() });

export const baremetal: PlatformCase = {
  name: 'BareMetal',
  facts: factsWith('Metal3Cluster', {}),
  failureDomains: [],
  providerSpec: {
    base: {
      apiVersion: 'baremetal.cluster.k8s.io/v1alpha1',
      kind: 'BareMetalMachineProviderSpec',
      image: { url: 'https://images.example.com/rhcos', checksum: 'abc' },
    },
    hints: {
      apiVersion: () => 'baremetal.cluster.k8s.io/v1alpha1',
      kind: () => 'BareMetalMachineProviderSpec',
      metadata: never,
      image,
      customDeploy: (random) => random.pick([{}, { method: 'install_coreos' }]),
      userData: (random) => ({ name: random.word() }),
      hostSelector: selector,
    },
  },
  infraSpec: {
    base: {
      image: { url: 'https://images.example.com/rhcos', checksum: 'abc' },
      userData: { name: 'worker-user-data', namespace: 'openshift-cluster-api' },
    },
    hints: {
      providerID: never,
      image,
      customDeploy: () => ({ method: 'install_coreos' }),
      userData: never,
      hostSelector: selector,
      dataTemplate: never,
      metaData: never,
      networkData: never,
      automatedCleaningMode: never,
    },
  },
};
