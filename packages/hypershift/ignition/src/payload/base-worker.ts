import type { MachineConfig } from '../machine-config/machine-config.ts';
import type { IgnitionFile, IgnitionUnit } from '../spec/ignition-config.ts';
import { fileOf, generatedMachineConfig, lines } from './files.ts';
import type { PayloadInputs } from './payload-inputs.ts';

/** `00-worker`: what every worker has, whatever runs on it. */
export function baseWorker(inputs: PayloadInputs): MachineConfig {
  return generatedMachineConfig('00-worker', { files: files(inputs), units: units(inputs) });
}

function files(inputs: PayloadInputs): IgnitionFile[] {
  return [
    fileOf('/var/lib/kubelet/config.json', `${inputs.pullSecret.trimEnd()}\n`, 0o600),
    fileOf('/etc/pki/ca-trust/source/anchors/openshift-config-user-ca-bundle.crt', inputs.additionalTrustBundle, 0o600),
    fileOf('/etc/mco/proxy.env', proxyEnvironment(inputs)),
    fileOf('/etc/sysctl.d/arp.conf', lines('net.ipv4.conf.all.arp_announce = 2')),
    fileOf('/etc/sysctl.d/gc-thresh.conf', neighbourThresholds),
    fileOf(
      '/etc/sysctl.d/inotify.conf',
      lines('fs.inotify.max_user_watches = 65536', 'fs.inotify.max_user_instances = 8192'),
    ),
    fileOf('/etc/sysctl.d/enable-userfaultfd.conf', lines('vm.unprivileged_userfaultfd = 1')),
    fileOf('/etc/sysctl.d/vm-max-map.conf', lines('vm.max_map_count = 262144')),
    fileOf('/etc/modules-load.d/iptables.conf', lines('ip_tables')),
    fileOf('/etc/systemd/system.conf.d/kubelet-cgroups.conf', accounting),
    fileOf('/etc/kubernetes/kubelet-plugins/volume/exec/.dummy', '', 0o755),
  ];
}

const accounting = lines(
  '[Manager]',
  'DefaultCPUAccounting=yes',
  'DefaultMemoryAccounting=yes',
  'DefaultBlockIOAccounting=yes',
);

const neighbourThresholds = lines(
  ...['ipv4', 'ipv6'].flatMap((family) => [
    `net.${family}.neigh.default.gc_thresh1=8192`,
    `net.${family}.neigh.default.gc_thresh2=32768`,
    `net.${family}.neigh.default.gc_thresh3=65536`,
  ]),
);

function proxyEnvironment({ proxy }: PayloadInputs): string {
  const set = [
    ['HTTP_PROXY', proxy.httpProxy],
    ['HTTPS_PROXY', proxy.httpsProxy],
    ['NO_PROXY', proxy.noProxy],
  ].flatMap(([name, value]) => (value ? [`${name}=${value}`] : []));
  return set.length === 0 ? '' : lines(...set);
}

function units(inputs: PayloadInputs): IgnitionUnit[] {
  const disabled = { name: 'mco-disabled.conf', contents: lines('[Unit]', 'ConditionPathExists=/enoent') };
  return [
    { name: 'kubelet-dependencies.target', contents: kubeletDependencies },
    { name: 'crio.service', dropins: [ordering, ...serviceDropins(inputs)] },
    { name: 'kubelet.service', dropins: serviceDropins(inputs) },
    // Updates come from the pool, never from the machine itself.
    { name: 'zincati.service', dropins: [disabled] },
    { name: 'docker.socket', dropins: [disabled] },
    { name: 'machine-config-daemon-pull.service', enabled: true, contents: pullUnit(inputs) },
    { name: 'machine-config-daemon-firstboot.service', enabled: true, contents: firstBootUnit },
  ];
}

function serviceDropins({ proxy }: PayloadInputs): NonNullable<IgnitionUnit['dropins']> {
  const proxied = proxy.httpProxy || proxy.httpsProxy;
  return [
    ...(proxied
      ? [{ name: '10-mco-default-env.conf', contents: lines('[Service]', 'EnvironmentFile=/etc/mco/proxy.env') }]
      : []),
    {
      name: '10-mco-default-madv.conf',
      contents: lines('[Service]', 'Environment="GODEBUG=x509ignoreCN=0,madvdontneed=1"'),
    },
  ];
}

const ordering = {
  name: '05-mco-ordering.conf',
  contents: lines('[Unit]', 'After=kubelet-dependencies.target', 'Requires=kubelet-dependencies.target'),
};

const kubeletDependencies = lines(
  '[Unit]',
  'Description=What the kubelet needs before it starts',
  'Requires=basic.target network-online.target',
  'Wants=NetworkManager-wait-online.service crio-wipe.service',
  'Wants=rpc-statd.service',
);

const encapsulated = '/etc/ignition-machine-config-encapsulated.json';

function pullUnit({ images, proxy }: PayloadInputs): string {
  return lines(
    '[Unit]',
    'Description=Fetch the machine-config-daemon of the release',
    `ConditionPathExists=${encapsulated}`,
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    ...(proxy.httpProxy || proxy.httpsProxy ? ['EnvironmentFile=/etc/mco/proxy.env'] : []),
    'ExecStartPre=/bin/mkdir --parents /run/bin',
    `ExecStart=/usr/bin/podman run --rm --quiet --net=host --authfile=/var/lib/kubelet/config.json --entrypoint=cp -v /run/bin:/host/run/bin:z ${images.machineConfigOperatorImage} /usr/bin/machine-config-daemon /host/run/bin`,
    'Restart=on-failure',
    '',
    '[Install]',
    'RequiredBy=machine-config-daemon-firstboot.service',
  );
}

const firstBootUnit = lines(
  '[Unit]',
  'Description=Apply kernel arguments, extensions and the OS image of the release',
  `ConditionPathExists=${encapsulated}`,
  'Requires=machine-config-daemon-pull.service',
  'After=machine-config-daemon-pull.service',
  'Before=kubelet.service',
  '',
  '[Service]',
  'Type=oneshot',
  'RemainAfterExit=yes',
  'ExecStart=/run/bin/machine-config-daemon firstboot-complete-machineconfig',
  '',
  '[Install]',
  'RequiredBy=kubelet.service',
);
