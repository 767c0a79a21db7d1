import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { goYaml } from '../go-encoding/go-yaml.ts';
import type { TlsSecurityProfile } from '../rollout/global-config.ts';
import type { IgnitionFile } from '../spec/ignition-config.ts';
import { ConfigKindError, goText, objectAt } from './document-fields.ts';
import { fileOf, lines } from './files.ts';
import type { PayloadInputs } from './payload-inputs.ts';
import { tlsSettings } from './tls-profile.ts';

/** The kubelet's configuration before a user changes it. */
export function baseKubeletConfiguration(inputs: PayloadInputs): JsonObject {
  const tls = tlsSettings(inputs.tlsSecurityProfile);
  const featureGates = inputs.featureGates ?? {};
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: { x509: { clientCAFile: '/etc/kubernetes/kubelet-ca.crt' }, anonymous: { enabled: false } },
    cgroupDriver: 'systemd',
    cgroupRoot: '/',
    clusterDNS: [inputs.clusterDnsAddress],
    clusterDomain: 'cluster.local',
    containerLogMaxSize: '50Mi',
    enableSystemLogQuery: true,
    enforceNodeAllocatable: ['pods', 'system-reserved-compressible'],
    failSwapOn: false,
    ...(Object.keys(featureGates).length > 0 ? { featureGates } : {}),
    kubeAPIBurst: 100,
    kubeAPIQPS: 50,
    maxPods: 250,
    memorySwap: { swapBehavior: 'NoSwap' },
    nodeStatusReportFrequency: '5m',
    nodeStatusUpdateFrequency: '10s',
    podPidsLimit: 4096,
    protectKernelDefaults: true,
    rotateCertificates: true,
    serializeImagePulls: false,
    serverTLSBootstrap: true,
    staticPodPath: '/etc/kubernetes/manifests',
    systemCgroups: '/system.slice',
    systemReservedCgroup: '/system.slice',
    tlsCipherSuites: tls.cipherSuites,
    tlsMinVersion: tls.minVersion,
  };
}

export const kubeletConfFile = (configuration: JsonObject): IgnitionFile =>
  fileOf('/etc/kubernetes/kubelet.conf', goYaml(configuration));

/** The environment file that says how much of the machine is kept for the system. */
export function nodeSizingFile(enabled: boolean, reserved: Readonly<Record<string, string>> = {}): IgnitionFile {
  return fileOf(
    '/etc/node-sizing-enabled.env',
    lines(
      `NODE_SIZING_ENABLED=${enabled}`,
      `SYSTEM_RESERVED_MEMORY=${reserved['memory'] ?? '1Gi'}`,
      `SYSTEM_RESERVED_CPU=${reserved['cpu'] ?? '500m'}`,
      `SYSTEM_RESERVED_ES=${reserved['ephemeral-storage'] ?? '1Gi'}`,
    ),
  );
}

/** The files that a KubeletConfig changes. Throws ConfigKindError when it sets what the cluster decides. */
export function kubeletConfigFiles(document: JsonObject, base: JsonObject): IgnitionFile[] {
  const spec = objectAt(document, 'spec');
  const user = objectAt(spec, 'kubeletConfig');
  check(spec, user);
  const { systemReserved, featureGates: _, ...rest } = user;
  const reserved = isJsonObject(systemReserved) ? systemReserved : {};
  const sized = ['memory', 'cpu', 'ephemeral-storage'].filter((name) => typeof reserved[name] === 'string');
  const kept = Object.fromEntries(Object.entries(reserved).filter(([name]) => !sized.includes(name)));
  const changes = { ...rest, ...(Object.keys(kept).length > 0 ? { systemReserved: kept } : {}) };
  const tls = spec['tlsSecurityProfile'];
  const merged = withoutSystemReservation(
    { ...overlay(base, changes), ...(tls ? tlsFields(tls as TlsSecurityProfile) : {}) },
    changes,
  );
  const files = [kubeletConfFile(merged)];
  if (typeof spec['logLevel'] === 'number') files.push(logLevelFile(spec['logLevel']));
  if (sized.length > 0) files.push(nodeSizingFile(false, reserved as Readonly<Record<string, string>>));
  else if (typeof spec['autoSizingReserved'] === 'boolean') files.push(nodeSizingFile(spec['autoSizingReserved']));
  return files;
}

