import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeDataUrl } from '../spec/data-url.ts';
import { configStruct } from '../spec/schema.ts';
import { shape } from '../spec/shape.ts';
import { parseIgnitionText } from '../spec/parse.ts';
import { aPayloadInputs, aRawConfig } from '../testing/payload-inputs.ts';
import {
  aContainerRuntimeConfig,
  aKubeletConfig,
  aMachineConfigDocument,
  aMirrorSet,
} from '../testing/user-configs.ts';
import type { PayloadInputs } from './payload-inputs.ts';
import { renderPayload } from './render.ts';

const full: Partial<PayloadInputs> = {
  rawConfig: aRawConfig(
    aMachineConfigDocument('50-custom', '/etc/custom.conf', 'a = 1\n'),
    aKubeletConfig('logLevel: 4', 'kubeletConfig: { maxPods: 100, systemReserved: { memory: 2Gi } }'),
    aContainerRuntimeConfig('pidsLimit: 2048, logLevel: debug, overlaySize: 8G'),
    aMirrorSet('quay.io/openshift-release-dev', 'mirror.example.com:5000/ocp'),
  ),
  proxy: { httpProxy: 'http://proxy:3128', httpsProxy: 'http://proxy:3128', noProxy: '.svc' },
  additionalTrustBundle: 'PEM\n',
  image: { registrySources: { insecureRegistries: ['mirror.example.com:5000'], allowedRegistries: ['quay.io'] } },
};

function filesOf(inputs: Partial<PayloadInputs>): Map<string, string> {
  const { config } = parseIgnitionText(renderPayload(aPayloadInputs(inputs)).json);
  return new Map(
    config.storage?.files?.map(({ path, contents }) => [path, decodeDataUrl(contents?.source ?? 'data:,').toString()]),
  );
}
const fileOf = (path: string, ...user: readonly string[]) =>
  filesOf({ rawConfig: aRawConfig(...user) }).get(path) ?? '';
const render = (...user: readonly string[]) => renderPayload(aPayloadInputs({ rawConfig: aRawConfig(...user) }));

