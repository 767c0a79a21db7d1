import { describe, expect, it } from 'vitest';
import { aRawConfig } from '../testing/payload-inputs.ts';
import {
  aContainerRuntimeConfig,
  aKubeletConfig,
  aMachineConfigDocument,
  aMirrorSet,
} from '../testing/user-configs.ts';
import { configProblems } from './config-problems.ts';

const linkAt = (path: string) => `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: { name: 70-link }
spec: { config: { ignition: { version: 3.2.0 }, storage: { links: [{ path: ${path}, target: /t }] } } }
`;

describe('configProblems', () => {
  it('When the documents are fine, it should find nothing', () => {
    expect(
      configProblems(aRawConfig(aMachineConfigDocument('50-x', '/etc/x', 'x'), aKubeletConfig('logLevel: 3'))),
    ).toEqual([]);
  });

  it('When several documents are wrong, it should name each of them at once', () => {
    const problems = configProblems(
      aRawConfig(
        aMachineConfigDocument('50-relative', 'etc/x', 'x'),
        aKubeletConfig('kubeletConfig: { cgroupDriver: cgroupfs }'),
        aContainerRuntimeConfig('pidsLimit: 1'),
        aMirrorSet('BAD/', 'x'),
      ),
    );
    expect(problems).toHaveLength(4);
    expect(problems[0]).toContain('MachineConfig 50-relative: ');
  });

  it('When documents are fine alone but not together, it should say so', () => {
    const [problem] = configProblems(aRawConfig(aMachineConfigDocument('50-x', '/l/x', 'x'), linkAt('/l')));
    expect(problem).toContain('file path includes link in config');
  });
});