export const logLevelFile = (level: number): IgnitionFile =>
  fileOf(
    '/etc/systemd/system/kubelet.service.d/20-logging.conf',
    lines('[Service]', `Environment="KUBELET_LOG_LEVEL=${level}"`),
  );

/** Fields that belong to the cluster; with another value the node would not come back after a reboot. */
function check(spec: JsonObject, user: JsonObject): void {
  const refuse = (reason: string): never => {
    throw new ConfigKindError(reason);
  };
  const level = spec['logLevel'];
  if (typeof level === 'number' && (level < 0 || level > 10))
    refuse(`KubeletConfig's LogLevel is not valid [0,10]: ${level}`);
  const swap = objectAt(user, 'memorySwap')['swapBehavior'];
  const notAllowed = (field: string, value: JsonValue | undefined) => {
    const empty =
      value === undefined ||
      value === null ||
      value === '' ||
      (typeof value === 'object' && Object.keys(value).length === 0);
    if (!empty) refuse(`KubeletConfiguration: ${field} is not allowed to be set, but contains: ${goText(value)}`);
  };
  for (const field of ['cgroupDriver', 'clusterDNS', 'clusterDomain', 'featureGates', 'failSwapOn'])
    notAllowed(field, user[field]);
  notAllowed('swapBehavior', swap);
  if (spec['autoSizingReserved'] === true && Object.keys(objectAt(user, 'systemReserved')).length > 0)
    refuse('KubeletConfiguration: autoSizingReserved and systemdReserved cannot be set together');
  const [reservedGroup, systemGroup] = [user['systemReservedCgroup'], user['systemCgroups']];
  if (reservedGroup && systemGroup && reservedGroup !== systemGroup)
    refuse(
      `KubeletConfiguration: systemReservedCgroup (${goText(reservedGroup)}) must match systemCgroups (${goText(systemGroup)})`,
    );
  if (user['staticPodPath']) {
    refuse(
      `KubeletConfiguration: staticPodPath must be empty for pool "worker", but contains: ${goText(user['staticPodPath'])}`,
    );
  }
}

/** The user's values over the cluster's: objects by member, everything else replaced; empty values change nothing. */
function overlay(base: JsonObject, changes: JsonObject): JsonObject {
  const merged: Record<string, JsonValue | undefined> = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const current = merged[name];
    if (value === undefined || value === null || value === '') continue;
    merged[name] = isJsonObject(value) && isJsonObject(current) ? overlay(current, value) : value;
  }
  return merged;
}

/** Reserved CPUs are exclusive, and enforcing without the system's share needs no cgroup for it. */
function withoutSystemReservation(merged: JsonObject, changes: JsonObject): JsonObject {
  const enforced = (merged['enforceNodeAllocatable'] ?? []) as readonly string[];
  const isSystem = (name: string) => name.startsWith('system-reserved');
  if (merged['reservedSystemCPUs']) {
    const rest = enforced.filter((name) => !isSystem(name));
    const enforceNodeAllocatable = rest.includes('pods') ? rest : ['pods', ...rest];
    return { ...merged, systemReservedCgroup: undefined, enforceNodeAllocatable };
  }
  const own = changes['enforceNodeAllocatable'];
  const gaveUpSystem = Array.isArray(own) && own.length > 0 && !enforced.some(isSystem);
  return gaveUpSystem && !changes['systemReservedCgroup'] ? { ...merged, systemReservedCgroup: undefined } : merged;
}

function tlsFields(profile: TlsSecurityProfile): JsonObject {
  const { minVersion, cipherSuites } = tlsSettings(profile);
  return { tlsMinVersion: minVersion, tlsCipherSuites: cipherSuites };
}