describe('renderPayload', () => {
  // Both files were accepted without a warning by config.Parse of github.com/coreos/ignition/v2 v2.24.0.
  it.each([
    ['plain', {}],
    ['full', full],
  ])('When the pool is %s, it should be the bytes that the Ignition validator accepted', (name, inputs) => {
    const { json } = renderPayload(aPayloadInputs(inputs));
    const golden = new URL(`./golden/${name}.ign`, import.meta.url);
    if (process.env['UPDATE_GOLDEN']) writeFileSync(golden, json);
    expect(json).toBe(readFileSync(golden, 'utf8'));
  });

  it('When a payload is rendered, it should hold nothing that Ignition 3.2 does not know', () => {
    const { json } = renderPayload(aPayloadInputs(full));
    const { unknown, errors } = shape(JSON.parse(json) as Record<string, unknown>, configStruct, 2);
    expect([...unknown, ...errors]).toEqual([]);
    expect(json).toContain('"version":"3.2.0"');
  });

  it('When everything is in place, it should bring the worker all it needs to join', () => {
    const files = filesOf({});
    for (const path of [
      '/var/lib/kubelet/config.json',
      '/etc/kubernetes/kubeconfig',
      '/etc/kubernetes/kubelet.conf',
      '/etc/kubernetes/kubelet-ca.crt',
      '/etc/kubernetes/manifests/kube-apiserver-proxy.yaml',
      '/etc/kubernetes/apiserver-proxy-config/haproxy.cfg',
      '/etc/containers/registries.conf',
      '/etc/containers/policy.json',
      '/etc/crio/crio.conf.d/00-default',
      '/etc/machine-config-daemon/node-annotations.json',
      '/etc/ignition-machine-config-encapsulated.json',
    ])
      expect([...files.keys()]).toContain(path);
    const { config } = parseIgnitionText(renderPayload(aPayloadInputs()).json);
    expect(config.systemd?.units?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['kubelet.service', 'apiserver-ip.service']),
    );
    expect(config.passwd?.users).toEqual([
      { name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAAC3Nza admin@example.com'] },
    ]);
  });

  it('When a user overrides a file of the base, the user should win', () => {
    const path = '/etc/sysctl.d/inotify.conf';
    expect(fileOf(path, aMachineConfigDocument('50-mine', path, 'fs.inotify.max_user_watches = 1\n'))).toBe(
      'fs.inotify.max_user_watches = 1\n',
    );
  });

  it('When kernel arguments are asked for in Ignition or beside it, the first boot should apply both', () => {
    const inIgnition = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: { name: 60-kargs }
spec: { config: { ignition: { version: 3.3.0 }, kernelArguments: { shouldExist: [quiet] } } }
`;
    const text = fileOf(
      '/etc/ignition-machine-config-encapsulated.json',
      aMachineConfigDocument('50-x', '/x', ''),
      inIgnition,
    );
    expect(JSON.parse(text)).toMatchObject({
      spec: { kernelArguments: ['nosmt', 'mitigations=auto', 'quiet'], extensions: ['usbguard'] },
    });
  });

  it('When the documents come in another order, it should render the same bytes', () => {
    const [a, b] = [aMachineConfigDocument('51-a', '/a', 'a'), aMachineConfigDocument('52-b', '/b', 'b')];
    expect(render(a, b).json).toBe(render(b, a).json);
  });

  it.each([
    [aKubeletConfig('logLevel: 11'), "KubeletConfig's LogLevel is not valid [0,10]: 11"],
    [
      aKubeletConfig('kubeletConfig: { clusterDNS: [1.1.1.1] }'),
      'clusterDNS is not allowed to be set, but contains: [1.1.1.1]',
    ],
    [
      aKubeletConfig('kubeletConfig: { featureGates: { A: true } }'),
      'featureGates is not allowed to be set, but contains: map[A:true]',
    ],
    [
      aKubeletConfig('kubeletConfig: { failSwapOn: false }'),
      'failSwapOn is not allowed to be set, but contains: false',
    ],
    [
      aKubeletConfig('autoSizingReserved: true', 'kubeletConfig: { systemReserved: { cpu: 1 } }'),
      'cannot be set together',
    ],
    [aContainerRuntimeConfig('pidsLimit: 5'), 'invalid PidsLimit 5'],
    [aContainerRuntimeConfig('logLevel: loud'), 'invalid LogLevel "loud", must be one of'],
    [aContainerRuntimeConfig('logSizeMax: 4k'), 'invalid LogSizeMax "4k", cannot be less than 8kB'],
    [aContainerRuntimeConfig('defaultRuntime: kata'), 'invalid DefaultRuntime "kata", must be one of crun, runc'],
    [aMirrorSet('quay.io/UPPER', 'a.b'), 'invalid source "quay.io/UPPER"'],
    [aMirrorSet('quay.io/a', 'http://x'), 'invalid mirror "http://x"'],
  ])('When the config holds %s, it should be refused in the words of the operator', (document, message) => {
    expect(() => render(document)).toThrow(message);
  });

  it('When there are two KubeletConfigs, it should ask for one', () => {
    expect(() => render(aKubeletConfig('logLevel: 1'), aKubeletConfig('logLevel: 2'))).toThrow(
      'only one KubeletConfig',
    );
  });

  it('When a KubeletConfig reserves CPUs, it should stop enforcing the share of the system', () => {
    const text = fileOf(
      '/etc/kubernetes/kubelet.conf',
      aKubeletConfig('kubeletConfig: { reservedSystemCPUs: 0-1, evictionHard: { a: b } }'),
    );
    expect(text).toContain('enforceNodeAllocatable:\n- pods\nevictionHard:\n  a: b\n');
    expect(text).not.toContain('systemReservedCgroup');
  });

  it('When the cluster has a modern TLS profile, the kubelet should follow', () => {
    const text = filesOf({ tlsSecurityProfile: { type: 'Modern', modern: {} } }).get('/etc/kubernetes/kubelet.conf');
    expect(text).toContain('tlsMinVersion: VersionTLS13');
    expect(text).not.toContain('ECDHE');
  });

  it('When an image policy demands signatures, it should reach policy and registries', () => {
    const policy = `apiVersion: config.openshift.io/v1
kind: ClusterImagePolicy
metadata: { name: signed }
spec:
  scopes: [registry.example.com/app]
  policy: { rootOfTrust: { policyType: PublicKey, publicKey: { keyData: S0VZ } } }
`;
    const files = filesOf({ rawConfig: aRawConfig(policy) });
    expect(JSON.parse(files.get('/etc/containers/policy.json') ?? '')).toMatchObject({
      transports: {
        docker: {
          'registry.example.com/app': [
            { type: 'sigstoreSigned', keyData: 'S0VZ', signedIdentity: { type: 'matchRepoDigestOrExact' } },
          ],
        },
      },
    });
    expect(files.get('/etc/containers/registries.d/sigstore-registries.yaml')).toContain('registry.example.com/app');
  });
});
