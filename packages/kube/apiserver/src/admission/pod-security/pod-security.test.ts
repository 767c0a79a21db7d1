import { describe, expect, it } from 'vitest';
import type { Draft } from '../../kinds/behaviour.ts';
import { admit, aLookup, aPod, aRequest } from '../testing/requests.ts';
import { violationsOf } from './evaluate.ts';
import { podSecurity } from './index.ts';
import type { Level } from './levels.ts';

const latest = (level: Level) => ({ level, version: 'latest' });

const good: Draft = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    {
      name: 'main',
      image: 'x',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    },
  ],
};
const withContext = (securityContext: Draft): Draft => ({
  containers: [{ name: 'main', image: 'x', securityContext }],
});

describe('Pod security levels', () => {
  it('When a pod says nothing about security, it should meet baseline and break restricted in upstream words', () => {
    const { spec } = aPod() as { spec: Draft };
    expect(violationsOf(latest('baseline'), {}, spec)).toBeUndefined();
    expect(violationsOf(latest('restricted'), {}, spec)).toBe(
      'allowPrivilegeEscalation != false (container "main" must set securityContext.allowPrivilegeEscalation=false), ' +
        'unrestricted capabilities (container "main" must set securityContext.capabilities.drop=["ALL"]), ' +
        'runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true), ' +
        'seccompProfile (pod or container "main" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    );
    expect(violationsOf(latest('restricted'), {}, good)).toBeUndefined();
  });

  it.each<[Draft, string]>([
    [{ hostNetwork: true, hostPID: true }, 'host namespaces (hostNetwork=true, hostPID=true)'],
    [
      {
        volumes: [
          { name: 'proc', hostPath: {} },
          { name: 'sys', hostPath: {} },
        ],
      },
      'hostPath volumes (volumes "proc", "sys")',
    ],
    [{ containers: [{ name: 'a', ports: [{ hostPort: 80 }] }] }, 'hostPort (container "a" uses hostPort 80)'],
    [
      {
        containers: [
          { name: 'a', ports: [{ hostPort: 80 }] },
          { name: 'b', ports: [{ hostPort: 81 }] },
        ],
      },
      'hostPort (containers "a", "b" use hostPorts 80, 81)',
    ],
    [withContext({ privileged: true }), 'privileged (container "main" must not set securityContext.privileged=true)'],
    [
      withContext({ capabilities: { add: ['NET_ADMIN', 'CHOWN'] } }),
      'non-default capabilities (container "main" must not include "NET_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      withContext({ procMount: 'Unmasked' }),
      'procMount (container "main" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      withContext({ seLinuxOptions: { type: 'spc_t', user: 'u' } }),
      'seLinuxOptions (container "main" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
    ],
    [
      { securityContext: { sysctls: [{ name: 'kernel.msgmax' }, { name: 'net.ipv4.tcp_syncookies' }] } },
      'forbidden sysctls (kernel.msgmax)',
    ],
    [
      { securityContext: { seccompProfile: { type: 'Unconfined' } } },
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      { securityContext: { windowsOptions: { hostProcess: true } } },
      'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
    ],
  ])('When a pod breaks baseline (%#), it should say how', (spec, expected) => {
    expect(violationsOf(latest('baseline'), {}, spec)).toBe(expected);
  });

  it.each<[Draft, string]>([
    [
      { ...good, volumes: [{ name: 'v', hostPath: {} }] },
      'restricted volume types (volume "v" uses restricted volume type "hostPath")',
    ],
    [
      { ...good, securityContext: { ...good['securityContext'], runAsUser: 0 } },
      'runAsUser=0 (pod must not set runAsUser=0)',
    ],
    [
      { ...good, securityContext: { ...good['securityContext'], runAsNonRoot: false } },
      'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
    ],
  ])('When a pod breaks restricted (%#), it should say how', (spec, expected) => {
    expect(violationsOf(latest('restricted'), {}, spec)).toBe(expected);
  });
});

describe('Pod security versions', () => {
  const probing = { containers: [{ name: 'a', livenessProbe: { httpGet: { host: '169.254.169.254' } } }] };

  it('When a version is older than a check, it should not know the check', () => {
    expect(violationsOf(latest('baseline'), {}, probing)).toContain('probe or lifecycle host');
    expect(violationsOf({ level: 'baseline', version: 'v1.33' }, {}, probing)).toBeUndefined();
    expect(violationsOf({ level: 'restricted', version: 'v1.7' }, {}, aPod()['spec'])).toBe(
      'runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true)',
    );
  });
});

describe('PodSecurity admission', () => {
  const namespace = (labels: Draft): Draft => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default', labels },
  });
  const level = (mode: string, value: string) => ({ [`pod-security.kubernetes.io/${mode}`]: value });
  const bad = aPod({ hostNetwork: true });

  it('When the namespace enforces a level, it should refuse pods below it', async () => {
    await expect(
      admit(podSecurity(aLookup(namespace(level('enforce', 'baseline')))), aRequest({ object: bad })),
    ).rejects.toThrow(
      'pods "web" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    );
  });

  it('When the namespace only warns, it should warn about pods and about templates', async () => {
    const plugin = podSecurity(aLookup(namespace({ ...level('warn', 'baseline'), ...level('warn-version', 'v1.30') })));
    const expected = ['would violate PodSecurity "baseline:v1.30": host namespaces (hostNetwork=true)'];
    expect((await admit(plugin, aRequest({ object: bad }))).warnings).toEqual(expected);
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: { template: { metadata: {}, spec: bad['spec'] } },
    };
    expect((await admit(plugin, aRequest({ object: deployment }))).warnings).toEqual(expected);
  });

  it('When a pod changes only its image, it should not be judged again', async () => {
    const plugin = podSecurity(aLookup(namespace(level('enforce', 'baseline'))));
    const object = { ...bad, spec: { ...bad['spec'], containers: [{ name: 'main', image: 'other' }] } };
    await expect(admit(plugin, aRequest({ object, old: bad }))).resolves.toBeDefined();
  });

  it('When a namespace gets a level nobody knows, it should be refused', async () => {
    await expect(
      admit(podSecurity(aLookup()), aRequest({ object: namespace(level('enforce', 'strict')) })),
    ).rejects.toThrow(
      'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
    );
  });

  it('When a level is raised above running pods, it should warn about them', async () => {
    const { warnings } = await admit(
      podSecurity(aLookup(bad, aPod({ hostNetwork: true }, { name: 'xyz' }))),
      aRequest({ object: namespace(level('enforce', 'baseline')), old: namespace({}) }),
    );
    expect(warnings).toEqual([
      'existing pods in namespace "default" violate the new PodSecurity enforce level "baseline:latest"',
      'web (and 1 other pod): host namespaces',
    ]);
  });
});
