import type { Draft } from '../../kinds/behaviour.ts';
import { about, type Check, containersText, namesWhere, plural, quoted, securityOf, violation } from './check.ts';

const defaultCapabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const safeSysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
]);

const seLinuxTypes = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

const addedTo = (container: Draft): readonly string[] => securityOf(container)['capabilities']?.add ?? [];

const appArmor: Check = {
  id: 'appArmorProfile',
  run(pod) {
    const details: string[] = [];
    const type = securityOf(pod.spec)['appArmorProfile']?.type;
    if (type === 'Unconfined') details.push(`pod must not set AppArmor profile type to ${quoted([type])}`);
    const names = namesWhere(pod, (container) => securityOf(container)['appArmorProfile']?.type === 'Unconfined');
    details.push(...about(names, 'must not set AppArmor profile type to "Unconfined"'));
    const annotations = Object.entries((pod.metadata['annotations'] ?? {}) as Record<string, string>)
      .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowedProfile(value))
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .sort();
    if (annotations.length > 0)
      details.push(`${plural('annotation', 'annotations', annotations.length)} ${annotations.join(', ')}`);
    return violation(plural('forbidden AppArmor profile', 'forbidden AppArmor profiles', details.length), details);
  },
};

function isAllowedProfile(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

const capabilities: Check = {
  id: 'capabilities_baseline',
  run(pod) {
    const forbidden = (container: Draft): string[] => addedTo(container).filter((one) => !defaultCapabilities.has(one));
    const names = namesWhere(pod, (container) => forbidden(container).length > 0);
    const added = [...new Set(pod.containers.flatMap(forbidden))].sort();
    return violation(
      'non-default capabilities',
      about(names, `must not include ${quoted(added)} in securityContext.capabilities.add`),
    );
  },
};

const hostNamespaces: Check = {
  id: 'hostNamespaces',
  run: ({ spec }) =>
    violation(
      'host namespaces',
      ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true).map((field) => `${field}=true`),
    ),
};

const hostPathVolumes: Check = {
  id: 'hostPathVolumes',
  run({ spec }) {
    const names = ((spec['volumes'] ?? []) as Draft[])
      .filter(({ hostPath }) => hostPath)
      .map(({ name }) => String(name));
    return violation(
      'hostPath volumes',
      names.length === 0 ? [] : [`${plural('volume', 'volumes', names.length)} ${quoted(names)}`],
    );
  },
};

const hostPorts: Check = {
  id: 'hostPorts',
  run(pod) {
    const portsOf = ({ ports = [] }: Draft): number[] =>
      (ports as Draft[]).map(({ hostPort }) => Number(hostPort ?? 0)).filter((port) => port !== 0);
    const names = namesWhere(pod, (container) => portsOf(container).length > 0);
    const ports = [...new Set(pod.containers.flatMap(portsOf))].sort((a, b) => a - b);
    return violation(
      'hostPort',
      about(
        names,
        `${plural('uses', 'use', names.length)} ${plural('hostPort', 'hostPorts', ports.length)} ${ports.join(', ')}`,
      ),
    );
  },
};

const hostProbes: Check = {
  id: 'hostProbesAndHostLifecycle',
  since: 34,
  run(pod) {
    const hostsOf = (container: Draft): string[] =>
      [
        container['livenessProbe'],
        container['readinessProbe'],
        container['startupProbe'],
        container['lifecycle']?.postStart,
        container['lifecycle']?.preStop,
      ]
        .flatMap((handler: Draft | undefined) => [handler?.['httpGet']?.host, handler?.['tcpSocket']?.host])
        .filter((host) => host !== undefined && host !== '');
    const names = namesWhere(pod, (container) => hostsOf(container).length > 0);
    const hosts = [...new Set(pod.containers.flatMap(hostsOf))].sort();
    return violation(
      'probe or lifecycle host',
      about(
        names,
        `${plural('uses', 'use', names.length)} probe or lifecycle ${plural('host', 'hosts', hosts.length)} ${quoted(hosts)}`,
      ),
    );
  },
};

const privileged: Check = {
  id: 'privileged',
  run: (pod) =>
    violation(
      'privileged',
      about(
        namesWhere(pod, (container) => securityOf(container)['privileged'] === true),
        'must not set securityContext.privileged=true',
      ),
    ),
};

const procMount: Check = {
  id: 'procMount',
  run(pod) {
    const mountOf = (container: Draft): string => securityOf(container)['procMount'] ?? 'Default';
    const names = namesWhere(pod, (container) => mountOf(container) !== 'Default');
    const mounts = [...new Set(pod.containers.map(mountOf).filter((mount) => mount !== 'Default'))].sort();
    return violation('procMount', about(names, `must not set securityContext.procMount to ${quoted(mounts)}`));
  },
};

const seLinux: Check = {
  id: 'seLinuxOptions',
  run(pod) {
    const optionsOf = (owner: Draft): Draft => securityOf(owner)['seLinuxOptions'] ?? {};
    const isBad = (owner: Draft): boolean => {
      const { type = '', user = '', role = '' } = optionsOf(owner);
      return !seLinuxTypes.has(type) || user !== '' || role !== '';
    };
    const names = namesWhere(pod, isBad);
    const setters = [...(isBad(pod.spec) ? ['pod'] : []), ...(names.length > 0 ? [containersText(names)] : [])];
    if (setters.length === 0) return undefined;
    const bad = [pod.spec, ...pod.containers].filter(isBad).map(optionsOf);
    const types = [
      ...new Set(bad.map(({ type = '' }) => String(type)).filter((type) => !seLinuxTypes.has(type))),
    ].sort();
    const details = [
      ...(types.length > 0 ? [`${plural('type', 'types', types.length)} ${quoted(types)}`] : []),
      ...(bad.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(bad.some(({ role }) => role) ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${setters.join(' and ')} set forbidden securityContext.seLinuxOptions: ${details.join('; ')}`,
    };
  },
};

const seccomp: Check = {
  id: 'seccompProfile_baseline',
  run(pod) {
    const isBad = (owner: Draft): boolean => securityOf(owner)['seccompProfile']?.type === 'Unconfined';
    const names = namesWhere(pod, isBad);
    const setters = [...(isBad(pod.spec) ? ['pod'] : []), ...(names.length > 0 ? [containersText(names)] : [])];
    return violation(
      'seccompProfile',
      setters.length === 0
        ? []
        : [`${setters.join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined"`],
    );
  },
};

const sysctls: Check = {
  id: 'sysctls',
  run({ spec }) {
    const names = ((securityOf(spec)['sysctls'] ?? []) as Draft[]).map(({ name }) => String(name));
    return violation(
      'forbidden sysctls',
      names.filter((name) => !safeSysctls.has(name)),
    );
  },
};

const windowsHostProcess: Check = {
  id: 'windowsHostProcess',
  run(pod) {
    const isBad = (owner: Draft): boolean => securityOf(owner)['windowsOptions']?.hostProcess === true;
    const names = namesWhere(pod, isBad);
    const setters = [...(isBad(pod.spec) ? ['pod'] : []), ...(names.length > 0 ? [containersText(names)] : [])];
    return violation(
      'hostProcess',
      setters.length === 0
        ? []
        : [`${setters.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true`],
    );
  },
};

/** The checks of the baseline level, in the order messages list them. */
export const baselineChecks: readonly Check[] = [
  appArmor,
  capabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  seLinux,
  seccomp,
  sysctls,
  windowsHostProcess,
];
