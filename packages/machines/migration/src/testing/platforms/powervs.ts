import type { Random } from '../random.ts';
import { factsWith, never, type PlatformCase } from './platform-case.ts';

const oldResource = (random: Random) =>
  random.pick([
    { type: 'ID', id: random.word() },
    { type: 'Name', name: random.word() },
    { type: 'RegEx', regex: `^${random.word()}<&>` },
  ]);
const newResource = (random: Random) => random.pick([{ id: random.word() }, { name: random.word() }, { regex: '^a' }]);

export const powervs: PlatformCase = {
  name: 'PowerVS',
  facts: factsWith('IBMPowerVSCluster', {}),
  failureDomains: [],
  providerSpec: {
    base: {
      apiVersion: 'machine.openshift.io/v1',
      kind: 'PowerVSMachineProviderConfig',
      serviceInstance: { type: 'ID', id: 'service' },
      image: { type: 'Name', name: 'rhcos' },
      network: { type: 'RegEx', regex: '^DHCP' },
      keyPairName: 'key',
      processors: '0.5',
    },
    hints: {
      apiVersion: () => 'machine.openshift.io/v1',
      kind: () => 'PowerVSMachineProviderConfig',
      metadata: never,
      userDataSecret: (random) => ({ name: random.word() }),
      credentialsSecret: never,
      serviceInstance: oldResource,
      image: oldResource,
      network: oldResource,
      processors: (random) => random.pick([1, '0.25']),
      loadBalancers: never,
    },
  },
  infraSpec: {
    base: {
      serviceInstanceID: '',
      serviceInstance: { id: 'service' },
      image: { name: 'rhcos' },
      network: { regex: '^DHCP' },
      processors: '0.5',
    },
    hints: {
      serviceInstanceID: () => '',
      serviceInstance: newResource,
      image: newResource,
      imageRef: never,
      network: newResource,
      processors: (random) => random.pick([1, '0.25']),
      providerID: never,
    },
  },
};
